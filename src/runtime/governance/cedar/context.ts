/**
 * Arguments as Cedar values, built field by field as the manifest says, so that nothing in them can
 * be one of Cedar's escapes (`__entity`, `__extn`): names are the manifest's own, and texts,
 * numbers and booleans are what they are.
 */
import type { ContextField } from "../policy.js";

/** A value in Cedar's JSON form. */
export type CedarValue =
  string | number | boolean | readonly CedarValue[] | { readonly [name: string]: CedarValue };

/** Whether something of the arguments is not exactly what policies see. */
export interface Rounded {
  any: boolean;
}

/**
 * Undefined: the value is none of the field's, and whoever decides by it must refuse. It never is
 * for what the tool's schema accepts: that the field was worked out from it (`contextFieldOf` of
 * the compiler) is what makes it so.
 */
export function cedarValue(
  field: ContextField,
  value: unknown,
  rounded: Rounded = { any: false },
): CedarValue | undefined {
  switch (field.as) {
    case "boolean":
      return typeof value === "boolean" ? value : undefined;
    case "string":
      if (typeof value !== "string") return undefined;
      if (value.isWellFormed()) return value;
      // Half of a surrogate pair is no text to Cedar.
      rounded.any = true;
      return value.toWellFormed();
    case "long":
      if (typeof value === "string") return longOf(value, rounded);
      return typeof value === "number" && Number.isInteger(value)
        ? within(Number.MAX_SAFE_INTEGER, value)
        : undefined;
    case "decimal":
      return typeof value === "number" && !Number.isNaN(value)
        ? decimal(value, rounded)
        : undefined;
    case "set":
      return Array.isArray(value) ? setOf(field.of, value, rounded) : undefined;
    case "record":
      return recordOf(field.fields, value, rounded);
  }
}

/** Digits, where integers are text. */
function longOf(text: string, rounded: Rounded): CedarValue | undefined {
  if (!/^-?[0-9]{1,20}$/.test(text)) return undefined;
  const exact = exactLong(text);
  if (exact === undefined) rounded.any = true;
  return exact ?? within(Number.MAX_SAFE_INTEGER, Number(text));
}

/** Undefined for an integer that is no Long, which has 64 bits, or can't be said to Cedar. */
function exactLong(text: string): CedarValue | undefined {
  const number = Number(text);
  if (Number.isSafeInteger(number)) return number;
  const integer = BigInt(text);
  return BigInt.asIntN(64, integer) === integer ? rawJson?.(String(integer)) : undefined;
}

/**
 * Cedar is asked in JSON. `JSON.rawJSON` (Node 22) alone writes integers that a number can't hold.
 */
const { rawJSON: rawJson } = JSON as { readonly rawJSON?: (text: string) => CedarValue };

function setOf(
  of: ContextField,
  items: readonly unknown[],
  rounded: Rounded,
): readonly CedarValue[] | undefined {
  const values: CedarValue[] = [];
  for (const item of items) {
    // No policy can ask for null.
    if (item === null) continue;
    const value = cedarValue(of, item, rounded);
    // A set without one of its items would say that it isn't there.
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

type RecordFields = Extract<ContextField, { readonly as: "record" }>["fields"];

function recordOf(
  fields: RecordFields,
  value: unknown,
  rounded: Rounded,
): { readonly [name: string]: CedarValue } | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const entries: (readonly [string, CedarValue])[] = [];
  for (const { field, name, required } of fields) {
    const own = Object.getOwnPropertyDescriptor(value, name)?.value as unknown;
    // Null is said by leaving the field out: a policy asks with `has`.
    if (own === undefined || own === null) {
      if (required) return undefined;
      continue;
    }
    const found = cedarValue(field, own, rounded);
    // A record without it would say that it isn't there.
    if (found === undefined) return undefined;
    entries.push([name, found]);
  }
  return Object.fromEntries(entries);
}

/** Four digits behind the point, and 64 bits, are what Cedar's decimal has. */
const largestDecimal = 922_337_203_685_477;

function decimal(value: number, rounded: Rounded): CedarValue {
  const exact = exactDecimal(value);
  if (exact === undefined) rounded.any = true;
  const arg = exact ?? within(largestDecimal, value).toFixed(4);
  return { __extn: { fn: "decimal", arg } };
}

/** The number as it is sent, in Cedar's form; undefined for one that its decimal can't hold. */
function exactDecimal(value: number): string | undefined {
  const text = String(value);
  if (Math.abs(value) > largestDecimal || !/^-?\d+(?:\.\d{1,4})?$/.test(text)) return undefined;
  return text.includes(".") ? text : `${text}.0`;
}

/**
 * Where the arguments have what Cedar can't hold exactly: property names. Whoever reads the place
 * would decide about another value.
 */
export function roundedPlaces(
  field: ContextField,
  value: unknown,
  path: readonly string[] = [],
): readonly (readonly string[])[] {
  switch (field.as) {
    case "decimal":
      return typeof value === "number" && exactDecimal(value) === undefined ? [path] : [];
    case "long":
      return typeof value === "string" && exactLong(value) === undefined ? [path] : [];
    case "string":
      return typeof value === "string" && !value.isWellFormed() ? [path] : [];
    case "set":
      return Array.isArray(value)
        ? value.flatMap((item: unknown) => roundedPlaces(field.of, item, path))
        : [];
    case "record":
      return field.fields.flatMap((each) => {
        if (typeof value !== "object" || value === null) return [];
        const own = Object.getOwnPropertyDescriptor(value, each.name)?.value as unknown;
        return roundedPlaces(each.field, own, [...path, each.name]);
      });
    default:
      return [];
  }
}

/**
 * What is larger than the largest is the largest: left out, it would pass every policy that forbids
 * what is too much.
 */
function within(largest: number, value: number): number {
  return Math.max(-largest, Math.min(largest, value));
}
