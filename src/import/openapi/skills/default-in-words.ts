/**
 * A default of OpenAPI says what the service assumes if a request leaves the value out. A `default` of
 * a skill is sent. So an imported default becomes a sentence of the description, which models read.
 */
import type { JsonObject, JsonSchema, JsonValue } from "../../../core/json.js";
import { cut, prose } from "../../skills/texts.js";

/** The same schema with its own `default` in words. */
export function defaultInWords(schema: JsonSchema): JsonSchema {
  if (typeof schema === "boolean") return schema;
  const { default: value, ...others } = schema;
  return value === undefined ? schema : withDefaultInWords(others, JSON.stringify(value));
}

/** @param value as JSON writes it */
export function withDefaultInWords(schema: JsonObject, value: string): JsonObject {
  const { description } = schema;
  const own = typeof description === "string" ? description : "";
  const sentence = `The API's default is \`${cut(prose(value), longestValue)}\`.`;
  const border = own === "" ? "" : own.includes("\n") ? "\n\n" : " ";
  return { ...schema, description: `${own}${border}${sentence}` };
}

/** @param exact as `exactIn` gives it: the digits of an integer are text */
export function digitsOrJson(exact: JsonValue): string {
  return typeof exact === "string" ? exact : JSON.stringify(exact);
}

const longestValue = 200;
