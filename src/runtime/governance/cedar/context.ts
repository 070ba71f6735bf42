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
 * Undefined: Cedar has no value for it, or the field has no such value. A record then leaves its
 * field out.
 */
export function cedarValue(field: ContextField, value: unknown): CedarValue | undefined {
  switch (field.as) {
    case "boolean":
      return typeof value === "boolean" ? value : undefined;
    case "string":
      return typeof value === "string" ? value : undefined;
    case "long":
      return typeof value === "number" && Number.isSafeInteger(value) ? value : undefined;
    case "decimal":
      return typeof value === "number" ? decimal(value) : undefined;
    case "set":
      return Array.isArray(value) ? setOf(field.of, value) : undefined;
    case "record":
      return recordOf(field.fields, value);
  }
}

function setOf(of: ContextField, items: readonly unknown[]): readonly CedarValue[] | undefined {
  const values: CedarValue[] = [];
  for (const item of items) {
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
    const found = own === undefined ? undefined : cedarValue(field, own);
    if (found !== undefined) entries.push([name, found]);
    // A record that lacks what its type has makes policies fail: the whole is left out instead,
    // where its own field may be absent.
    else if (required) return undefined;
  }
  return Object.fromEntries(entries);
}

/** Four digits behind the point, and 64 bits, are what Cedar's decimal has. */
const largestDecimal = 922_337_203_685_477;

function decimal(value: number): CedarValue | undefined {
  if (!Number.isFinite(value) || Math.abs(value) > largestDecimal) return undefined;
  return { __extn: { fn: "decimal", arg: value.toFixed(4) } };
}
