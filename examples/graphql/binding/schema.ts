import type { JsonObject, OtherBindingWords } from "skillc/binding";

const text = { type: "string" } as const;
const scalar = { type: ["string", "number", "boolean", "null"] } as const;

/**
 * Schema of the keys of a GraphQL binding, beside the keys that all bindings have. `resolve` and
 * `check` apply the rules that a schema can't express.
 */
export const graphqlSchema = {
  type: "object",
  required: ["endpoint", "query"],
  properties: {
    endpoint: {
      ...text,
      description: "Literal URL, or `${NAME}` and maybe a path; no parameters, no query",
    },
    query: {
      ...text,
      description: "A document with one query or mutation; braces are GraphQL's own",
    },
    schema: {
      ...text,
      description: "Result of the introspection query, a .json file; the document is checked by it",
    },
    variables: {
      type: "object",
      description: "Variable to value; by default the parameter of the same name",
      additionalProperties: scalar,
    },
    headers: {
      type: "object",
      description: "Absent and null values drop their entry",
      additionalProperties: scalar,
    },
  },
} as const satisfies JsonObject;

/** Names that other GraphQL clients and HTTP bindings use for the same keys. */
export const graphqlOtherWords: OtherBindingWords = {
  keys: {
    endpoint: ["url", "uri", "href"],
    query: ["mutation", "document", "operation"],
    variables: ["params", "args", "arguments"],
    headers: ["http_headers", "request_headers"],
  },
};
