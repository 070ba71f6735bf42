import { isJsonObject, type JsonObject, type JsonSchema } from "../../core/json.js";
import type { Branch } from "./branch.js";
import { childrenOf, schemaUnder } from "../schema-tree.js";

/** What an `unevaluated…` keyword is about, and says where all that is evaluated is known. */
const kinds = [
  {
    keyword: "unevaluatedProperties",
    type: "object",
    rest: "additionalProperties",
    // What these evaluate depends on the value.
    unsure: ["anyOf", "if", "dependentSchemas"],
  },
  {
    keyword: "unevaluatedItems",
    type: "array",
    rest: "items",
    unsure: ["anyOf", "if", "dependentSchemas", "contains"],
  },
] as const;

/** The forms that a schema without its `unevaluated…` keywords has, with what these say of the rest; where that isn't known, with the keywords. */
export function closeForms(
  forms: readonly Branch[],
  schema: JsonObject,
  root: JsonSchema,
): readonly Branch[] {
  return kinds.reduce((all, { keyword, rest, type, unsure }) => {
    const said = schemaUnder(schema, keyword);
    if (said === undefined) return all;
    const name = dependsOnValue(schema, root, unsure) ? keyword : rest;
    return all.map((form) => {
      const own: JsonObject = form === true ? {} : form;
      const concerns = own["type"] === undefined || own["type"] === type;
      return concerns && own[rest] === undefined ? { ...own, [name]: said } : form;
    });
  }, forms);
}

/** Whether one of these keywords applies to the same value as a schema. */
function dependsOnValue(
  schema: JsonObject,
  root: JsonSchema,
  keywords: readonly string[],
): boolean {
  const waiting = new Set<JsonSchema>([schema]);
  for (const each of waiting) {
    if (!isJsonObject(each)) continue;
    if (keywords.some((keyword) => each[keyword] !== undefined)) return true;
    for (const child of childrenOf({ schema: each, pointer: "" }, root))
      if (child.inPlace && child.keyword !== "not") waiting.add(child.schema);
  }
  return false;
}
