import type { Report } from "../../../core/report.js";
import { int64Form } from "../json-forms.js";
import { textForm } from "./text-form.js";
import {
  type AvroField,
  type AvroType,
  everyType,
  type RecordType,
  type UnionType,
} from "./type-tree.js";

/** Maximum number of branch pairs compared in one schema. */
const maxPairs = 200_000;

/**
 * Finds the unions whose values don't show their branch in JSON; these values name the branch, as
 * in Avro's own JSON. In other unions, the first branch that a value fits is used. That is safe if
 * the value stays the same: a whole number may be an `int` or a `double`, and a symbol may be a
 * string.
 *
 * @returns undefined if there are too many branches, which is reported
 */
export function namedUnions(root: AvroType, report: Report): NamedUnions | undefined {
  // Reversed, inner unions mostly come before outer ones, which saves rounds.
  const unions = everyType(root)
    .filter((type) => type.kind === "union")
    .toReversed();
  const named = new Set<AvroType>();
  let left = maxPairs;
  let before: number;
  do {
    before = named.size;
    for (const union of unions) {
      if (named.has(union)) continue;
      left -= union.branches.length ** 2;
      if (left < 0) return refuse(union, report);
      if (isAmbiguous(union, named)) named.add(union);
    }
    // Repeat: a union that names its branches counts as an object in the unions around it.
  } while (named.size > before);
  return named;
}

function refuse({ span }: UnionType, report: Report): undefined {
  const message = `the unions of the schema have more than ${maxPairs} pairs of branches`;
  report.add({ code: "queue/bad-avro-schema", span, message });
}

function isAmbiguous({ branches }: UnionType, named: NamedUnions): boolean {
  const types = branches.map(({ type }) => type);
  const takesNumbersOnly = longsAreNumbers(types);
  return types.some((second, index) =>
    types.slice(0, index).some((first) => areAlike(first, second, takesNumbersOnly, named)),
  );
}

/**
 * Returns whether a `long` must be a number, because quoted digits count as text beside a text
 * branch.
 */
export function longsAreNumbers(branches: readonly AvroType[]): boolean {
  return branches.some((branch) => textForm(branch) !== undefined);
}

function areAlike(
  first: AvroType,
  second: AvroType,
  longsAreNumeric: boolean,
  named: NamedUnions,
): boolean {
  if (isObject(first) && isObject(second)) return objectsOverlap(first, second, named);
  const [one, other] = [avroTypeName(first), avroTypeName(second)];
  if (one === "string" || (first.kind === "enum" && other === "string")) return false;
  // A `float` would round the values that the later branch takes exactly.
  if (isNumber(first) && isNumber(second)) return one === "float";
  if (longsAreNumeric && (one === "long" || other === "long")) return false;
  return overlap(first, second, named);
}

function isObject(type: AvroType): boolean {
  return type.kind === "record" || type.kind === "map";
}

function isNumber(type: AvroType): boolean {
  return type.kind === "plain" && kindsOf(type, new Set()).includes("number");
}

/** Returns the name of a type without a logical type. */
function avroTypeName(type: AvroType): string | undefined {
  return type.kind === "plain" && type.logical === undefined ? type.name : undefined;
}

/** Kinds of JSON values. */
export type JsonKind = "null" | "boolean" | "number" | "string" | "array" | "object";

/** Unions whose values are objects that name their branch. */
export type NamedUnions = ReadonlySet<AvroType>;

/** Returns the kinds of JSON values that a type accepts. */
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

/** Returns whether a type's values contain no other values. */
export function isLeaf(type: AvroType, named: NamedUnions): boolean {
  if (type.kind === "union")
    return !named.has(type) && type.branches.every((branch) => isLeaf(branch.type, named));
  return type.kind !== "record" && type.kind !== "array" && type.kind !== "map";
}

/**
 * Returns whether a JSON value could belong to both types. Looks no deeper than a record's fields
 * and treats deeper values as equal. Branches must be distinguishable at once; otherwise checking a
 * deep message could take exponential time.
 */
function overlap(a: AvroType, b: AvroType, named: NamedUnions): boolean {
  const kinds = kindsOf(b, named);
  const shared = kindsOf(a, named).filter((kind) => kinds.includes(kind));
  if (!isLeaf(a, named) || !isLeaf(b, named)) return shared.length > 0;
  if (a.kind === "union") return a.branches.some((branch) => overlap(branch.type, b, named));
  if (b.kind === "union") return b.branches.some((branch) => overlap(a, branch.type, named));
  return shared.some((kind) => kind !== "string" || textsOverlap(a, b));
}

/** Returns whether an object could belong to both types. Records accept no unknown fields. */
function objectsOverlap(a: AvroType, b: AvroType, named: NamedUnions): boolean {
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

/** Kinds of text that can be equal to each other. Texts of other kinds always differ. */
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
