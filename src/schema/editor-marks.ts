import type { JsonObject } from "../core/json.js";

export const schemaMark = "x-json-schema";
export const editorMark = "x-editor";

/**
 * Marks a place in one of skillc's schemas that holds an author's JSON Schema, so that editors
 * offer its keywords.
 */
export const holdsJsonSchema: JsonObject = { [schemaMark]: true };

/**
 * Marks keywords as being for editors only. The compiler reports the same mistakes elsewhere, in
 * better words.
 */
export function forEditors(keywords: JsonObject): JsonObject {
  return { [editorMark]: keywords };
}

/** A schema that applies only if another one does: `if` and `then`. */
export function when(condition: JsonObject, consequence: JsonObject): JsonObject {
  // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema has a keyword of that name
  return { if: condition, then: consequence };
}
