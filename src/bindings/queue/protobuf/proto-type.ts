import type { Span } from "../../../core/span.js";

/** A type of a Protobuf schema with resolved names. Recursive types refer to themselves. */
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

/** A message of Protobuf's own that has a special form in JSON. */
export interface WellKnownType {
  readonly kind: "well-known";
  /** Name without package: `Timestamp`. */
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

/** Returns the scalar in a wrapper such as `Int64Value`; undefined for other types. */
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
  /** Name with package, like every name in this file. */
  readonly name: string;
  readonly span: Span;
  readonly doc?: string;
  readonly values: readonly (readonly [name: string, number: number])[];
}

export interface MessageType {
  readonly kind: "message";
  readonly name: string;
  /** Span of the name. */
  readonly span: Span;
  readonly doc?: string;
  readonly fields: readonly ProtoField[];
  /** Groups of fields of which at most one may be set. */
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
  /** Type of a single value: of a list's item, or of a map's value. */
  readonly type: ProtoType;
  readonly cardinality:
    | { readonly kind: "optional" | "required" | "repeated" }
    | { readonly kind: "map"; readonly key: ScalarName };
}

/**
 * Returns the messages and enums that a message contains, each once, starting with the message
 * itself.
 */
export function everyType(root: MessageType): readonly (MessageType | EnumType)[] {
  const seen = new Set<MessageType | EnumType>([root]);
  for (const type of seen) {
    if (type.kind === "enum") continue;
    for (const field of type.fields)
      if (field.type.kind === "message" || field.type.kind === "enum") seen.add(field.type);
  }
  return [...seen];
}

/** Returns Protobuf's name of a type: `int64`, `acme.Status`, `google.protobuf.Timestamp`. */
export function nameOfType(type: ProtoType): string {
  return type.kind === "well-known" ? `google.protobuf.${type.name}` : type.name;
}

/** Returns Protobuf's type of a field: `repeated int64`, `map<string, acme.Item>`. */
export function nameOfField({ cardinality, type }: ProtoField): string {
  const name = nameOfType(type);
  if (cardinality.kind === "map") return `map<${cardinality.key}, ${name}>`;
  return cardinality.kind === "repeated" ? `repeated ${name}` : name;
}
