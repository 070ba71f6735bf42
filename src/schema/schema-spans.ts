import {
  getOwn,
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../core/json.js";
import type { SchemaModel } from "../core/skill-model.js";
import type { Span } from "../core/span.js";
import { placeAt } from "./place-at.js";
import { below, stepsOf } from "./pointer.js";
import { targetOf, textsUnder } from "./schema-tree.js";

/** A schema of a document, by pointer. */
export interface PlacedSchema {
  readonly model: SchemaModel;
  readonly pointer: string;
}

/** Span of the allowed values: of `type`, `const` or `enum`, else of the schema itself. */
export function spanOfType(at: PlacedSchema): Span {
  const target = followed(at);
  return (
    keywordSpan(target, "const") ??
    keywordSpan(target, "enum") ??
    keywordSpan(target, "type") ??
    spanOf(target)
  );
}

/** Span of a keyword, or else of the allowed values. */
export function spanOfKeyword(at: PlacedSchema, keyword: string | undefined): Span {
  return (keyword === undefined ? undefined : keywordSpan(at, keyword)) ?? spanOfType(at);
}

/** Span of the value in the list that contains it, else of the list. */
export function spanOfValue(at: PlacedSchema, value: JsonValue): Span {
  const target = followed(at);
  const listed = schemaAt(target)?.["enum"];
  const index = Array.isArray(listed) ? listed.indexOf(value) : -1;
  return (index < 0 ? undefined : keywordSpan(target, "enum", index)) ?? spanOfType(at);
}

/** Span of the `default`, or else of the schema itself. */
export function spanOfDefault(at: PlacedSchema): Span {
  return keywordSpan(at, "default") ?? keywordSpan(followed(at), "default") ?? spanOf(at);
}

/**
 * Span of the keyword that requires the property.
 *
 * @param declared pointer of the property's own schema
 */
export function spanOfRequired(at: PlacedSchema, name: string, declared: string | undefined): Span {
  for (const owner of ownersOf(at, declared)) {
    const index = textsUnder(schemaAt(owner) ?? {}, "required").indexOf(name);
    const span = index < 0 ? undefined : keywordSpan(owner, "required", index);
    if (span !== undefined) return span;
  }
  return declared === undefined ? spanOf(at) : spanOf({ ...at, pointer: declared });
}

/**
 * Span of the keyword that forbids the property: `false` under its name, or `additionalProperties`.
 * Otherwise the span of the schema itself.
 */
export function spanOfRest(at: PlacedSchema, name: string, declared: string | undefined): Span {
  const own = ownersOf(at, declared).map((owner) => keywordSpan(owner, "properties", name));
  const rest = ownersOf(at, declared).flatMap((owner) => [
    keywordSpan(owner, "additionalProperties"),
    keywordSpan(owner, "unevaluatedProperties"),
  ]);
  return [...own, ...rest].find((span) => span !== undefined) ?? spanOf(followed(at));
}

function ownersOf(at: PlacedSchema, declared: string | undefined): readonly PlacedSchema[] {
  const owner = declared?.replace(/\/properties\/[^/]*$/, "");
  return [...(owner === undefined ? [] : [{ ...at, pointer: owner }]), followed(at)];
}

/** Follows a `$ref` that has no keywords beside it. */
function followed(at: PlacedSchema, depth = 0): PlacedSchema {
  const schema = schemaAt(at);
  const reference = schema?.["$ref"];
  if (schema === undefined || typeof reference !== "string" || depth > maxReferences) return at;
  if (["type", "const", "enum", "properties"].some((keyword) => schema[keyword] !== undefined))
    return at;
  return followed({ ...at, pointer: targetOf(at.model.schema, reference).pointer }, depth + 1);
}

const maxReferences = 50;

function schemaAt({ model, pointer }: PlacedSchema): JsonObject | undefined {
  const found = stepsOf(pointer)?.reduce<unknown>(stepInto, model.schema);
  // A schema document contains only JSON.
  return isJsonObject(found as JsonSchema | undefined) ? (found as JsonObject) : undefined;
}

function stepInto(value: unknown, step: string): unknown {
  if (Array.isArray(value)) return (value as readonly unknown[])[Number(step)];
  // Reads own properties only, which are part of the document.
  return typeof value === "object" && value !== null
    ? getOwn(value as Readonly<Record<string, unknown>>, step)
    : undefined;
}

function keywordSpan(
  { model, pointer }: PlacedSchema,
  ...steps: readonly (string | number)[]
): Span | undefined {
  return placeAt(model, below(pointer, ...steps));
}

function spanOf(at: PlacedSchema): Span {
  return placeAt(at.model, at.pointer) ?? at.model.span;
}
