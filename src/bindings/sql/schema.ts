import type { JsonObject } from "../../core/json.js";
import type { OtherBindingWords } from "../../kit/binding.js";
import { connectionForEditors } from "../../kit/read-connection.js";

export const defaultMaxRows = 1000;

/** Schema of the keys of a SQL binding, beyond those of every binding. */
export const sqlSchema: JsonObject = {
  properties: {
    connection: {
      ...connectionForEditors,
      description: "The setting that holds the connection's URL: `${WAREHOUSE_URL}`.",
      type: "string",
    },
    query: {
      description: "One SQL statement. `:name` is a parameter.",
      type: "string",
      minLength: 1,
    },
    parameter_mapping: {
      description:
        'Maps a placeholder to a parameter of another name, `status: order_status`, or to a field of the caller, `tenant: "{caller.tenant}"`.',
      type: "object",
      additionalProperties: { type: "string" },
    },
    rows: {
      description:
        "Number of rows: `many` is any number, `one` exactly one, `optional` at most one.",
      enum: ["many", "one", "optional"],
      default: "many",
    },
    read_only: {
      description: "If `false`, the statement may change something.",
      type: "boolean",
      default: true,
    },
    all_rows: {
      description: "If `true`, the statement may change or remove every row of a table.",
      type: "boolean",
      default: false,
    },
    max_rows: {
      description: "Maximum number of rows. If there were more, the result has `truncated: true`.",
      type: "integer",
      minimum: 1,
      maximum: 100_000,
      default: defaultMaxRows,
    },
  },
  required: ["connection", "query"],
};

/**
 * Words that other database clients use for these keys and types, for suggestions in diagnostics.
 */
export const sqlOtherWords: OtherBindingWords = {
  keys: {
    query: ["sql", "statement"],
    connection: ["url", "uri", "host", "server", "servers"],
    read_only: ["effect", "read_only_hint", "side_effect", "side_effects"],
  },
  types: [{ words: ["postgres", "postgresql", "pg", "database", "db", "query"] }],
};
