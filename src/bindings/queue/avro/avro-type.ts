import type { JsonValue } from "../../../core/json.js";
import type { Span } from "../../../core/span.js";
import type { LogicalType } from "./logical-type.js";

/** A type of an Avro schema, names resolved; recursive types refer to themselves. */
export type AvroType =
  PlainType | FixedType | EnumType | RecordType | ArrayType | MapType | UnionType;

export type PlainName =
  "null" | "boolean" | "int" | "long" | "float" | "double" | "bytes" | "string";

export interface PlainType {
  readonly kind: "plain";
  readonly name: PlainName;
  readonly logical?: LogicalType;
}

export interface FixedType {
  readonly kind: "fixed";
  /** With its namespace, as every name here. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly logical?: LogicalType;
}

export interface EnumType {
  readonly kind: "enum";
  readonly name: string;
  readonly span: Span;
  readonly doc?: string;
  readonly symbols: readonly string[];
}

export interface RecordType {
  readonly kind: "record";
  readonly name: string;
  /** Of the name. */
  readonly span: Span;
  readonly doc?: string;
  readonly fields: readonly AvroField[];
}

export interface AvroField {
  readonly name: string;
  readonly span: Span;
  readonly doc?: string;
  readonly type: AvroType;
  /** Of the type. */
  readonly typeSpan: Span;
  /** As it stands in the schema: what Avro encodes when the field is absent. */
  readonly default?: { readonly value: JsonValue };
}

export interface ArrayType {
  readonly kind: "array";
  readonly items: AvroType;
  readonly span: Span;
}

export interface MapType {
  readonly kind: "map";
  readonly values: AvroType;
  readonly span: Span;
}

export interface UnionType {
  readonly kind: "union";
  readonly branches: readonly Branch[];
  readonly span: Span;
  /** JSON pointer into the schema. */
  readonly pointer: string;
}

export interface Branch {
  readonly type: AvroType;
  readonly span: Span;
}

/** The types that it is made of, one step down. */
export function partsOf(type: AvroType): readonly AvroType[] {
  switch (type.kind) {
    case "record":
      return type.fields.map((field) => field.type);
    case "array":
      return [type.items];
    case "map":
      return [type.values];
    case "union":
      return type.branches.map((branch) => branch.type);
    default:
      return [];
  }
}

/** Every type of a schema once, the root first. */
export function everyType(root: AvroType): readonly AvroType[] {
  const seen = new Set<AvroType>([root]);
  for (const type of seen) for (const part of partsOf(type)) seen.add(part);
  return [...seen];
}

/** What Avro calls it: `long`, `decimal(10, 2)`, `acme.Status`, `array of string`. */
export function nameOfType(type: AvroType): string {
  switch (type.kind) {
    case "plain":
      return type.logical === undefined ? type.name : nameOfLogical(type.logical);
    case "fixed":
      return type.logical === undefined ? type.name : nameOfLogical(type.logical);
    case "array":
      return `array of ${nameOfType(type.items)}`;
    case "map":
      return `map of ${nameOfType(type.values)}`;
    case "union":
      return unionName(type.branches.map((branch) => nameOfType(branch.type)));
    default:
      return type.name;
  }
}

/** What Avro's own JSON calls a branch of a union: `long`, `array`, `acme.Status`. */
export function branchNameOf(type: AvroType): string {
  return "name" in type ? type.name : type.kind;
}

/** Longer unions are cut. */
const mostNamed = 5;

function unionName(names: readonly string[]): string {
  const named = names.slice(0, mostNamed);
  return [...named, ...(names.length > mostNamed ? ["…"] : [])].join(" or ");
}

function nameOfLogical(logical: LogicalType): string {
  if (logical.kind === "decimal") return `decimal(${logical.precision}, ${logical.scale})`;
  return "unit" in logical ? `${logical.kind}-${logical.unit}` : logical.kind;
}
