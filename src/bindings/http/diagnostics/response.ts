import type { DiagnosticEntries, DiagnosticEntry } from "../../../core/diagnostic-entry.js";
import { exampleProject } from "./example.js";

const base = ["method: GET", "url: https://api.example.com/orders/{order_id}"];
const schema =
  "response_schema: { type: object, required: [data], properties: { data: { type: object, properties: { id: { type: string } } } } }";

function entry(
  title: string,
  explanation: string,
  broken: readonly string[],
  fixed: readonly string[],
  tool: readonly string[] = [],
  fixedTool = tool,
): DiagnosticEntry {
  const project = (lines: readonly string[], keys = tool) =>
    exampleProject({ tool: keys, binding: [...base, ...lines] });
  return {
    severity: "error",
    title,
    explanation,
    example: project(broken),
    fixed: project(fixed, fixedTool),
  };
}

const statuses = (codes: string) => [`response_mapping: { status_codes: { ${codes} } }`];

const states =
  "response_schema: { type: object, properties: { status: { enum: [running, ready, failed] } } }";
const cursors = [
  'query: { limit: "{limit}", after: "{after}" }',
  "response_schema: { type: object, properties: { rows: { type: array }, next: { type: string } } }",
];

/** Diagnostics of the keys that describe the answer. */
export const responseDiagnosticEntries: DiagnosticEntries = {
  "http/bad-json-path": entry(
    "a response path that is not JSONPath",
    "`path` and `error_path` are JSONPath queries (RFC 9535). They start with `$`, which stands for the whole body.",
    ["response_mapping: { path: data }"],
    ["response_mapping: { path: $.data }"],
  ),
  "http/unknown-response-field": entry(
    "a response path to an undeclared field",
    "skillc follows `path` through `response_schema`. It follows `error_path` through `error_schema`, or through `response_schema` if there is no `error_schema`. A path to a field that the schema doesn't declare would find nothing.",
    [schema, "response_mapping: { path: $.dta }"],
    [schema, "response_mapping: { path: $.data }"],
  ),
  "http/returns-mismatch": entry(
    "`returns` contradicts the response",
    "The tool returns the value that `path` finds, with the type that `response_schema` gives it. If no value can fit both `response_schema` and `returns` at some place, every call with a value there would fail. The two may differ in type, have no listed value in common, or one may require a property that the other forbids. If some values fit both, skillc reports the warning `http/returns-narrows` instead.",
    [schema, "response_mapping: { path: $.data }"],
    [schema, "response_mapping: { path: $.data.id }"],
    ["returns: { type: string }"],
  ),
  "http/returns-narrows": {
    ...entry(
      "`returns` allows only some values of the response",
      "At this place, `response_schema` allows a value that `returns` rejects; null and property names count too. A call that gets such a value fails with `SCHEMA.VALIDATION_FAILED`, after the request took effect. Let both schemas allow the same values. `returns` may still narrow a value that `response_schema` doesn't describe, and require a property that a response may lack.",
      [schema, "response_mapping: { path: $.data.id }"],
      [schema, "response_mapping: { path: $.data.id }"],
      ["returns: { type: string, format: uuid }"],
      ["returns: { type: string }"],
    ),
    severity: "warning",
  },
  "http/no-content": entry(
    "content expected from a status without content",
    "A response with status 204 or 205 has no content, and skillc reads it as null. If no other success is listed, a schema that needs content fails every call after the request took effect. A schema or a path beside such a status in `status_codes` promises callers a value that never comes. Status 1xx and 304 have no content either.",
    ['response_mapping: { status_codes: { "204": success } }'],
    ['response_mapping: { status_codes: { "200": success } }'],
    ["returns: { type: object }"],
  ),
  "http/bad-status-code": entry(
    "an invalid status code",
    "Keys of `status_codes` are codes of three digits from 100 to 599, ranges (`4XX`), and `default` for every other failure. If several keys match a status, the most specific key counts. An unlisted status is `success` if it is 2xx, and `error` otherwise.",
    statuses("40x: refused"),
    statuses("4XX: refused"),
  ),
  "http/bad-status-name": entry(
    "an invalid name for a status",
    'Callers compare the name of a status: `result.status === "not_found"`. A name has lower-case letters, digits and `_`. The name `shadow` is reserved for a call that was recorded instead of sent.',
    statuses('"404": Not-Found'),
    statuses('"404": not_found'),
  ),
  "http/misleading-status": entry(
    "`success` for a failure, or `error` for a success",
    "A result with status `success` has the field `data`, and a result with status `error` has the field `error`. If the code is of the other kind, give it a name of its own.",
    statuses('"404": success'),
    statuses('"404": not_found'),
  ),
  "http/ambiguous-status": entry(
    "one name for a success and a failure",
    "A result has the field `data` if its name stands for a 2xx status, and the field `error` otherwise. If one name stands for both, callers can't know which field the result has.",
    statuses('"202": pending, "409": pending'),
    statuses('"202": pending, "409": conflict'),
  ),
  "http/success-twice": entry(
    "two schemas or two paths for `success`",
    "`success` has one type, so it has one schema and one path. The schema is `response_schema`, or stands beside one of the success codes. If a success has another body, give its status a name of its own.",
    [
      schema,
      'response_mapping: { status_codes: { "202": { as: success, schema: { type: object } } } }',
    ],
    [
      schema,
      'response_mapping: { status_codes: { "202": { as: accepted, schema: { type: object } } } }',
    ],
  ),
  "http/bad-answer-header": entry(
    "an invalid response header in the result",
    "`response_mapping.headers` copies headers of a success into the result, for example `etag: ETag`. The key is the property of `headers` in the result, and the value is the name of the header. `Set-Cookie` is not allowed: it holds a credential, and results are shown to models and kept in the ledger.",
    ["response_mapping: { headers: { session: Set-Cookie } }"],
    ["response_mapping: { headers: { etag: ETag } }"],
  ),
  "http/bad-response": entry(
    "a `response` that doesn't fit the rest",
    "`response` says how skillc reads the body of a success: `json`, `text`, `bytes`, lines of JSON (`ndjson`) or server-sent events (`sse`). `type` is one or more content types, without parameters. `save` is for bytes, `max_item_bytes` for streams and `end` for events. Bytes have no schema, and pages and paths need JSON. With `idempotency: keyed` skillc keeps the response, so it can't be a stream, and bytes need `save`.",
    ["response: { as: text, save: true }"],
    ["response: { as: bytes, save: true }"],
  ),
  "http/bad-pagination": entry(
    "an incomplete `paginate`",
    "`paginate.next` says how skillc finds the next page. `link_header` needs no other key. `cursor` needs `at`, the place of the cursor in the body, and `parameter`, which sends the cursor. `page` and `offset` need `parameter`, and may have `limit`. `at` and `more` lead to one place in the body, `items` leads to a list in `data`, and only reads have pages. A cursor is text or a number, `more` is a boolean, and a parameter that gets a cursor, a page or an offset is text or a number.",
    ["paginate: { next: cursor, at: $.next }"],
    ['query: { cursor: "{cursor}" }', "paginate: { next: cursor, at: $.next, parameter: cursor }"],
    ["cursor?: string"],
  ),
  "http/bad-poll": entry(
    "an incomplete `poll`",
    "With `poll`, status 202 means that the service accepted the work. The address to ask later is in the header `location`, or in the body at `at`; name only one of them. `state` is one place in the body: `done` lists the states in which the body is the result, and `failed` lists the states that become an `error`. In any other state, skillc asks again, so the schema of the body must allow the states in `done`. `interval_ms` must be less than `timeout_ms`, or skillc never asks. With `poll`, 202 has no name in `status_codes`, and the response has no pages.",
    ["poll: { state: $.status }"],
    ["poll: { state: $.status, done: [succeeded], failed: [failed] }"],
  ),
  "http/unknown-state": {
    ...entry(
      "a state in `failed` that the schema does not list",
      "skillc asks again in every state that is neither in `done` nor in `failed`. If a state in `failed` is misspelt, skillc asks about failed work until the time is over, and the outcome of the call is unknown. The schema of the body lists states besides those in `done`, and this one is not among them. Correct the state, or add it to the schema.",
      ["poll: { state: $.status, done: [ready], failed: [broken] }", states],
      ["poll: { state: $.status, done: [ready], failed: [failed] }", states],
    ),
    severity: "warning",
  },
  "http/unlikely-cursor": {
    ...entry(
      "a cursor of text in a parameter that is a number",
      "skillc puts the cursor of each page into `parameter`. By the schema of the body, the cursor is text, but the parameter is a number. If a cursor is not a number, there is no second page. If each cursor consists of digits, give its schema a `pattern`.",
      [...cursors, "paginate: { next: cursor, at: $.next, parameter: limit, items: $.rows }"],
      [...cursors, "paginate: { next: cursor, at: $.next, parameter: after, items: $.rows }"],
      ["limit?: integer", "after?: string"],
    ),
    severity: "warning",
  },
  "http/unknown-page-parameter": entry(
    "`paginate` names an unknown parameter",
    "`paginate.parameter` and `paginate.limit` name parameters of the tool. The binding sends these parameters in `query` or `body`.",
    ['query: { page: "{page}" }', "paginate: { next: page, parameter: pgae }"],
    ['query: { page: "{page}" }', "paginate: { next: page, parameter: page }"],
    ["page?: integer"],
  ),
  "http/no-page-items": entry(
    "a page without a list of items",
    "`items` is the path to the list of items in `data`. Without `items`, `data` itself must be the list. By the schema, there is no list at that place.",
    ["paginate: { next: link_header }"],
    ["paginate: { next: link_header, items: $.orders }"],
    [
      "returns: { type: object, required: [orders], properties: { orders: { type: array, items: { type: string } } } }",
    ],
  ),
  "http/schema-of-error": entry(
    "a schema for `error`",
    "`error` stands for every failure without a name, and for every failure whose body doesn't fit the schema of its status. Its body can be anything, so it has no schema. Give a status with a schema a name of its own.",
    statuses("default: { as: error, schema: { type: object } }"),
    statuses("default: { as: failed, schema: { type: object } }"),
  ),
};
