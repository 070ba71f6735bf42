import type { Span } from "../../../core/span.js";

/** A type of a Protobuf schema, names resolved; recursive types refer to themselves. */
export type ProtoType = ScalarType | WellKnownType | EnumType | MessageType;

export type ScalarName =
  | "double"
  | "float"
  | "int32"
  | "uint32"
  | "sint32"
  | "fixed32"
  | "sfixed32"
  | "int64"
  | "uint64"
  | "sint64"
  | "fixed64"
  | "sfixed64"
  | "bool"
  | "string"
  | "bytes";

export interface ScalarType {
  readonly kind: "scalar";
  readonly name: ScalarName;
}

/** A message of Protobuf's own that JSON has a form of its own for. */
export interface WellKnownType {
  readonly kind: "well-known";
  /** Without its package: `Timestamp`. */
  readonly name: WellKnownName;
}

export const wellKnownNames = [
  "Timestamp",
  "Duration",
  "FieldMask",
  "Struct",
  "Value",
  "ListValue",
  "NullValue",
  "Empty",
  "DoubleValue",
  "FloatValue",
  "Int64Value",
  "UInt64Value",
  "Int32Value",
  "UInt32Value",
  "BoolValue",
  "StringValue",
  "BytesValue",
] as const;

export type WellKnownName = (typeof wellKnownNames)[number];

/** The scalar that a wrapper such as `Int64Value` holds; undefined for other types. */
export function wrappedBy(name: WellKnownName): ScalarName | undefined {
  return wrapped[name];
}

const wrapped: { readonly [name in WellKnownName]?: ScalarName } = {
  DoubleValue: "double",
  FloatValue: "float",
  Int64Value: "int64",
  UInt64Value: "uint64",
  Int32Value: "int32",
  UInt32Value: "uint32",
  BoolValue: "bool",
  StringValue: "string",
  BytesValue: "bytes",
};

export interface EnumType {
  readonly kind: "enum";
  /** With its package, as every name here. */
  readonly name: string;
  readonly span: Span;
  readonly doc?: string;
  readonly values: readonly (readonly [name: string, number: number])[];
}

export interface MessageType {
  readonly kind: "message";
  readonly name: string;
  /** Of the name. */
  readonly span: Span;
  readonly doc?: string;
  readonly fields: readonly ProtoField[];
  /** Groups of fields of which one is given at most. */
  readonly oneofs: readonly Oneof[];
}

export interface Oneof {
  readonly name: string;
  readonly fields: readonly string[];
}

export interface ProtoField {
  readonly name: string;
  readonly span: Span;
  readonly doc?: string;
  /** Of one value: of each item of a list, and of each value of a map. */
  readonly type: ProtoType;
  readonly cardinality:
    | { readonly kind: "optional" | "required" | "repeated" }
    | { readonly kind: "map"; readonly key: ScalarName };
}

/** Messages and enums that a message is made of, each once, itself first. */
export function everyType(root: MessageType): readonly (MessageType | EnumType)[] {
  const seen = new Set<MessageType | EnumType>([root]);
  for (const type of seen) {
    if (type.kind === "enum") continue;
    for (const field of type.fields)
      if (field.type.kind === "message" || field.type.kind === "enum") seen.add(field.type);
  }
  return [...seen];
}

/** What Protobuf calls it: `int64`, `acme.Status`, `google.protobuf.Timestamp`. */
export function nameOfType(type: ProtoType): string {
  return type.kind === "well-known" ? `google.protobuf.${type.name}` : type.name;
}

/** `repeated int64`, `map<string, acme.Item>`. */
export function nameOfField({ cardinality, type }: ProtoField): string {
  const name = nameOfType(type);
  if (cardinality.kind === "map") return `map<${cardinality.key}, ${name}>`;
  return cardinality.kind === "repeated" ? `repeated ${name}` : name;
}
