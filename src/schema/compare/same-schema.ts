import { getOwn, isJsonObject, type JsonSchema, type JsonValue } from "../../core/json.js";
import type { SchemaIn } from "./source.js";

/** Number of pairs of keywords and values that may still be compared. */
export interface Budget {
  left: number;
}

/** Larger schemas are treated as different. */
const maxCompared = 10_000;

type Json = JsonValue | undefined;

/** Checks if two schemas have the same text, with references replaced by their targets. */
export function isSameSchema(
  one: SchemaIn,
  other: SchemaIn,
  budget: Budget = { left: maxCompared },
): boolean {
  const waiting: (readonly [Json, Json])[] = [[one.schema, other.schema]];
  const begun = new Map<Json, Set<Json>>();
  for (const [a, b] of waiting) {
    const [own, wanted] = [followed(a, one.root), followed(b, other.root)];
    if (typeof own !== "object" || own === null) {
      if (own !== wanted) return false;
      continue;
    }
    // A recursive schema leads back to a comparison that is still open.
    const before = begun.get(own) ?? new Set();
    if (before.has(wanted)) continue;
    begun.set(own, before.add(wanted));
    budget.left -= 1;
    const parts = comparedParts(own, wanted, one.root, other.root);
    if (parts === undefined || budget.left < 0) return false;
    waiting.push(...parts);
  }
  return true;
}

/** The pairs of parts at the same places; undefined if the places differ. */
function comparedParts(
  own: JsonValue,
  wanted: Json,
  root: JsonSchema,
  wantedRoot: JsonSchema,
): readonly (readonly [Json, Json])[] | undefined {
  if (Array.isArray(own))
    return Array.isArray(wanted) && own.length === wanted.length
      ? own.map((each: JsonValue, index) => [each, wanted[index] as JsonValue] as const)
      : undefined;
  if (!isJsonObject(own) || !isJsonObject(wanted)) return undefined;
  const [names, others] = [keysOf(own, root), keysOf(wanted, wantedRoot)];
  if (names.length !== others.length || !names.every((name) => Object.hasOwn(wanted, name)))
    return undefined;
  return names.map((name) =>
    name === "$ref"
      ? [target(own[name], root), target(wanted[name], wantedRoot)]
      : [own[name], wanted[name]],
  );
}

/** Definitions of a document count only if something refers to them. */
function keysOf(schema: object, root: JsonSchema): readonly string[] {
  const names = Object.keys(schema);
  return schema === root ? names.filter((name) => name !== "$defs") : names;
}

/** Maximum length of a chain of references. */
const longestChain = 100;

/** Follows a schema that contains only a reference. */
function followed(value: Json, root: JsonSchema): Json {
  let schema = value;
  for (let count = 0; count < longestChain; count += 1) {
    if (!isJsonObject(schema) || schema["$ref"] === undefined) return schema;
    if (keysOf(schema, root).length > 1) return schema;
    const next = target(schema["$ref"], root);
    if (!isJsonObject(next)) return schema;
    schema = next;
  }
  return schema;
}

/**
 * Target of a reference, or the value itself. A property or a constant may also be named `$ref`.
 */
function target($ref: Json, root: JsonSchema): Json {
  if ($ref === "#") return root;
  const definitions = isJsonObject(root) ? root["$defs"] : undefined;
  if (typeof $ref !== "string" || !isJsonObject(definitions)) return $ref;
  return getOwn(definitions, $ref.replace("#/$defs/", "")) ?? $ref;
}
