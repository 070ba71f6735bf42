import type { SchemaProblem } from "../errors.js";
import { GivenFile } from "../files/tool-file.js";
import type { AjvError, Validator } from "../validation/validation.js";

/**
 * Integers beyond ±(2^53 − 1) where the schema says integer: as numbers, they may have been rounded
 * before the call. Where the schema takes fractions, a number is a quantity and may be large.
 *
 * The validator is asked with a fraction in place of each, so modules that were generated before
 * this rule follow it too.
 *
 * @param params that fit their schema
 */
export function unsafeIntegers(validator: Validator, params: unknown): readonly SchemaProblem[] {
  if (validator(withFractions(params))) return [];
  const found = (validator.errors ?? []).filter(saysInteger).map((each) => each.instancePath);
  return [...new Set(found)].map((pointer) => ({
    pointer,
    keyword: "type",
    message: `is an integer beyond ±${Number.MAX_SAFE_INTEGER}, which a number may hold rounded`,
  }));
}

function saysInteger({ keyword, params }: AjvError): boolean {
  if (keyword === "format") return ["int32", "int64"].includes(String(params?.["format"]));
  return keyword === "type" && [params?.["type"]].flat().includes("integer");
}

/** A copy of JSON with a fraction in place of each such integer. */
function withFractions(value: unknown): unknown {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return 0.5;
  if (Array.isArray(value)) return value.map(withFractions);
  if (typeof value !== "object" || value === null || value instanceof GivenFile) return value;
  // `fromEntries` defines own properties: one named `__proto__` stays a property.
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withFractions(each)]),
  );
}
