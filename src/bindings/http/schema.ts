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
  description: "If `true`, each item or field is written separately.",
} as const;
const allowReserved = {
  type: "boolean",
  description: "If `true`, characters with a meaning in URLs are not percent-encoded.",
  default: false,
} as const;

const allowDotSegments = {
  type: "boolean",
  description:
    "If `true`, a value may have the segments `.` and `..`, which lead to another path, and empty segments.",
  default: false,
} as const;

/** Schema of a part of a multipart body: one of `text`, `json` and `file`. */
const part = {
  type: "object",
  additionalProperties: false,
  properties: {
    text: { ...scalar, description: "A part of text." },
    json: { description: "The value to send as JSON." },
    file: { ...text, description: "One `{parameter}`: a file or a list of files." },
    type: {
      ...text,
      description: "Media type of the part. It takes precedence over the file's own.",
    },
  },
  ...forEditors({ oneOf: ["text", "json", "file"].map((key) => ({ required: [key] })) }),
} as const;

/** Schema of a value with the style for lists and objects. */
function styledValue(styles: readonly Style[], further: JsonObject = {}) {
  const style = { enum: styles, description: "Style of a list or an object." };
  return {
    type: "object",
    required: ["value"],
    additionalProperties: false,
    properties: {
      value: { ...scalar, description: "One `{parameter}`, or text." },
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
      description: "GET, POST, PUT, PATCH or DELETE.",
      default: "GET",
    },
    url: {
      ...text,
      description:
        "A literal origin or one `${NAME}`, then a path, which may contain `{param}` and `{caller.tenant}`.",
    },
    query: {
      type: "object",
      description:
        "Query parameters of the request. An absent or null value leaves its entry out; a list repeats the key.",
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
      description:
        "Styles of the URL's path parameters. Each key is the name of a `{placeholder}` in the path.",
      additionalProperties: styledValue(pathStyles, {
        allow_reserved: allowReserved,
        allow_dot_segments: allowDotSegments,
      }),
    },
    cookies: {
      type: "object",
      description: "Cookies of the request, by name. Values are as in `query`.",
      additionalProperties: { anyOf: [scalar, styledValue(["form"])] },
    },
    headers: {
      type: "object",
      description:
        "Headers of the request, by name. A value may contain `{param}`, `{caller.tenant}` and `${NAME}`.",
      additionalProperties: { anyOf: [scalar, styledValue(["simple"])] },
    },
    body: {
      // `resolve` reports any text but `none`.
      type: ["object", "string"],
      description:
        "Body of the request, in one of the forms `json`, `form`, `multipart` and `raw`; or `none`.",
      ...forEditors({
        additionalProperties: false,
        allOf: [
          when(
            { type: "object" },
            { oneOf: ["json", "form", "multipart", "raw"].map((key) => ({ required: [key] })) },
          ),
          when({ type: "string" }, { const: "none" }),
        ],
      }),
      properties: {
        json: { description: "The value to send as JSON." },
        form: {
          // `resolve` reports any text but one parameter.
          type: ["object", "string"],
          description:
            "Fields of an `application/x-www-form-urlencoded` body, by name; or one `{parameter}` that is an object of fields.",
        },
        style: {
          enum: formStyles,
          description:
            "For `form`: how lists and objects are written. `brackets` writes `items[0][price]`; `repeat` repeats the name for each item of a list.",
          default: "brackets",
        },
        multipart: {
          type: "object",
          description:
            "Parts of a `multipart/form-data` body, by name. Each is text, `json` or a `file`.",
          additionalProperties: { anyOf: [scalar, part] },
        },
        fields: {
          ...text,
          description:
            "For `multipart`: one `{parameter}` that is an object. Its properties are further parts.",
        },
        raw: {
          ...scalar,
          description: "The whole body, unchanged: text, or one `{parameter}` that is a file.",
        },
        type: {
          ...text,
          description:
            "For `raw`: the content type. By default the file's own, or `text/plain; charset=utf-8`.",
        },
      },
    },
    body_template: {
      description:
        "Short for `body: { json: … }`. By default, POST, PUT and PATCH send the parameters that nothing else uses.",
    },
    auth: authSchema,
    idempotency: {
      type: "object",
      description: "A header by which the server recognizes a repeated write.",
      required: ["header"],
      additionalProperties: false,
      properties: {
        header: { ...text, description: "Name of the header: `Idempotency-Key`." },
        key: {
          ...text,
          description:
            "Value of the header: `{order_id}`. By default a random value for each call.",
        },
      },
    },
    max_response_bytes: byteLimitSchema(
      "Maximum size of a response body, in bytes.",
      usualResponseBytes,
    ),
    paginate: {
      description: "How the runtime finds and requests the next page of a result.",
      type: "object",
      required: ["next"],
      additionalProperties: false,
      properties: {
        next: {
          enum: paginations,
          description:
            "How to find the next page. `link_header` reads the page's `Link` header, `cursor` reads a cursor from the body, `page` counts pages, `offset` counts items.",
        },
        at: { ...text, description: "JSONPath (RFC 9535) to the cursor in the body." },
        parameter: { ...text, description: "The tool's parameter that selects the page." },
        limit: {
          ...text,
          description: "The tool's parameter that sets the number of items on a page.",
        },
        more: {
          ...text,
          description:
            "JSONPath (RFC 9535) to a flag in the body. The flag is `true` on every page but the last.",
        },
        items: {
          ...text,
          description:
            "JSONPath (RFC 9535) to the list of items in `data`. By default `data` is the list.",
        },
      },
    },
    response: {
      description:
        "Form of a successful response's body: `json`, `text`, `bytes`, one of these by the content type (`any`), lines of JSON (`ndjson`) or server-sent events (`sse`). A mapping sets more options.",
      anyOf: [
        { enum: answerForms },
        {
          type: "object",
          required: ["as"],
          additionalProperties: false,
          properties: {
            as: { enum: answerForms, description: "Form of the body." },
            type: {
              description: "Accepted content types: `application/pdf`, `image/*`.",
              anyOf: [text, { type: "array", minItems: 1, items: text }],
            },
            save: {
              type: "boolean",
              description:
                "For `bytes`: if `true`, the runtime saves the body as a file in its `downloads` folder.",
              default: false,
            },
            max_item_bytes: byteLimitSchema(
              "For `ndjson` and `sse`: maximum size of a line or an event, in bytes.",
              usualItemBytes,
            ),
            end: {
              ...text,
              description: "For `sse`: data of the event that ends the stream, such as `[DONE]`.",
            },
          },
        },
      ],
    },
    poll: {
      description:
        "For a service that answers 202 and does the work later: the runtime polls an address until the work is done.",
      type: "object",
      additionalProperties: false,
      properties: {
        location: {
          ...text,
          description: "The header of the 202 response that has the address to poll.",
          default: "Location",
        },
        at: {
          ...text,
          description:
            "JSONPath (RFC 9535) to the address to poll, in the body of the 202 response.",
        },
        state: {
          ...text,
          description:
            "JSONPath (RFC 9535) to the state of the work, in the body of a poll's response. Without `state`, every response but a 202 is the result.",
        },
        done: {
          type: "array",
          minItems: 1,
          items: scalar,
          description: "States in which the body is the result.",
        },
        failed: {
          type: "array",
          minItems: 1,
          items: scalar,
          description: "States in which the body is an `error`.",
        },
        interval_ms: {
          type: "integer",
          minimum: 100,
          maximum: 600_000,
          default: 1000,
          description: "Time between two polls, in milliseconds. The service may ask for more.",
        },
        timeout_ms: {
          type: "integer",
          minimum: 1,
          maximum: 86_400_000,
          default: 60_000,
          description: "Time limit of all polls together, in milliseconds.",
        },
        max_polls: {
          type: "integer",
          minimum: 1,
          maximum: 10_000,
          default: 100,
          description: "Maximum number of polls.",
        },
      },
    },
    response_schema: {
      ...holdsJsonSchema,
      type: ["object", "boolean"],
      description:
        "JSON Schema of a successful response's body. For a stream: of each line, or of each event's data.",
    },
    error_schema: {
      ...holdsJsonSchema,
      type: ["object", "boolean"],
      description: "JSON Schema of the body of any other response.",
    },
    response_mapping: {
      description: "How the response becomes the tool's result.",
      type: "object",
      additionalProperties: false,
      properties: {
        path: { ...text, description: "JSONPath (RFC 9535) to `data` in the body." },
        error_path: { ...text, description: "JSONPath (RFC 9535) to `error` in the body." },
        headers: {
          description:
            "Response headers to return in `headers` beside `data`: `etag: ETag`. A header that the response lacks is null.",
          type: "object",
          ...forEditors({ propertyNames: { pattern: answerHeaderName.source } }),
          additionalProperties: text,
        },
        status_codes: {
          description:
            'Names of statuses: `"404": not_found`, or with a body `"404": { as: not_found, schema: … }`. `4XX` is a range, `default` every other failure.',
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
                    description: "Status of the result.",
                  },
                  schema: {
                    ...holdsJsonSchema,
                    type: ["object", "boolean"],
                    description: "JSON Schema of the body.",
                  },
                  path: {
                    ...text,
                    description:
                      "JSONPath (RFC 9535) to the value that the result has, in the body.",
                  },
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
