import { isJsonObject, type JsonObject } from "../core/json.js";

/**
 * Keyword with a description of the other keywords, for schemas that skillc makes from other
 * languages. Their patterns are long.
 */
export const formKeyword = "x-skillc-form";

export interface FormWords {
  /** Words after `must be` and `takes`: `a date, such as …`. */
  readonly says: string;
  /** Format that matching texts normally have. It is not checked. */
  readonly format?: string;
  /** A short pattern to copy. Every matching text fits. */
  readonly pattern?: string;
}

/** The words as a keyword that can be merged into a schema. */
export function withWords(says: string, more: Omit<FormWords, "says"> = {}): JsonObject {
  return { [formKeyword]: { says, ...more } };
}

export function formWords(schema: JsonObject): FormWords | undefined {
  const form = schema[formKeyword];
  if (!isJsonObject(form)) return undefined;
  const { format, pattern, says } = form;
  if (typeof says !== "string") return undefined;
  return {
    says,
    ...(typeof format === "string" && { format }),
    ...(typeof pattern === "string" && { pattern }),
  };
}
