/**
 * Arguments as Cedar values, built field by field as the manifest says, so that nothing in them can
 * be one of Cedar's escapes (`__entity`, `__extn`): names are the manifest's own, and texts,
 * numbers and booleans are what they are.
 */
import type { ContextField } from "../policy.js";

/** A value in Cedar's JSON form. */
export type CedarValue =
  string | number | boolean | readonly CedarValue[] | { readonly [name: string]: CedarValue };

/**
 * Undefined: the value is none of the field's, and whoever decides by it must refuse. It never is
 * for what the tool's schema accepts: that the field was worked out from it (`contextFieldOf` of
 * the compiler) is what makes it so.
 */
export function cedarValue(field: ContextField, value: unknown): CedarValue | undefined {
  switch (field.as) {
    case "boolean":
      return typeof value === "boolean" ? value : undefined;
    case "string":
      // Half of a surrogate pair is no text to Cedar.
      return typeof value === "string" ? value.toWellFormed() : undefined;
    case "long":
      return typeof value === "number" && Number.isInteger(value)
        ? within(Number.MAX_SAFE_INTEGER, value)
        : undefined;
    case "decimal":
      return typeof value === "number" && !Number.isNaN(value) ? decimal(value) : undefined;
    case "set":
      return Array.isArray(value) ? setOf(field.of, value) : undefined;
    case "record":
      return recordOf(field.fields, value);
  }
}

function setOf(of: ContextField, items: readonly unknown[]): readonly CedarValue[] | undefined {
  const values: CedarValue[] = [];
  for (const item of items) {
    // No policy can ask for null.
    if (item === null) continue;
    const value = cedarValue(of, item);
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
    const found = cedarValue(field, own);
    // A record without it would say that it isn't there.
    if (found === undefined) return undefined;
    entries.push([name, found]);
  }
  return Object.fromEntries(entries);
}

/** Four digits behind the point, and 64 bits, are what Cedar's decimal has. */
const largestDecimal = 922_337_203_685_477;

function decimal(value: number): CedarValue {
  return { __extn: { fn: "decimal", arg: within(largestDecimal, value).toFixed(4) } };
}

/**
 * What is larger than the largest is the largest: left out, it would pass every policy that forbids
 * what is too much.
 */
function within(largest: number, value: number): number {
  return Math.max(-largest, Math.min(largest, value));
}
