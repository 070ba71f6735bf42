import { type Style, usualItemBytes, usualResponseBytes } from "@skillc/runtime/internal/http";
import type { JsonObject } from "../../core/json.js";
import { forEditors, holdsJsonSchema, when } from "../../schema/editor-marks.js";
import type { OtherBindingWords } from "../../kit/binding.js";
import { authSchema } from "./auth-schema.js";
import { byteLimitSchema } from "../../kit/byte-limit.js";
import { statusNameSchema } from "../../kit/status-names.js";
import { answerForms, formStyles, httpMethods, paginations } from "./model.js";
import { pathStyles, queryStyles } from "./resolve/styles.js";
import { answerHeaderName } from "./resolve/answer-headers.js";
import { statusKey } from "./resolve/statuses.js";

const text = { type: "string" } as const;
const scalar = { type: ["string", "number", "boolean"] } as const;

const explode = {
  type: "boolean",
  description: "Whether each item, or field, stands by itself",
} as const;
const allowReserved = {
  type: "boolean",
  description: "Whether characters that mean something in URLs stay as they are",
  default: false,
} as const;

const allowDotSegments = {
  type: "boolean",
  description:
    "Whether a value may have the parts `.` and `..`, which lead out of its place in the path, and empty ones",
  default: false,
} as const;

/** Schema of a part of a multipart body: one of `text`, `json` and `file`. */
const part = {
  type: "object",
  additionalProperties: false,
  properties: {
    text: { ...scalar, description: "Text" },
    json: { description: "JSON" },
    file: { ...text, description: "One `{parameter}` that is a file, or a list of files" },
    type: { ...text, description: "The part's media type: of a file, it comes before its own" },
  },
  ...forEditors({ oneOf: ["text", "json", "file"].map((key) => ({ required: [key] })) }),
} as const;

/** Schema of a value with the style for lists and objects. */
function styledValue(styles: readonly Style[], further: JsonObject = {}) {
  const style = { enum: styles, description: "How a list or an object is written" };
  return {
    type: "object",
    required: ["value"],
    additionalProperties: false,
    properties: {
      value: { ...scalar, description: "One `{parameter}`, or text" },
      style,
      explode,
      ...further,
    },
  } as const;
}

/**
 * Schema of the keys of an HTTP binding, beyond those of every binding. `resolve` and `check`
 * handle rules that a schema can't express.
 */
export const httpSchema = {
  type: "object",
  required: ["url"],
  // Also applies without a method, which means GET.
  ...forEditors(
    when(
      { properties: { method: { const: "GET" } } },
      { properties: { body: false, body_template: false } },
    ),
  ),
  properties: {
    method: {
      ...text,
      ...forEditors({ enum: httpMethods }),
      description: "GET, POST, PUT, PATCH or DELETE",
      default: "GET",
    },
    url: {
      ...text,
      description:
        "Literal origin or `${NAME}`, then path segments with `{param}` or `{caller.tenant}`",
    },
    query: {
      type: "object",
      description: "Absent and null values drop their entry; arrays repeat the key",
      additionalProperties: {
        anyOf: [
          scalar,
          { type: "array", items: scalar },
          styledValue(queryStyles, { allow_reserved: allowReserved }),
        ],
      },
    },
    path: {
      type: "object",
      description: "Parameters of the URL's path that have a style, by what stands in its braces",
      additionalProperties: styledValue(pathStyles, {
        allow_reserved: allowReserved,
        allow_dot_segments: allowDotSegments,
      }),
    },
    cookies: {
      type: "object",
      description: "Cookies of the request; a name and its value, as in `query`",
      additionalProperties: { anyOf: [scalar, styledValue(["form"])] },
    },
    headers: {
      type: "object",
      description:
        "Headers of the request; a name and its value, which may hold `{param}`, `{caller.tenant}` and `${NAME}`",
      additionalProperties: { anyOf: [scalar, styledValue(["simple"])] },
    },
    body: {
      type: "object",
      description: "What to send, and how: one of `json`, `form`, `multipart` and `raw`",
      ...forEditors({
        additionalProperties: false,
        oneOf: ["json", "form", "multipart", "raw"].map((key) => ({ required: [key] })),
      }),
      properties: {
        json: { description: "JSON" },
        form: {
          type: "object",
          description: "Fields of `application/x-www-form-urlencoded`",
        },
        style: {
          enum: formStyles,
          description:
            "Of a form: `brackets` (`items[0][price]`), or `repeat`, where lists repeat their name",
          default: "brackets",
        },
        multipart: {
          type: "object",
          description: "Parts of `multipart/form-data`: a name, and text, `json` or a `file`",
          additionalProperties: { anyOf: [scalar, part] },
        },
        raw: { ...scalar, description: "Text as it is, or a file" },
        type: {
          ...text,
          description:
            "Of `raw`: its content type. Otherwise that of the file, or `text/plain; charset=utf-8`",
        },
      },
    },
    body_template: {
      description:
        "The same as `body: { json: … }`; default for POST, PUT and PATCH: the parameters that nothing else uses",
    },
    auth: authSchema,
    idempotency: {
      type: "object",
      description:
        "Header that lets the server recognize a repeated write; without `key`, a random one per call",
      required: ["header"],
      additionalProperties: false,
      properties: {
        header: { ...text, description: "The header's name: `Idempotency-Key`" },
        key: { ...text, description: "Its value: `{order_id}`" },
      },
    },
    max_response_bytes: byteLimitSchema("The longest body that is read", usualResponseBytes),
    paginate: {
      description: "How the next page of an answer is found, and asked for",
      type: "object",
      required: ["next"],
      additionalProperties: false,
      properties: {
        next: {
          enum: paginations,
          description:
            "`link_header`: by the page's `Link` header; `cursor`: by what stands in its body; `page`, `offset`: by counting pages, or items, on",
        },
        at: { ...text, description: "RFC 9535 query for the cursor in the body" },
        parameter: { ...text, description: "The parameter that says which page is meant" },
        limit: { ...text, description: "The parameter that says how many items a page has" },
        more: {
          ...text,
          description: "RFC 9535 query for what is `true` in the body of every page but the last",
        },
        items: {
          ...text,
          description:
            "RFC 9535 query for the list of items in `data`; `data` itself when not given",
        },
      },
    },
    response: {
      description:
        "What the body of a success is: `json`, `text`, `bytes`, lines of JSON (`ndjson`) or server-sent events (`sse`), or a mapping that says more of it",
      anyOf: [
        { enum: answerForms },
        {
          type: "object",
          required: ["as"],
          additionalProperties: false,
          properties: {
            as: { enum: answerForms, description: "What the body is" },
            type: {
              description:
                "The content type that an answer must have, or a list of them: `application/pdf`, `image/*`",
              anyOf: [text, { type: "array", minItems: 1, items: text }],
            },
            save: {
              type: "boolean",
              description:
                "Of `bytes`: whether they go into a file, below the folder that the runtime has for downloads",
              default: false,
            },
            max_item_bytes: byteLimitSchema(
              "Of `ndjson` and `sse`: the longest line, or event",
              usualItemBytes,
            ),
            end: {
              ...text,
              description: "Of `sse`: the data of the event that ends the stream, as `[DONE]` does",
            },
          },
        },
      ],
    },
    poll: {
      description:
        "202 means that the work was accepted: where it can be asked for is asked until it is done",
      type: "object",
      additionalProperties: false,
      properties: {
        location: {
          ...text,
          description: "The header of the 202 with the address",
          default: "Location",
        },
        at: { ...text, description: "RFC 9535 query for the address in the body of the 202" },
        state: {
          ...text,
          description:
            "RFC 9535 query for how far the work is, in the body of what is asked; without it anything but 202 is the answer",
        },
        done: {
          type: "array",
          minItems: 1,
          items: scalar,
          description: "Values of `state` with which the body is the answer",
        },
        failed: {
          type: "array",
          minItems: 1,
          items: scalar,
          description: "Values of `state` with which it is an `error`",
        },
        interval_ms: {
          type: "integer",
          minimum: 100,
          maximum: 600_000,
          default: 1000,
          description: "Between two polls, where the answer doesn't ask for more",
        },
        timeout_ms: {
          type: "integer",
          minimum: 1,
          maximum: 86_400_000,
          default: 60_000,
          description: "For all polls",
        },
        max_polls: {
          type: "integer",
          minimum: 1,
          maximum: 10_000,
          default: 100,
          description: "Most of them",
        },
      },
    },
    response_schema: {
      ...holdsJsonSchema,
      type: ["object", "boolean"],
      description:
        "JSON Schema of a success's body; of a stream, of each line, or each event's data",
    },
    error_schema: {
      ...holdsJsonSchema,
      type: ["object", "boolean"],
      description: "JSON Schema of any other body",
    },
    response_mapping: {
      description: "What of the answer becomes the result",
      type: "object",
      additionalProperties: false,
      properties: {
        path: { ...text, description: "RFC 9535 query for `data`" },
        error_path: { ...text, description: "RFC 9535 query for `error`" },
        headers: {
          description:
            "Headers of a success, which stand in `headers` beside `data`: `etag: ETag`; null where the answer has none",
          type: "object",
          ...forEditors({ propertyNames: { pattern: answerHeaderName.source } }),
          additionalProperties: text,
        },
        status_codes: {
          description:
            'What a status means: `"404": not_found`, or with its body `"404": { as: not_found, schema: … }`; `4XX` is a range, `default` every other failure',
          type: "object",
          ...forEditors({ propertyNames: { pattern: statusKey.source } }),
          additionalProperties: {
            anyOf: [
              statusNameSchema,
              {
                type: "object",
                required: ["as"],
                additionalProperties: false,
                properties: {
                  as: {
                    ...statusNameSchema,
                    description: "What results with this status are called",
                  },
                  schema: {
                    ...holdsJsonSchema,
                    type: ["object", "boolean"],
                    description: "JSON Schema of the body",
                  },
                  path: { ...text, description: "RFC 9535 query for what the result carries" },
                },
              },
            ],
          },
        },
      },
    },
  },
} as const satisfies JsonObject;

/** Words that OpenAPI and HTTP clients use for these keys, for suggestions in diagnostics. */
export const httpOtherWords: OtherBindingWords = {
  keys: {
    body_template: ["json", "data", "payload", "json_body", "request_body"],
    query: ["params", "query_params", "query_parameters", "search_params"],
    path: ["path_params", "path_parameters"],
    cookies: ["cookie"],
    url: ["uri", "endpoint", "href"],
    headers: ["http_headers", "request_headers"],
    method: ["verb", "http_method"],
    auth: ["authentication", "authorization", "security"],
    paginate: ["pagination", "paging", "pages"],
    response: ["response_type", "response_format", "accept", "produces"],
    "response_mapping.path": ["response_path", "data_path", "result_path"],
    "response_mapping.error_path": ["error_path"],
    "response_mapping.headers": ["response_headers"],
    "response_mapping.status_codes": ["status_codes", "statuses"],
  },
  types: [{ words: ["rest", "https", "api", "request", "fetch", "webhook", "url"] }],
};
