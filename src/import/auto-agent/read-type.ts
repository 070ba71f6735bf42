/** Reads the name of a type. Definitions use words of Python beside those of JSON Schema. */
import { parse } from "yaml";
import type { JsonObject, JsonValue } from "../../core/json.js";
import { schemaTypes } from "../../schema/keywords.js";
import { typeInOtherWords } from "../../schema/type-in-other-words.js";

/** Longest name of a type that is read. Each level of brackets needs some characters. */
const longest = 100;

const anything = /^(?:any|unknown)$/i;
const optional = /^optional\[(.+)\]$/i;
const mapping = /^(?:dict|mapping)\[.*\]$/i;
const listOfAnything = /^(?:list|set|sequence)\[\s*(?:typing\.)?any\s*\]$/i;

/** @returns keywords of JSON Schema; undefined for an unknown type */
export function keywordsOfType(written: string): JsonObject | undefined {
  const text = written.trim().replace(/^typing\./, "");
  if (text.length > longest) return undefined;
  if (schemaTypes.includes(text)) return { type: text };
  if (anything.test(text)) return {};
  if (mapping.test(text)) return { type: "object" };
  if (listOfAnything.test(text)) return { type: "array" };
  const [, inner] = optional.exec(text) ?? [];
  if (inner !== undefined) {
    const own = keywordsOfType(inner);
    return own && orNull(own);
  }
  const words = typeInOtherWords(text);
  // `enum` alone does not say which values it has.
  if (words === undefined || words.includes("…")) return undefined;
  const found: unknown = parse(`{ ${words} }`);
  return isKeywords(found) ? withoutZone(found) : undefined;
}

/** Removes formats that need a time zone, because times of Python often have none. */
function withoutZone({ format, ...own }: JsonObject): JsonObject {
  const needsZone = format === "date-time" || format === "time";
  return { ...own, ...(format !== undefined && !needsZone && { format }) };
}

/** Makes keywords of a type accept null. */
export function orNull(own: JsonObject): JsonObject {
  const { enum: choices, type } = own;
  const types: readonly JsonValue[] =
    type === undefined ? [] : typeof type === "string" ? [type] : Array.isArray(type) ? type : [];
  if (types.length === 0 || types.includes("null")) return own;
  return {
    ...own,
    type: [...types, "null"],
    ...(Array.isArray(choices) && !choices.includes(null) && { enum: [...choices, null] }),
  };
}

function isKeywords(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
