import type { JsonObject } from "../../core/json.js";
import type { McpSettings } from "../../core/project.js";
import { duration, patternOf } from "../../core/quantities.js";

/** Settings of the MCP server if skillc.yaml doesn't set them. */
export const usualMcp: McpSettings = { answerWithinMs: 50_000, maxResultChars: 100_000 };

/** Same limits as the runtime's for a caller. */
const name = { type: "string", minLength: 1, maxLength: 256 } as const;
const names = { type: "array", items: name, uniqueItems: true, maxItems: 1000 } as const;

/** A text as written, or `${NAME}` of a setting. */
const url = {
  type: "string",
  pattern: "^(?:https?://\\S+|\\$\\{[A-Za-z_][A-Za-z0-9_]*\\})$",
} as const;

const authSchema = {
  type: "object",
  description:
    "Who may call over HTTP: callers with an access token of one of the issuers (OAuth 2.1). URLs may be `${NAME}` of a setting.",
  additionalProperties: false,
  required: ["resource", "issuers"],
  properties: {
    resource: {
      ...url,
      description:
        "The server's public URL, such as `https://mcp.example.com/mcp`. Tokens must have it as their audience.",
    },
    issuers: {
      type: "array",
      minItems: 1,
      description:
        "Issuers whose tokens are accepted. If there are several, a caller's subject is its issuer, `|`, and the token's subject.",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["issuer"],
        properties: {
          issuer: { ...url, description: "The issuer's URL, equal to `iss` of its tokens." },
          jwks: {
            ...url,
            description: "URL of the issuer's keys. By default the issuer's metadata names it.",
          },
        },
      },
    },
    required_scopes: { ...names, description: "Scopes that every token needs." },
    claims: {
      type: "object",
      description:
        "Names of the claims that become the caller. By default `subject: sub`, `roles: roles`, `scopes: scope`, and no tenant. A claim inside another one has a dot: `realm_access.roles`.",
      additionalProperties: false,
      properties: {
        tenant: { ...name, description: "Claim of the tenant. Every token needs it then." },
        subject: { ...name, description: "Claim of the subject." },
        roles: { ...name, description: "Claim of the roles." },
        scopes: { ...name, description: "Claim of the scopes." },
      },
    },
    api_clients: {
      ...names,
      description:
        "Ids of OAuth clients that are programs without a model. The origin of their calls is `api`.",
    },
  },
} as const;

/** The key of skillc.yaml for the MCP server. */
export const mcpKeySchema = {
  type: ["object", "null"],
  description:
    "The MCP server, `skillc mcp`. With this key, `skillc generate` also writes `mcp.json`, the server's data.",
  additionalProperties: false,
  properties: {
    app: {
      type: "string",
      description:
        "The application's module, which exports `runtime`, and perhaps `results`, the store of long results: a path below this file that starts with `./`, or a package's name.",
    },
    caller: {
      type: "object",
      description:
        "The caller of every call over stdio. By default, the subject is the user of the operating system.",
      additionalProperties: false,
      properties: {
        tenant: { ...name, description: "Customer, organization or account." },
        subject: { ...name, description: "Person or service that makes the calls." },
        roles: { ...names, description: "Roles of the caller." },
        scopes: { ...names, description: "Scopes of the caller." },
      },
    },
    auth: authSchema,
    answer_within: {
      anyOf: [
        { type: "integer", minimum: 1 },
        { type: "string", pattern: patternOf(duration) },
      ],
      description:
        "Time after which a call that goes on is answered with `skillc:running`: `50s`, or milliseconds.",
      default: "50s",
    },
    max_result_chars: {
      type: "integer",
      minimum: 1000,
      maximum: 10_000_000,
      description:
        "Maximum length of a result, in characters of JSON. A client gets the beginning of a longer one, and a link.",
      default: usualMcp.maxResultChars,
    },
  },
} as const satisfies JsonObject;
