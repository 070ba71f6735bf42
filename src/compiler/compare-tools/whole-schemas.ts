import { wholeSchema } from "@skillc/runtime/internal";
import type { JsonObject } from "../../core/json.js";

/** Keys of a catalog's tool with schemas. */
export const schemaKeys = ["input_schema", "output_schema"] as const;

/** Adds to each schema of a tool all definitions that it refers to. */
export function withWholeSchemas(tool: JsonObject, $defs: JsonObject | undefined): JsonObject {
  const schemas = schemaKeys.flatMap((key) => {
    const schema = tool[key];
    return schema === undefined ? [] : [[key, wholeSchema(schema, $defs)] as const];
  });
  return { ...tool, ...Object.fromEntries(schemas) };
}
