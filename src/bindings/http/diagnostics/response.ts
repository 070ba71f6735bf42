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

/** What can be wrong with what a binding says of the answer. */
export const responseDiagnosticEntries: DiagnosticEntries = {
  "http/bad-json-path": entry(
    "a response path that is not JSONPath",
    "`path` and `error_path` are RFC 9535 queries. They start with `$`, the whole body.",
    ["response_mapping: { path: data }"],
    ["response_mapping: { path: $.data }"],
  ),
  "http/unknown-response-field": entry(
    "a response path that the schema doesn't have",
    "`path` is followed through `response_schema`, `error_path` through `error_schema` (through `response_schema` where that is absent). A field that is not declared there would be found in no answer.",
    [schema, "response_mapping: { path: $.dta }"],
    [schema, "response_mapping: { path: $.data }"],
  ),
  "http/returns-mismatch": entry(
    "`returns` and the response can't both be right",
    "What `path` finds by `response_schema` is what the tool returns. Where no value can fit both schemas, at the root or anywhere below it, every call that finds one there would fail: another type, no listed value in common, a property that one requires and the other can't have. Where some values fit, that is the warning `http/returns-narrows`.",
    [schema, "response_mapping: { path: $.data }"],
    [schema, "response_mapping: { path: $.data.id }"],
    ["returns: { type: string }"],
  ),
  "http/returns-narrows": {
    ...entry(
      "`returns` allows only some of the values that the response may have",
      "`response_schema` allows a value at this place that `returns` does not, null and names of properties included: a call that meets it fails with `SCHEMA.VALIDATION_FAILED`, after it did its work. Let both schemas say the same. What `response_schema` doesn't describe `returns` may narrow; so it may what a response can lack.",
      [schema, "response_mapping: { path: $.data.id }"],
      [schema, "response_mapping: { path: $.data.id }"],
      ["returns: { type: string, format: uuid }"],
      ["returns: { type: string }"],
    ),
    severity: "warning",
  },
  "http/no-content": entry(
    "content is asked of an answer that has none",
    "An answer of 204 or 205 has no content and is read as null. Where no other success is listed, a schema that asks for more would fail every call, after it did its work. A schema or a path beside such a status in `status_codes` would promise callers a value that never comes; 1xx and 304 have no content either.",
    ['response_mapping: { status_codes: { "204": success } }'],
    ['response_mapping: { status_codes: { "200": success } }'],
    ["returns: { type: object }"],
  ),
  "http/bad-status-code": entry(
    "not a status code",
    "Keys of `status_codes` are codes of three digits, 100 to 599, ranges of them (`4XX`), and `default`, which is every other failure. Of a status the nearest counts. Codes that are not listed are `success` when 2xx, else `error`.",
    statuses("40x: refused"),
    statuses("4XX: refused"),
  ),
  "http/bad-status-name": entry(
    "not a name for a status",
    'A status is told apart by callers: `result.status === "not_found"`. Names are lower-case letters, digits and `_`. `shadow` is taken: it marks a call that was recorded instead of sent.',
    statuses('"404": Not-Found'),
    statuses('"404": not_found'),
  ),
  "http/misleading-status": entry(
    "`success` for a failure or `error` for a success",
    "`success` carries `data` and `error` carries `error`. A code of the other kind needs a name of its own.",
    statuses('"404": success'),
    statuses('"404": not_found'),
  ),
  "http/ambiguous-status": entry(
    "one name for a success and a failure",
    "A name given to a 2xx carries `data`, any other carries `error`. With one name for both, callers could not know what they hold.",
    statuses('"202": pending, "409": pending'),
    statuses('"202": pending, "409": conflict'),
  ),
  "http/success-twice": entry(
    "`success` has two schemas, or two paths",
    "`success` is one type. Its schema is `response_schema`, or stands with one of its codes; its path likewise. A success with a body of another form has a name of its own.",
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
    "a header of the answer that a result can't have",
    "`response_mapping.headers` names headers of a success: `etag: ETag`. What stands before the colon is a property of `headers` in the result; the header's own name stands behind it. `Set-Cookie` is none of them: it proves who asks, and results are shown to models and kept in the ledger.",
    ["response_mapping: { headers: { session: Set-Cookie } }"],
    ["response_mapping: { headers: { etag: ETag } }"],
  ),
  "http/bad-response": entry(
    "an answer that can't be read so",
    "`response` says what the body of a success is: `json`, `text`, `bytes`, lines of JSON (`ndjson`) or server-sent events (`sse`). `type` is one content type or several, without parameters. `save` is for bytes, `max_item_bytes` for streams, `end` for events. Bytes have no schema, and pages and paths lead into JSON. Of a call with `idempotency: keyed` the answer is kept, so it is none of a stream, and no bytes that aren't saved.",
    ["response: { as: text, save: true }"],
    ["response: { as: bytes, save: true }"],
  ),
  "http/bad-pagination": entry(
    "pages that can't be found, or asked for",
    "`paginate.next` says how the next page is found. `link_header` needs no more; `cursor` needs `at`, where in the body the cursor is, and `parameter`, which it is sent as; `page` and `offset` need `parameter`, and may have `limit`. `at` and `more` lead to one place of the body, `items` to a list in `data`. Only reads have pages.",
    ["paginate: { next: cursor, at: $.next }"],
    ['query: { cursor: "{cursor}" }', "paginate: { next: cursor, at: $.next, parameter: cursor }"],
    ["cursor?: string"],
  ),
  "http/bad-poll": entry(
    "work that can't be followed",
    "With `poll` an answer of 202 means that the work was accepted. The address where it can be asked for is in the header `location`, or in the body at `at`, never both. With `state`, which is one place of the body, `done` lists the states with which the body is the answer, and `failed` those with which it is an `error`; what is in neither goes on. 202 then has no name in `status_codes`, and the answer no pages.",
    ["poll: { state: $.status }"],
    ["poll: { state: $.status, done: [succeeded], failed: [failed] }"],
  ),
  "http/unknown-page-parameter": entry(
    "pages are asked for by a parameter that there isn't",
    "`paginate.parameter` and `paginate.limit` are names of the tool's own parameters, which `query`, or `body`, sends.",
    ['query: { page: "{page}" }', "paginate: { next: page, parameter: pgae }"],
    ['query: { page: "{page}" }', "paginate: { next: page, parameter: page }"],
    ["page?: integer"],
  ),
  "http/no-page-items": entry(
    "a page without a list of items",
    "`items` is where in `data` a page's items are, and `data` itself when nothing is said. By the schema there is something else.",
    ["paginate: { next: link_header }"],
    ["paginate: { next: link_header, items: $.orders }"],
    [
      "returns: { type: object, required: [orders], properties: { orders: { type: array, items: { type: string } } } }",
    ],
  ),
  "http/schema-of-error": entry(
    "a schema for `error`",
    "`error` is every failure that has no name, and each whose body doesn't fit the schema of its status: nothing is known of its body. A status with a schema has a name of its own.",
    statuses("default: { as: error, schema: { type: object } }"),
    statuses("default: { as: failed, schema: { type: object } }"),
  ),
};
