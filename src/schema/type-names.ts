import type { JsonValue } from "../core/json.js";

/** JSON Schema's own names for types, with their articles: `an integer or a string`. */
export function someTypes(types: unknown): string {
  const list: readonly unknown[] = Array.isArray(types) ? types : [types];
  return list.map((type) => withArticle(String(type))).join(" or ");
}

/** Type of a value, with its article: `a string`. */
export function typeOfValue(value: JsonValue): string {
  if (Array.isArray(value)) return "an array";
  if (typeof value === "number" && Number.isInteger(value)) return "an integer";
  return withArticle(value === null ? "null" : typeof value);
}

function withArticle(type: string): string {
  if (type === "null") return type;
  return `${/^[aio]/.test(type) ? "an" : "a"} ${type}`;
}
