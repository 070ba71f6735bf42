/** Converts the schema of each tool for models, once. */
import type { CatalogSkill, CatalogTool } from "./catalog.js";
import { asParameters, type ModelSchema, toModelSchema } from "./model-schema.js";
import { isJsonMap } from "./schema-references.js";
import { wholeSchema } from "./whole-schema.js";

const converted = new WeakMap<CatalogTool, ModelSchema>();

/** Returns the schema of a tool's parameters for models, and the way back. */
export function convertedTool(
  tool: CatalogTool,
  { $defs }: Pick<CatalogSkill, "$defs">,
): ModelSchema {
  const known = converted.get(tool);
  if (known !== undefined) return known;
  const made = convert(tool, $defs);
  converted.set(tool, made);
  return made;
}

function convert(tool: CatalogTool, $defs: CatalogSkill["$defs"]): ModelSchema {
  const whole = wholeSchema(tool.input_schema, $defs);
  const made = toModelSchema(whole, tool.input_names);
  // Tools that an earlier version generated don't unwrap their parameters.
  const isUnderstood = made.back.inputParameter === tool.input_parameter;
  return isUnderstood ? made : { schema: asParameters(isJsonMap(whole) ? whole : {}), back: {} };
}
