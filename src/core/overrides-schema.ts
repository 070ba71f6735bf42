import type { JsonObject } from "./json.js";

/** JSON Schema of `overrides.yaml`, the choices of a person for single operations of an import. */
export const overridesSchema: JsonObject = {
  type: ["object", "null"],
  additionalProperties: false,
  properties: {
    operations: {
      description:
        "Choices for operations, by operationId or by method and path: `GET /pets/{id}`.",
      type: ["object", "null"],
      additionalProperties: {
        type: "object",
        additionalProperties: false,
        properties: {
          name: { type: "string", description: "Name of the tool: `show-pet`." },
          auth: {
            type: "string",
            description:
              "Authentication of its calls: `bearer`, `basic`, `header:X-Api-Key`, `query:api_key`, `cookie:session` or `none`.",
          },
          media_type: {
            type: "string",
            description: "Media type of its body and its answers, of those in the document.",
          },
        },
      },
    },
  },
};
