/**
 * Converts arguments to Cedar values, field by field as the manifest declares. So arguments can't
 * contain Cedar's escapes (`__entity`, `__extn`): names come from the manifest, and texts, numbers
 * and booleans are plain values.
 */
import type { ContextField } from "../policy.js";

/** A value in Cedar's JSON form. */
export type CedarValue =
  string | number | boolean | readonly CedarValue[] | { readonly [name: string]: CedarValue };

/** Notes whether the conversion of arguments to Cedar values lost anything. */
export interface Rounded {
  /** True if a value differs from its argument, because Cedar can't hold the argument exactly. */
  any: boolean;
}

/**
 * Converts a value; undefined if it doesn't match the field, in which case the call must be denied.
 * Values that the tool's schema accepts always match, because the compiler derives the field from
 * the schema (`contextFieldOf`).
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
      // Cedar rejects text with half of a surrogate pair.
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

/** Converts digits, for integers that are text. */
function longOf(text: string, rounded: Rounded): CedarValue | undefined {
  if (!/^-?[0-9]{1,20}$/.test(text)) return undefined;
  const exact = exactLong(text);
  if (exact === undefined) rounded.any = true;
  return exact ?? within(Number.MAX_SAFE_INTEGER, Number(text));
}

/**
 * Returns an exact Cedar Long; undefined if the integer has more than 64 bits or can't be written
 * as JSON here.
 */
function exactLong(text: string): CedarValue | undefined {
  const number = Number(text);
  if (Number.isSafeInteger(number)) return number;
  const integer = BigInt(text);
  return BigInt.asIntN(64, integer) === integer ? rawJson?.(String(integer)) : undefined;
}

/** Cedar reads JSON. Only `JSON.rawJSON` (Node 22) can write integers that a number can't hold. */
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
    // If the item were left out, a policy would conclude that it is not in the set.
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
    // Null becomes an absent field; a policy asks with `has`.
    if (own === undefined || own === null) {
      if (required) return undefined;
      continue;
    }
    const found = cedarValue(field, own, rounded);
    // If the field were left out, a policy would conclude that it is absent.
    if (found === undefined) return undefined;
    entries.push([name, found]);
  }
  return Object.fromEntries(entries);
}

/** Cedar's decimal has four decimal places and 64 bits. */
const largestDecimal = 922_337_203_685_477;

function decimal(value: number, rounded: Rounded): CedarValue {
  const exact = exactDecimal(value);
  if (exact === undefined) rounded.any = true;
  const arg = exact ?? within(largestDecimal, value).toFixed(4);
  return { __extn: { fn: "decimal", arg } };
}

/** Returns a number in Cedar's form; undefined if Cedar's decimal can't hold it exactly. */
function exactDecimal(value: number): string | undefined {
  const text = String(value);
  if (Math.abs(value) > largestDecimal || !/^-?\d+(?:\.\d{1,4})?$/.test(text)) return undefined;
  return text.includes(".") ? text : `${text}.0`;
}

/**
 * Returns the paths of arguments that Cedar can't hold exactly. A policy that reads such a path
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
 * Limits a value to a range. If a value that is too large were left out, it would pass every policy
 * that forbids large values.
 */
function within(largest: number, value: number): number {
  return Math.max(-largest, Math.min(largest, value));
}
