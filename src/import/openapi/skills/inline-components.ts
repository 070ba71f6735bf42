/** Puts the components that a tool needs into its own schemas, for a skill without schema files. */
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from "../../../core/json.js";
import type { Component } from "./components.js";
import { createOneDocument } from "./one-document.js";

/** Keys of a tool and of its binding whose values are schemas. */
const schemaKeys: ReadonlySet<string> = new Set([
  "parameters",
  "returns",
  "response_schema",
  "error_schema",
  "schema",
]);

/**
 * Returns the tool with the needed components in `$defs` of each of its schemas.
 *
 * @param folder prefix of the tool's references
 */
export function withInlineComponents(
  tool: JsonObject,
  components: readonly Component[],
  folder: string,
): JsonObject {
  const byName = new Map(components.map(({ name, schema }) => [name, schema]));
  const inlined = (schema: JsonObject): JsonObject => {
    const document = createOneDocument((name) => byName.get(name));
    const own = document.move(schema, folder);
    const { $defs } = document.root;
    return Object.keys($defs).length === 0 ? own : { ...own, $defs };
  };
  const converted = (value: JsonObject): JsonObject => {
    const result: Record<string, JsonValue> = {};
    for (const [key, each] of Object.entries(value)) {
      const convert = schemaKeys.has(key) ? inlined : converted;
      setOwn(result, key, isJsonObject(each) ? convert(each) : each);
    }
    return result;
  };
  return converted(tool);
}
