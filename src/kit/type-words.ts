import type { JsonType } from "../schema/look-up.js";

const words: Readonly<Record<JsonType, string>> = {
  string: "text",
  number: "a number",
  integer: "an integer",
  boolean: "a boolean",
  null: "null",
  array: "an array",
  object: "an object",
};

/** Describes types in words: `an array or an object`. */
export function typeWords(types: readonly JsonType[]): string {
  return types.map((type) => words[type]).join(" or ");
}
