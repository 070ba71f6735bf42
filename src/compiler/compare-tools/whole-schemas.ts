import { wholeSchema } from "@skillc/runtime/internal";
import type { JsonObject } from "../../core/json.js";

/** Keys of a catalog's tool that hold schemas. */
export const schemaKeys = ["input_schema", "output_schema"] as const;

/** A tool of a catalog, each of its schemas with all that it refers to. */
export function withWholeSchemas(tool: JsonObject, $defs: JsonObject | undefined): JsonObject {
  const schemas = schemaKeys.flatMap((key) => {
    const schema = tool[key];
    return schema === undefined ? [] : [[key, wholeSchema(schema, $defs)] as const];
  });
  return { ...tool, ...Object.fromEntries(schemas) };
}
