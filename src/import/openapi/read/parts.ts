/** Looking into parts of a description, which may hold anything. */
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "../../../core/json.js";
import { type Part, placeBelow } from "./document.js";

/** The value under a key, where the part is an object that has it. */
export function under(part: Part | undefined, key: string): Part | undefined {
  if (part === undefined || !isJsonObject(part.value)) return undefined;
  const value = getOwn(part.value, key);
  return value === undefined ? undefined : { value, at: placeBelow(part.at, key) };
}

/** Every entry of an object; none of anything else. */
export function entriesIn(part: Part | undefined): readonly (readonly [key: string, Part])[] {
  if (part === undefined || !isJsonObject(part.value)) return [];
  return Object.entries(part.value).map(([key, value]) => [
    key,
    { value, at: placeBelow(part.at, key) },
  ]);
}

/** Every item of a list; none of anything else. */
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
