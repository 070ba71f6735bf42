/** Describes schemas and values in few words, for a model. */
import { isJsonObject, type JsonSchema, type JsonValue } from "../core/json.js";

/** Maximum length of a description, in characters. */
const longestText = 200;
const mostValues = 12;

/** Describes a schema: `string (uuid)`, `"open" | "sent"`, `{ id, name }[]`. */
export function outlineOf(schema: JsonSchema, depth = 0): string {
  if (!isJsonObject(schema)) return "any";
  const { const: constant, enum: values, format, items, properties, type } = schema;
  if (constant !== undefined) return outlineOfValue(constant);
  if (Array.isArray(values)) {
    const some = values.slice(0, mostValues).map((each) => JSON.stringify(each));
    return some.join(" | ") + (values.length > mostValues ? " | …" : "");
  }
  if (isJsonObject(properties)) {
    const names = Object.keys(properties).slice(0, mostValues);
    return `{ ${names.join(", ")} }`;
  }
  if (items !== undefined && depth < 2)
    return `${outlineOf(typeof items === "boolean" || isJsonObject(items) ? items : true, depth + 1)}[]`;
  const name = Array.isArray(type) ? type.join(" | ") : typeof type === "string" ? type : "any";
  return typeof format === "string" ? `${name} (${format})` : name;
}

/** Describes the type of a value, and shows it if it is short. */
function outlineOfValue(value: JsonValue): string {
  if (Array.isArray(value)) return `array of ${value.length}`;
  if (isJsonObject(value)) return `{ ${Object.keys(value).slice(0, mostValues).join(", ")} }`;
  return JSON.stringify(shortText(value));
}

function shortText(value: JsonValue): JsonValue {
  return typeof value === "string" ? cut(value) : value;
}

/** Shortens a text to at most 200 characters, on one line. */
export function cut(text: string): string {
  const line = text
    .slice(0, 2 * longestText)
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length > longestText ? `${line.slice(0, longestText)}…` : line;
}

/**
 * Returns a copy of a value that has at most so many characters as JSON: long texts are cut, long
 * lists shortened. It visits no more of the value than it copies.
 */
export function shortened(value: JsonValue, characters: number): JsonValue {
  return shorten(value, { left: characters });
}

interface Budget {
  left: number;
}

function shorten(value: JsonValue, budget: Budget): JsonValue {
  if (typeof value === "string") {
    const most = Math.max(0, Math.min(value.length, budget.left, longestValue));
    budget.left -= most + 2;
    return most < value.length ? `${value.slice(0, most)}… (${value.length} characters)` : value;
  }
  budget.left -= 8;
  if (Array.isArray(value)) return shortenList(value, budget);
  if (!isJsonObject(value)) return value;
  const kept: Record<string, JsonValue> = Object.create(null) as Record<string, JsonValue>;
  for (const name in value) {
    if (!Object.hasOwn(value, name)) continue;
    if (budget.left <= 0) {
      kept["…"] = "more properties";
      break;
    }
    budget.left -= name.length + 4;
    kept[name] = shorten(value[name] ?? null, budget);
  }
  return kept;
}

/** Maximum length of one text, in characters. */
const longestValue = 4000;

function shortenList(value: readonly JsonValue[], budget: Budget): JsonValue {
  const kept: JsonValue[] = [];
  for (const item of value) {
    if (budget.left <= 0) break;
    kept.push(shorten(item, budget));
  }
  if (kept.length < value.length) kept.push(`… (${value.length} items)`);
  return kept;
}
