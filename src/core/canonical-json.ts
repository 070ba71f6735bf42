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

function byCodeUnits(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
