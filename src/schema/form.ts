import type { JsonObject } from "../core/json.js";
import { appliedDefaults } from "./default-sites.js";
import type { JsonSchema } from "../core/json.js";
import { textsUnder } from "./schema-tree.js";

/**
 * Which values a schema describes. `input`: what callers pass, where a property that has a default may be left out. `filled`: the same
 * after defaults were put in, where it is always there. `stated`: exactly what the schema says, for values in which nothing fills
 * defaults, such as responses.
 */
export type SchemaForm = "input" | "filled" | "stated";

/** The names that an object of that form must have, of those that this one schema speaks of. */
export function requiredNames(
  root: JsonSchema,
  schema: JsonObject,
  pointer: string,
  form: SchemaForm,
): readonly string[] {
  const required = textsUnder(schema, "required");
  const filled = form === "stated" ? undefined : appliedDefaults(root).byObject.get(pointer);
  if (filled === undefined) return required;
  const others = required.filter((name) => !filled.has(name));
  return form === "input" ? others : [...others, ...filled.keys()];
}
