import { isJsonObject, type JsonValue } from "./json.js";

/**
 * JSON text that is the same for values that say the same: keys in the order of their UTF-16 code
 * units, and no white space. Items of arrays stay where they are.
 */
export function canonicalJson(value: JsonValue): string {
  if (Array.isArray(value)) {
    const items: readonly JsonValue[] = value;
    return `[${items.map(canonicalJson).join(",")}]`;
  }
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .toSorted(byCodeUnits)
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`);
  return `{${members.join(",")}}`;
}

/** Canonical JSON of an object whose values are canonical JSON already. */
export function canonicalObject(members: { readonly [key: string]: string }): string {
  const texts = Object.keys(members)
    .toSorted(byCodeUnits)
    .map((key) => `${JSON.stringify(key)}:${members[key]}`);
  return `{${texts.join(",")}}`;
}

function byCodeUnits(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
