import type { SchemaModel } from "../../../core/skill-model.js";
import { type JsonType } from "../../../schema/look-up.js";
import { type StatedFacts, statedFacts } from "../../../schema/stated-facts.js";

/** Whether a call may give a list, an object or a text with nothing in it. */
export function mayBeEmpty(parameters: SchemaModel, parameter: string): boolean {
  const facts = statedFacts(parameters, [parameter]);
  if (facts.values !== undefined) return facts.values.includes("");
  return facts.types.some((type) => isEmptyOne(type, facts));
}

function isEmptyOne(
  type: JsonType,
  { format, minItems = 0, minLength = 0, minProperties = 0, pattern }: StatedFacts,
): boolean {
  if (type === "array") return minItems === 0;
  if (type === "object") return minProperties === 0;
  // No format that is checked takes an empty text, but for references to the document itself.
  if (type !== "string" || minLength > 0 || format !== undefined) return false;
  return pattern === undefined || new RegExp(pattern, "u").test("");
}
