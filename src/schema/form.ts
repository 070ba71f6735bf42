import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  setOwn,
} from "../core/json.js";
import { appliedDefaults } from "./defaults.js";
import { mapSubschemas, textsUnder } from "./schema-tree.js";
import { below } from "./pointer.js";

/**
 * Which values a schema describes. `input`: what callers pass, where a property that has a default
 * may be left out. `filled`: the same after defaults were put in, where it is always there.
 * `stated`: exactly what the schema says, for values in which nothing fills defaults, such as
 * responses.
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

const filled = new WeakMap<object, JsonSchema>();

/**
 * A normalized document that says of its values what holds after defaults were put in: a property
 * that has one is required.
 */
export function filledSchema(root: JsonSchema): JsonSchema {
  if (!isJsonObject(root)) return root;
  const known = filled.get(root) ?? fill(root);
  filled.set(root, known);
  return known;
}

function fill(root: JsonSchema): JsonSchema {
  const convert = (schema: JsonSchema, pointer: string): JsonSchema => {
    if (!isJsonObject(schema)) return schema;
    const result: Record<string, JsonValue> = {};
    for (const [keyword, value] of Object.entries(schema))
      setOwn(result, keyword, mapSubschemas(keyword, value, below(pointer, keyword), convert));
    const required = requiredNames(root, schema, pointer, "filled");
    return required.length === 0 ? result : { ...result, required };
  };
  return convert(root, "");
}
