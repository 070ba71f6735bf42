import { isJsonObject, type JsonSchema, type JsonValue, setOwn } from "../core/json.js";
import { requiredNames } from "./form.js";
import { below } from "./pointer.js";
import { mapSubschemas } from "./schema-tree.js";

const filled = new WeakMap<object, JsonSchema>();

/** A normalized document that says of its values what holds after defaults were put in: a property that has one is required. */
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
