import type { JsonObject, JsonSchema } from "../../core/json.js";
import type { JsonType } from "../look-up.js";
import { schemasUnder } from "../schema-tree.js";

/** What a schema asks of a value as a whole: each keyword with those that mean nothing without it. */
export const conditions: readonly (readonly string[])[] = [
  ["not"],
  ["if", "then", "else"],
  ["multipleOf"],
  ["uniqueItems"],
  ["contains", "minContains", "maxContains"],
  ["minProperties"],
  ["maxProperties"],
  ["propertyNames"],
  ["patternProperties"],
  ["dependentRequired"],
  ["dependentSchemas"],
  ["unevaluatedProperties"],
  ["unevaluatedItems"],
];

const typesOf: { readonly [keyword: string]: readonly JsonType[] } = {
  multipleOf: ["integer", "number"],
  uniqueItems: ["array"],
  contains: ["array"],
  unevaluatedItems: ["array"],
};

/** Whether a condition says anything of values of a type. */
export function concerns(keyword: string, type: JsonType | undefined): boolean {
  if (keyword === "not" || keyword === "if" || type === undefined) return true;
  return (typesOf[keyword] ?? ["object"]).includes(type);
}

/** Whether a condition says the same wherever it stands. */
export function standsAlone(keyword: string): boolean {
  return !keyword.startsWith("unevaluated");
}

/** A condition by its first keyword, with the others. */
export function conditionIn(schema: JsonObject, keyword: string): JsonObject {
  const group = conditions.find(([first]) => first === keyword) ?? [keyword];
  return Object.fromEntries(
    group.flatMap((name) => {
      const value = schema[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** A form, and what stood beside it that could not be put together with it. */
export function withAside(form: JsonObject): readonly JsonObject[] {
  const aside: readonly JsonSchema[] = schemasUnder(form, "allOf");
  return [form, ...aside.filter((each) => typeof each === "object")];
}
