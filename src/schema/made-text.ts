import type { JsonObject } from "../core/json.js";

/**
 * Internal keyword beside `type: string`, for text built around parameters: a pattern that every
 * such text matches. The pattern is a fact, not an author's promise.
 */
const madeKeyword = "x-skillc-made";

/** Schema of built text, for all values of its parameters. */
export function madeText(pattern: string): JsonObject {
  return { type: "string", [madeKeyword]: pattern };
}

/** Pattern of built text. */
export function madeTextOf(schema: JsonObject): string | undefined {
  const pattern = schema[madeKeyword];
  return typeof pattern === "string" ? pattern : undefined;
}

/** Pattern that matches exactly one text. */
export function patternOfText(text: string): string {
  return `^${quoted(text)}$`;
}

/** Escapes a text for a pattern. */
export function quoted(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
