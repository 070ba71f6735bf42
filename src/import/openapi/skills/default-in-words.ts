/**
 * A default of OpenAPI says what the service assumes if a request leaves the value out. A `default` of
 * a skill is sent. So an imported default becomes a sentence of the description, which models read.
 */
import type { JsonSchema } from "../../../core/json.js";
import { cut, prose } from "../../skills/texts.js";

/** The same schema with its own `default` in words. */
export function defaultInWords(schema: JsonSchema): JsonSchema {
  if (typeof schema === "boolean") return schema;
  const { default: value, ...others } = schema;
  if (value === undefined) return schema;
  const { description } = schema;
  const own = typeof description === "string" ? description : "";
  const sentence = `The API's default is \`${cut(prose(JSON.stringify(value)), longestValue)}\`.`;
  const border = own === "" ? "" : own.includes("\n") ? "\n\n" : " ";
  return { ...others, description: `${own}${border}${sentence}` };
}

const longestValue = 200;
