import avro from "avsc";
import type { JsonValue } from "../../../core/json.js";
import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { Span } from "../../../core/span.js";
import {
  type MapNode,
  type SyntaxNode,
  textOf,
  toJson,
  valueOf,
} from "../../../core/syntax-node.js";
import { below } from "../../../schema/pointer.js";
import { didYouMean } from "../../../schema/suggestion.js";

/** A type of an Avro schema with resolved names. Recursive types refer to themselves. */
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
  /** Full name with namespace, like every name in this file. */
  readonly name: string;
  /** Size in bytes. */
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
  /** Span of the name. */
  readonly span: Span;
  readonly doc?: string;
  readonly fields: readonly AvroField[];
}

export interface AvroField {
  readonly name: string;
  readonly span: Span;
  readonly doc?: string;
  readonly type: AvroType;
  /** Span of the type. */
  readonly typeSpan: Span;
  /** The default as written in the schema. Avro encodes it if the field is absent. */
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

/** Returns the types directly inside a type. */
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

/** Returns every type of a schema once, the root first. */
export function everyType(root: AvroType): readonly AvroType[] {
  const seen = new Set<AvroType>([root]);
  for (const type of seen) for (const part of partsOf(type)) seen.add(part);
  return [...seen];
}

/** Returns Avro's name of a type: `long`, `decimal(10, 2)`, `acme.Status`, `array of string`. */
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

/** Returns the name of a union's branch in Avro's own JSON: `long`, `array`, `acme.Status`. */
export function branchNameOf(type: AvroType): string {
  return "name" in type ? type.name : type.kind;
}

/** Names of longer unions are shortened. */
const maxNamed = 5;

function unionName(names: readonly string[]): string {
  const named = names.slice(0, maxNamed);
  return [...named, ...(names.length > maxNamed ? ["…"] : [])].join(" or ");
}

function nameOfLogical(logical: LogicalType): string {
  if (logical.kind === "decimal") return `decimal(${logical.precision}, ${logical.scale})`;
  return "unit" in logical ? `${logical.kind}-${logical.unit}` : logical.kind;
}

/**
 * Converts the library's types, whose names are resolved. Adds what the library doesn't keep:
 * spans, descriptions and logical types.
 */
export function typeTree(root: SyntaxNode, resolved: avro.Type, report: Report): AvroType {
  return typeOf(root, resolved, { known: new Map(), report, pointer: "" });
}

interface Context {
  /** Our types by the library's. */
  readonly known: Map<avro.Type, AvroType>;
  readonly report: Report;
  /** JSON pointer of the node in the schema. */
  readonly pointer: string;
}

function within(context: Context, ...steps: readonly (string | number)[]): Context {
  return { ...context, pointer: below(context.pointer, ...steps) };
}

function typeOf(node: SyntaxNode, type: avro.Type, context: Context): AvroType {
  const before = context.known.get(type);
  if (before !== undefined) return before;
  const { span } = node;
  if (type instanceof avro.types.WrappedUnionType) {
    const items = node.kind === "list" ? node.items : [];
    const branches = type.types.map((branch, index) => {
      const item = items[index] ?? node;
      return { type: typeOf(item, branch, within(context, index)), span: item.span };
    });
    return { kind: "union", branches, span, pointer: context.pointer };
  }
  if (node.kind !== "map") return plainType(type);
  if (type instanceof avro.types.ArrayType) {
    const items = valueOf(node, "items") ?? node;
    return { kind: "array", items: typeOf(items, type.itemsType, within(context, "items")), span };
  }
  if (type instanceof avro.types.MapType) {
    const values = valueOf(node, "values") ?? node;
    return { kind: "map", values: typeOf(values, valuesOf(type), within(context, "values")), span };
  }
  return namedType(node, type, context);
}

function valuesOf(type: avro.types.MapType): avro.Type {
  // The library declares `any`.
  return type.valuesType as avro.Type;
}

function plainType(type: avro.Type, logical?: LogicalType): PlainType {
  // Types with a name, unions, arrays and maps were handled before.
  const name = type.typeName as PlainName;
  return { kind: "plain", name, ...(logical && { logical }) };
}

function namedType(node: MapNode, type: avro.Type, context: Context): AvroType {
  if (type instanceof avro.types.RecordType) return recordType(node, type, context);
  if (type instanceof avro.types.EnumType) return enumType(node, type, context);
  if (!(type instanceof avro.types.FixedType))
    return plainType(type, readLogicalType(node, { name: type.typeName }, context.report));
  const { size } = type;
  const logical = readLogicalType(node, { name: "fixed", size }, context.report);
  const name = type.name ?? "";
  const fixed: FixedType = { kind: "fixed", name, size, ...(logical && { logical }) };
  context.known.set(type, fixed);
  return fixed;
}

function enumType(node: MapNode, type: avro.types.EnumType, { known }: Context): EnumType {
  const { symbols, name = "" } = type;
  const made: EnumType = { kind: "enum", ...about(node), name, symbols };
  known.set(type, made);
  return made;
}

function recordType(node: MapNode, type: avro.types.RecordType, context: Context): RecordType {
  const fields: AvroField[] = [];
  const made: RecordType = { kind: "record", ...about(node), name: type.name ?? "", fields };
  // Register the record before its fields, which may refer to it.
  context.known.set(type, made);
  const list = valueOf(node, "fields");
  const written = list?.kind === "list" ? list.items : [];
  type.fields.forEach((field, index) => {
    const at = written[index] ?? node;
    const typeNode = valueOf(at, "type") ?? at;
    const initial = valueOf(at, "default");
    reportFieldsLogicalType(at, context.report);
    fields.push({
      ...about(at),
      name: field.name,
      type: typeOf(typeNode, field.type, within(context, "fields", index, "type")),
      typeSpan: typeNode.span,
      ...(initial && { default: { value: toJson(initial) } }),
    });
  });
  return made;
}

/** Returns the span of a name, and its description. */
function about(node: SyntaxNode): { readonly span: SyntaxNode["span"]; readonly doc?: string } {
  const doc = textOf(valueOf(node, "doc"));
  return {
    span: (valueOf(node, "name") ?? node).span,
    ...(doc !== undefined && doc.trim() !== "" && { doc }),
  };
}

/** Meaning of a value beyond its simple type. */
export type LogicalType =
  | {
      readonly kind: "decimal";
      /** Total number of digits. */
      readonly precision: number;
      /** Number of digits after the point. */
      readonly scale: number;
    }
  | { readonly kind: "date" | "uuid" | "duration" }
  | { readonly kind: "time"; readonly unit: "millis" | "micros" }
  | { readonly kind: "timestamp" | "local-timestamp"; readonly unit: TimeUnit };

export type TimeUnit = "millis" | "micros" | "nanos";

/** The simple type below a `logicalType`. A `fixed` has a size in bytes. */
interface Base {
  readonly name: string;
  readonly size?: number;
}

type LogicalTypeReading = LogicalType | { readonly ignored: string };

const readers: { readonly [name: string]: (base: Base, node: MapNode) => LogicalTypeReading } = {
  decimal: decimalOf,
  date: on("int", { kind: "date" }),
  "time-millis": on("int", { kind: "time", unit: "millis" }),
  "time-micros": on("long", { kind: "time", unit: "micros" }),
  "timestamp-millis": on("long", { kind: "timestamp", unit: "millis" }),
  "timestamp-micros": on("long", { kind: "timestamp", unit: "micros" }),
  "timestamp-nanos": on("long", { kind: "timestamp", unit: "nanos" }),
  "local-timestamp-millis": on("long", { kind: "local-timestamp", unit: "millis" }),
  "local-timestamp-micros": on("long", { kind: "local-timestamp", unit: "micros" }),
  "local-timestamp-nanos": on("long", { kind: "local-timestamp", unit: "nanos" }),
  uuid: (base) =>
    base.name === "string" || base.size === 16
      ? { kind: "uuid" }
      : { ignored: "a `uuid` must be a `string` or a `fixed` of 16 bytes" },
  duration: (base) =>
    base.size === 12
      ? { kind: "duration" }
      : { ignored: "a `duration` must be a `fixed` of 12 bytes" },
};

/** Returns whether Avro's specification defines a logical type. */
function isLogicalType(name: string): boolean {
  return Object.hasOwn(readers, name);
}

/**
 * Returns the logical type that a schema names. A logical type that is used wrongly is reported,
 * and ignored as Avro's specification requires.
 */
function readLogicalType(node: MapNode, base: Base, report: Report): LogicalType | undefined {
  const written = valueOf(node, "logicalType");
  const name = textOf(written);
  if (written === undefined || name === undefined) return undefined;
  const reader = isLogicalType(name) ? readers[name] : undefined;
  const found = reader?.(base, node);
  if (found !== undefined && !("ignored" in found)) {
    if (found.kind === "decimal") checkDigits(found.precision, node, report);
    return found;
  }
  const help = found?.ignored ?? didYouMean(name, Object.keys(readers));
  // Authors may use their own logical types, which other readers ignore.
  if (help !== undefined) reportIgnored(written, base, help, report);
  return undefined;
}

function reportIgnored(written: SyntaxNode, base: Base, help: string, report: Report): void {
  const type = base.size === undefined ? quote(base.name) : `\`fixed\` of ${base.size} bytes`;
  report.add({
    code: "queue/ignored-logical-type",
    span: written.span,
    message: `${quote(textOf(written) ?? "")} is ignored: the value is a plain ${type}`,
    help,
  });
}

function on(name: string, logical: LogicalType): (base: Base) => LogicalTypeReading {
  const ignored = `a \`${"unit" in logical ? `${logical.kind}-${logical.unit}` : logical.kind}\` is \`{ "type": "${name}", … }\``;
  return (base) => (base.name === name && base.size === undefined ? logical : { ignored });
}

function decimalOf(base: Base, node: MapNode): LogicalTypeReading {
  if (base.name !== "bytes" && base.size === undefined)
    return { ignored: "a `decimal` must be `bytes` or `fixed`" };
  const precision = integerUnder(node, "precision");
  const scale = valueOf(node, "scale") === undefined ? 0 : integerUnder(node, "scale");
  if (precision === undefined || precision < 1)
    return { ignored: "a `decimal` needs a `precision` of at least 1" };
  if (scale === undefined || scale > precision)
    return {
      ignored: "the `scale` of a `decimal` must be a whole number from 0 to its `precision`",
    };
  const most = base.size === undefined ? Infinity : maxDigits(base.size);
  if (precision > most) return { ignored: `${base.size} bytes hold at most ${most} digits` };
  return { kind: "decimal", precision, scale };
}

/**
 * PostgreSQL's limit for a declared `numeric`, the highest of any database. The limit matters
 * because every message writes the value out to its scale.
 */
const maxDigitsInAll = 1000;

function checkDigits(precision: number, node: MapNode, report: Report): void {
  if (precision <= maxDigitsInAll) return;
  report.add({
    code: "schema/too-large",
    span: (valueOf(node, "precision") ?? node).span,
    message: `a \`decimal\` has at most ${maxDigitsInAll} digits, but this one has ${precision}`,
  });
}

function integerUnder(node: MapNode, key: string): number | undefined {
  const value = valueOf(node, key);
  const number = value?.kind === "scalar" ? value.value : undefined;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0
    ? number
    : undefined;
}

/** Returns the number of digits that always fit into `size` bytes in two's complement. */
function maxDigits(size: number): number {
  return Math.floor(Math.log10(2) * (8 * size - 1));
}

/**
 * Reports a `logicalType` beside a field's `type`. There it is an attribute of the field, without a
 * meaning in Avro.
 */
function reportFieldsLogicalType(field: SyntaxNode, report: Report): void {
  const written = valueOf(field, "logicalType");
  const name = textOf(written);
  const type = valueOf(field, "type");
  if (written === undefined || name === undefined || !isLogicalType(name)) return;
  if (textOf(valueOf(type, "logicalType")) === name) return;
  report.add({
    code: "queue/ignored-logical-type",
    span: written.span,
    message: `${quote(name)} is ignored: it is on the field, but belongs in the type of the field`,
    help: `write \`"type": ${typeWith(name, type, field)}\``,
  });
}

/**
 * Returns the type that the author probably meant. In a union, that is the branch that is not null.
 */
function typeWith(name: string, type: SyntaxNode | undefined, field: SyntaxNode): string {
  if (type?.kind !== "list") return whole(name, type, field);
  const branches = type.items.map((item) =>
    textOf(item) === "null" ? '"null"' : whole(name, item, field),
  );
  return branches.length > 2 ? "[…]" : `[${branches.join(", ")}]`;
}

function whole(name: string, type: SyntaxNode | undefined, field: SyntaxNode): string {
  const below = textOf(type) ?? "";
  const numbers = ["precision", "scale"].flatMap((key) => {
    const value = valueOf(field, key);
    const number = value?.kind === "scalar" ? value.value : undefined;
    return typeof number === "number" ? [`"${key}": ${number}`] : [];
  });
  const base = /^\w{1,40}$/.test(below) ? `"${below}"` : "…";
  return `{ ${[`"type": ${base}`, `"logicalType": "${name}"`, ...numbers].join(", ")} }`;
}
