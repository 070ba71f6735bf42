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
 * Pointers of the schemas of a document that an `unevaluated…` keyword looks at: those that have
 * one, and what applies to the same value.
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
 * The schema, marked as looked at. A bare `if` evaluates too, and Ajv passes over it unless
 * something follows.
 */
export function lookedAt(schema: JsonObject): JsonObject {
  const then = schema["then"] ?? true;
  const follows = schema["if"] !== undefined && then === true;
  // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema has a keyword of that name
  return { ...schema, [marker]: true, ...(follows && { then: { [marker]: true } }) };
}

/** The schema, marked as one that no `unevaluated…` keyword looks at. */
export function notLookedAt(schema: JsonObject): JsonObject {
  return { ...schema, [marker]: false };
}

/** Checks if a keyword of the schema, or of one below it, depends on evaluated parts. */
export function usesUnevaluated(schema: JsonSchema): boolean {
  return mentions(schema, "unevaluatedProperties") || mentions(schema, "unevaluatedItems");
}
