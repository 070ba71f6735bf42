import { int64Form } from "../exact-forms.js";
import type { AvroField, AvroType, RecordType } from "./avro-type.js";
import { textForm } from "./text-form.js";

/** What JSON knows a value by. */
export type JsonKind = "null" | "boolean" | "number" | "string" | "array" | "object";

/** Unions whose values are objects that name their branch. */
export type NamedUnions = ReadonlySet<AvroType>;

/** The kinds of JSON values that a type takes. */
export function kindsOf(type: AvroType, named: NamedUnions): readonly JsonKind[] {
  switch (type.kind) {
    case "record":
    case "map":
      return ["object"];
    case "array":
      return ["array"];
    case "union": {
      const kinds = type.branches.flatMap((branch) => kindsOf(branch.type, named));
      if (!named.has(type)) return [...new Set(kinds)];
      return kinds.includes("null") ? ["null", "object"] : ["object"];
    }
    default:
      return kindsOfScalar(type);
  }
}

function kindsOfScalar(type: AvroType): readonly JsonKind[] {
  if (textForm(type) !== undefined) return ["string"];
  if (type.kind !== "plain") return [];
  if (type.name === "null" || type.name === "boolean") return [type.name];
  return type.name === "long" ? ["number", "string"] : ["number"];
}

/** Whether its values hold no others. */
export function isLeaf(type: AvroType, named: NamedUnions): boolean {
  if (type.kind === "union")
    return !named.has(type) && type.branches.every((branch) => isLeaf(branch.type, named));
  return type.kind !== "record" && type.kind !== "array" && type.kind !== "map";
}

/**
 * Whether one JSON value may be of both types. Looks no deeper than a record's fields, and takes what lies deeper for the same: what tells branches apart must be
 * seen at once, or checking a deep message would take time without end.
 */
export function overlap(a: AvroType, b: AvroType, named: NamedUnions): boolean {
  const kinds = kindsOf(b, named);
  const shared = kindsOf(a, named).filter((kind) => kinds.includes(kind));
  if (!isLeaf(a, named) || !isLeaf(b, named)) return shared.length > 0;
  if (a.kind === "union") return a.branches.some((branch) => overlap(branch.type, b, named));
  if (b.kind === "union") return b.branches.some((branch) => overlap(a, branch.type, named));
  return shared.some((kind) => kind !== "string" || textsOverlap(a, b));
}

/** Whether one object may be of both types, where records take no unknown fields. */
export function objectsOverlap(a: AvroType, b: AvroType, named: NamedUnions): boolean {
  if (a.kind === "record" && b.kind === "record") return recordsOverlap(a, b, named);
  if (a.kind === "record" && b.kind === "map")
    return (
      !isLeaf(b.values, named) || required(a).every((field) => overlap(field.type, b.values, named))
    );
  if (a.kind === "map" && b.kind === "record") return objectsOverlap(b, a, named);
  return true;
}

function recordsOverlap(a: RecordType, b: RecordType, named: NamedUnions): boolean {
  const others = new Map(b.fields.map((field) => [field.name, field]));
  const names = new Set(a.fields.map((field) => field.name));
  if (required(b).some((field) => !names.has(field.name))) return false;
  return a.fields.every((field) => {
    const other = others.get(field.name);
    if (other === undefined) return field.default !== undefined;
    const isNeeded = field.default === undefined || other.default === undefined;
    return !isNeeded || overlap(field.type, other.type, named);
  });
}

function required(record: RecordType): readonly AvroField[] {
  return record.fields.filter((field) => field.default === undefined);
}

/** Families of text of which no text is in two, except as listed. */
const alike: { readonly [family: string]: readonly string[] } = {
  base64: ["base64", "decimal", "digits", "duration"],
  decimal: ["base64", "decimal", "digits"],
  digits: ["base64", "decimal", "digits"],
  duration: ["base64", "duration"],
};

function textsOverlap(a: AvroType, b: AvroType): boolean {
  if (a.kind === "enum") return a.symbols.some((symbol) => takesText(b, symbol));
  if (b.kind === "enum") return textsOverlap(b, a);
  const [one, other] = [familyOf(a), familyOf(b)];
  if (one === "string" || other === "string") return true;
  if (isBytes(a) && isBytes(b)) return a.size === b.size;
  return (alike[one] ?? [one]).includes(other);
}

function isBytes(type: AvroType): type is AvroType & { readonly kind: "fixed" } {
  return type.kind === "fixed" && type.logical === undefined;
}

function familyOf(type: AvroType): string {
  const logical = type.kind === "plain" || type.kind === "fixed" ? type.logical : undefined;
  if (logical !== undefined) return logical.kind;
  if (type.kind !== "plain" || type.name === "bytes") return "base64";
  return type.name === "long" ? "digits" : "string";
}

function takesText(type: AvroType, text: string): boolean {
  if (type.kind === "enum") return type.symbols.includes(text);
  const { pattern, minLength = 0, maxLength = Infinity } = textForm(type) ?? int64Form;
  if (text.length < Number(minLength) || text.length > Number(maxLength)) return false;
  return typeof pattern !== "string" || new RegExp(pattern, "u").test(text);
}
