import type { JsonObject } from "../core/json.js";

export const schemaMark = "x-json-schema";
export const editorMark = "x-editor";

/**
 * Marks a place in one of skillc's schemas that holds an author's JSON Schema, so that editors
 * offer its keywords.
 */
export const holdsJsonSchema: JsonObject = { [schemaMark]: true };

/**
 * Keywords for editors alone, of what the compiler reports elsewhere, in better words than a
 * schema's.
 */
export function forEditors(keywords: JsonObject): JsonObject {
  return { [editorMark]: keywords };
}

/** A schema that holds only where another one does: `if` and `then`. */
export function when(condition: JsonObject, consequence: JsonObject): JsonObject {
  // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema has a keyword of that name
  return { if: condition, then: consequence };
}
