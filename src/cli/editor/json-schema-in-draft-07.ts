import type { JsonObject } from "../../core/json.js";
import { type Keyword, keywords } from "../../schema/keywords.js";

/**
 * What authors may write where a JSON Schema belongs, in any dialect that is read: each keyword with what stands under it. Other keys pass, as they do in the
 * compiler, which warns.
 *
 * @param self where the document defines it
 */
export function jsonSchemaInDraft07(self: string): JsonObject {
  const schema = { $ref: self };
  const properties = [...keywords].map(([name, keyword]) => [
    name,
    { description: keyword.description, ...valueOf(keyword, schema) },
  ]);
  return {
    description: "A JSON Schema: 2020-12, or draft-07 or 2019-09 where `$schema` says so.",
    type: ["object", "boolean"],
    properties: Object.fromEntries(properties),
  };
}

function valueOf({ shape, value }: Keyword, schema: JsonObject): JsonObject {
  const list = { type: "array", items: schema, minItems: 1 };
  switch (shape) {
    case "schema":
      return { allOf: [schema] };
    case "schema-list":
      return list;
    case "schema-map":
      return { type: "object", additionalProperties: schema };
    case "items":
      return { anyOf: [schema, { ...list, minItems: 0 }] };
    case "dependencies":
      return {
        type: "object",
        additionalProperties: { anyOf: [schema, { type: "array", items: { type: "string" } }] },
      };
    case "data":
      return value ?? {};
  }
}
