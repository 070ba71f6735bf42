import type { JsonObject } from "../core/json.js";

/**
 * Beside `type: string`, of text that is made around parameters: a pattern that each such text
 * matches. It is a fact, and no promise of an author's.
 */
const madeKeyword = "x-skillc-made";

/** A schema of text that is made, whatever its parameters are. */
export function madeText(pattern: string): JsonObject {
  return { type: "string", [madeKeyword]: pattern };
}

/** The pattern of text that is made. */
export function madeTextOf(schema: JsonObject): string | undefined {
  const pattern = schema[madeKeyword];
  return typeof pattern === "string" ? pattern : undefined;
}

/** A pattern of one text. */
export function patternOfText(text: string): string {
  return `^${quoted(text)}$`;
}

/** A text as part of a pattern. */
export function quoted(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
