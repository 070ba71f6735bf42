import type { JsonObject, OtherBindingWords } from "skillc/binding";

const text = { type: "string" } as const;
const scalar = { type: ["string", "number", "boolean", "null"] } as const;

/**
 * The keys of a GraphQL binding, beyond those that all bindings have. What a schema can't say is
 * said by `resolve` and `check`.
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

/** The words of GraphQL clients, and of HTTP bindings. */
export const graphqlOtherWords: OtherBindingWords = {
  keys: {
    endpoint: ["url", "uri", "href"],
    query: ["mutation", "document", "operation"],
    variables: ["params", "args", "arguments"],
    headers: ["http_headers", "request_headers"],
  },
};
