/** Finds the schemas that the `unevaluated…` keywords depend on, and marks them for Ajv. */
import { isJsonObject, type JsonObject, type JsonSchema } from "../core/json.js";
import { mentions } from "./mentions.js";
import { childrenOf, everySchema, type Subschema } from "./schema-tree.js";

/**
 * Internal keyword: `true` in schemas whose evaluated names and items count, `false` in others.
 * Authors can't write it, because extensions are removed first.
 */
export const marker = "x-evaluated";

/**
 * Pointers of the schemas that an `unevaluated…` keyword depends on: its own, and all that apply to
 * the same value.
 */
export function placesLookedAt(root: JsonSchema): ReadonlySet<string> {
  const places = new Set<string>();
  if (!usesUnevaluated(root)) return places;
  const waiting: Subschema[] = everySchema(root).filter(({ schema }) => looksAtEvaluated(schema));
  for (const each of waiting) {
    if (places.has(each.pointer)) continue;
    places.add(each.pointer);
    waiting.push(...childrenOf(each, root).filter((child) => child.inPlace));
  }
  return places;
}

/** Checks if one of the schema's own keywords depends on evaluated parts. */
export function looksAtEvaluated(schema: JsonSchema): boolean {
  return (
    isJsonObject(schema) &&
    (schema["unevaluatedProperties"] !== undefined || schema["unevaluatedItems"] !== undefined)
  );
}

/**
 * Marks a schema whose evaluated parts count. Adds a `then` to a bare `if`, which also evaluates
 * parts, because Ajv would skip the `if`.
 */
export function lookedAt(schema: JsonObject): JsonObject {
  const then = schema["then"] ?? true;
  const follows = schema["if"] !== undefined && then === true;
  // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema has a keyword of that name
  return { ...schema, [marker]: true, ...(follows && { then: { [marker]: true } }) };
}

/** Marks a schema whose evaluated parts don't count. */
export function notLookedAt(schema: JsonObject): JsonObject {
  return { ...schema, [marker]: false };
}

/** Checks if a keyword of the schema, or of one below it, depends on evaluated parts. */
export function usesUnevaluated(schema: JsonSchema): boolean {
  return mentions(schema, "unevaluatedProperties") || mentions(schema, "unevaluatedItems");
}
