import type { JsonObject } from "../../core/json.js";

const name = "\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}";

/** The keys of skillc.yaml with which the command line opens the runs of plans. */
export const runSchemas = {
  runs: {
    type: "string",
    // A URL may contain a password, so it must not be written here.
    pattern: `^(?:${name}|[^$:]+)$`,
    description:
      "For the command line: where runs of plans are kept. A folder, or the `${NAME}` of a folder or of a URL `postgres://…`. By default `.skillc/runs`.",
  },
  key: {
    type: "string",
    pattern: `^${name}$`,
    description:
      "For the command line: the `${NAME}` of the key of the application's runs and governance, 32 bytes in base64. It encrypts runs of plans and requests for approval, and compares calls with masked parameters.",
  },
} as const satisfies JsonObject;
