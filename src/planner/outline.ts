/** Describes schemas and values in few words, for a model. */
import { isJsonObject, type JsonSchema, type JsonValue } from "../core/json.js";
import { partsOf } from "./sources.js";

/** Maximum length of a description, in characters. */
const longestText = 200;
const mostValues = 12;

/** How much a description says. */
interface OutlineOptions {
  /** Maximum length of a value, in characters. */
  readonly longest?: number;
  /** Maximum number of values of an enum. */
  readonly values?: number;
}

/** Describes a schema: `uuid`, `"open"|"sent"`, `{id, name}[]`. */
export function outlineOf(schema: JsonSchema, options: OutlineOptions = {}, depth = 0): string {
  if (!isJsonObject(schema)) return "any";
  const { longest = longestText, values: mostOfEnum = mostValues } = options;
  const { const: constant, enum: values, format, items, properties, type } = schema;
  if (constant !== undefined) return outlineOfValue(constant, longest);
  if (Array.isArray(values)) {
    const some = values.slice(0, mostOfEnum).map((each) => JSON.stringify(each));
    return some.join("|") + (values.length > mostOfEnum ? "|…" : "");
  }
  if (isJsonObject(properties)) return `{${shortList(Object.keys(properties))}}`;
  if (isJsonObject(items) && depth < 2) return `${outlineOf(items, options, depth + 1)}[]`;
  const name = Array.isArray(type) ? type.join("|") : typeof type === "string" ? type : "any";
  if (typeof format !== "string") return name;
  return type === "string" ? format : `${name} (${format})`;
}

function shortList(names: readonly string[]): string {
  const some = names.slice(0, mostValues).join(", ");
  return names.length > mostValues ? `${some}, …` : some;
}

/** Describes the type of a value, and shows it if it is short. */
function outlineOfValue(value: JsonValue, longest: number): string {
  if (Array.isArray(value)) {
    const [first] = value;
    return `${value.length} × ${first === undefined ? "any" : outlineOfValue(first, 40)}`;
  }
  if (isJsonObject(value)) return `{${shortList(Object.keys(value))}}`;
  return JSON.stringify(typeof value === "string" ? cut(value, longest) : value);
}

/** Maximum depth of the values that `shapeOf` names, and number of them in one object. */
const deepest = 4;
const mostNames = 40;

/**
 * Describes an output by the names and types of the wanted values in it: `id, items: [{sku}]`. A
 * name without a type is a text. Undefined if there is none.
 */
export function shapeOf(
  output: JsonSchema,
  isWanted: (schema: JsonSchema) => boolean,
): string | undefined {
  const shape = shapeBelow(output, { root: output, isWanted, depth: 0, isInList: false });
  return shape?.replace(/^\{(.*)\}$/s, "$1");
}

interface Shaping {
  readonly root: JsonSchema;
  readonly isWanted: (schema: JsonSchema) => boolean;
  readonly depth: number;
  /** True if `[*]` makes a list of the value. */
  readonly isInList: boolean;
}

function shapeBelow(schema: JsonSchema, shaping: Shaping): string | undefined {
  const { depth, isInList, isWanted, root } = shaping;
  const { items, properties } = depth < deepest ? partsOf(schema, root) : { properties: [] };
  const below = { ...shaping, depth: depth + 1 };
  if (items !== undefined) {
    const shape = shapeBelow(items, { ...below, isInList: true });
    if (shape !== undefined) return shape === "any" ? "array" : `[${shape}]`;
  }
  const parts = properties.flatMap(({ name, schema: part }) => {
    const shape = shapeBelow(part, below);
    if (shape === undefined) return [];
    return [shape === "string" || shape === name ? name : `${name}: ${shape}`];
  });
  if (parts.length > 0)
    return `{${parts.slice(0, mostNames).join(", ")}${parts.length > mostNames ? ", …" : ""}}`;
  return isWanted(schema) || (isInList && isWanted(listOf(schema)))
    ? outlineOf(schema, { values: 3 })
    : undefined;
}

/** Lists by the schema of their items, so that each is compared once. */
const lists = new WeakMap<object, JsonSchema>();

function listOf(items: JsonSchema): JsonSchema {
  if (typeof items === "boolean") return { type: "array", items };
  const list = lists.get(items) ?? { type: "array", items };
  lists.set(items, list);
  return list;
}

/** Shortens a text, on one line. */
export function cut(text: string, longest = longestText): string {
  const line = text
    .slice(0, 2 * longest)
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
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
