/** Reads parts of a description, which may contain anything. */
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "../../../core/json.js";
import { type Part, placeBelow, stepsOfPointer } from "./document.js";

/** The value under a key, if the part is an object with that key. */
export function under(part: Part | undefined, key: string): Part | undefined {
  if (part === undefined || !isJsonObject(part.value)) return undefined;
  const value = getOwn(part.value, key);
  return value === undefined ? undefined : below(part, key, value);
}

/** The entries of an object; empty for any other part. */
export function entriesIn(part: Part | undefined): readonly (readonly [key: string, Part])[] {
  if (part === undefined || !isJsonObject(part.value)) return [];
  return Object.entries(part.value).map(([key, value]) => [key, below(part, key, value)]);
}

function below({ at, parts }: Part, key: string, value: JsonValue): Part {
  return parts?.get(key) ?? { value, at: placeBelow(at, key) };
}

/** The value with the digits of each rounded integer as text. Undefined if the value is exact. */
export function exactIn({ at, value }: Part): JsonValue | undefined {
  const root = at.document.exact;
  if (root === undefined) return undefined;
  const exact = stepsOfPointer(at.pointer).reduce<JsonValue | undefined>(memberOf, root);
  return exact !== undefined && hasRounded(value, exact) ? exact : undefined;
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  // Items are own properties of an array.
  return getOwn(value as { readonly [key: string]: JsonValue }, name);
}

function hasRounded(value: JsonValue, exact: JsonValue | undefined): boolean {
  if (typeof value === "number") return typeof exact === "string";
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, each]) => hasRounded(each, memberOf(exact, name)));
}

/** The items of a list; empty for any other part. */
export function itemsIn(part: Part | undefined): readonly Part[] {
  if (part === undefined || !Array.isArray(part.value)) return [];
  const items: readonly JsonValue[] = part.value;
  return items.map((value, index) => ({ value, at: placeBelow(part.at, String(index)) }));
}

export function textIn(part: Part | undefined, key: string): string | undefined {
  const value = under(part, key)?.value;
  return typeof value === "string" ? value : undefined;
}

export function isSet(part: Part | undefined, key: string): boolean {
  return under(part, key)?.value === true;
}

export function objectIn(part: Part | undefined): JsonObject {
  return part !== undefined && isJsonObject(part.value) ? part.value : {};
}

/** Checks for `nullable: true` of OpenAPI 3.0, or `x-nullable: true`, which Swagger 2 has instead. */
export function isNullable(part: Part | undefined): boolean {
  return (
    isSet(part, "nullable") ||
    isSet(part, "x-nullable") ||
    itemsIn(under(part, "allOf")).some(saysOnlyNullable)
  );
}

/** Checks for the branch `{ nullable: true }`, which some generators add beside a reference. */
function saysOnlyNullable(part: Part): boolean {
  const keys = Object.keys(objectIn(part));
  return isNullable(part) && keys.every((key) => /^(?:nullable|description|title|x-.*)$/.test(key));
}
