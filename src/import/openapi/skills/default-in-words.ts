/**
 * Converts defaults to sentences of the description, which models read. An OpenAPI default
 * describes what the service assumes for a missing value. skillc would send a `default` of a skill.
 */
import type { JsonObject, JsonSchema, JsonValue } from "../../../core/json.js";
import { cut, prose } from "../../skills/texts.js";

/** Replaces the schema's own `default` with words. */
export function defaultInWords(schema: JsonSchema): JsonSchema {
  if (typeof schema === "boolean") return schema;
  const { default: value, ...others } = schema;
  return value === undefined ? schema : withDefaultInWords(others, JSON.stringify(value));
}

/** @param value default as JSON text */
export function withDefaultInWords(schema: JsonObject, value: string): JsonObject {
  const { description } = schema;
  const own = typeof description === "string" ? description : "";
  const sentence = `The API's default is \`${cut(prose(value), longestValue)}\`.`;
  const border = own === "" ? "" : own.includes("\n") ? "\n\n" : " ";
  return { ...schema, description: `${own}${border}${sentence}` };
}

/** @param exact result of `exactIn`, with digits as text */
export function digitsOrJson(exact: JsonValue): string {
  return typeof exact === "string" ? exact : JSON.stringify(exact);
}

const longestValue = 200;
