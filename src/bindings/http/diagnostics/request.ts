import type { DiagnosticEntries, DiagnosticEntry } from "../../../core/diagnostic-entry.js";
import { exampleProject, type ExampleTool } from "./example.js";

const url = "url: https://api.example.com/orders/{order_id}";
const collection = "url: https://api.example.com/orders";

function entry(
  title: string,
  explanation: string,
  broken: readonly string[],
  fixed: readonly string[],
  tool: Omit<ExampleTool, "binding"> = {},
  severity: DiagnosticEntry["severity"] = "error",
): DiagnosticEntry {
  const project = (binding: readonly string[]) => exampleProject({ ...tool, binding });
  return {
    severity,
    title,
    explanation,
    example: project(broken),
    fixed: project(fixed),
  };
}

/** Diagnostics of the method, the headers, the body and the idempotency key. */
export const requestDiagnosticEntries: DiagnosticEntries = {
  "http/bad-method": entry(
    "an unsupported method",
    "Write the method as GET, POST, PUT, PATCH or DELETE, in capital letters. The method also tells skillc whether a call reads or changes data.",
    ["method: get", url],
    ["method: GET", url],
  ),
  "http/default-method": entry(
    "a binding without a method",
    "A binding without `method` sends a GET. skillc reports the default so that you notice a forgotten method. Keys that a GET can't have, such as a body, stay errors.",
    [url],
    ["method: GET", url],
    {},
    "info",
  ),
  "http/unlikely-read": entry(
    "a method that changes data, declared as a read",
    "HTTP defines PUT, PATCH and DELETE as methods that change data. `effect: read` says that a call changes nothing, so skillc sends the call even in shadow mode. skillc doesn't report a POST, because many services use POST for queries.",
    ["method: DELETE", url, "effect: read"],
    ["method: DELETE", url],
    {},
    "warning",
  ),
  "http/default-sent-by-patch": {
    severity: "warning",
    title: "a default that a PATCH sends",
    explanation:
      "If a caller leaves out a parameter with a `default`, skillc sends the default. A PATCH changes every field that it names, so the call would change a field that the caller didn't mention. A `default` in an API's document often says what the service assumes; put that value into `description` instead.",
    example: exampleProject({
      parameters: ["order_id: string", "hidden: { type: boolean, default: false }"],
      binding: ["method: PATCH", url],
    }),
    fixed: exampleProject({
      parameters: ["order_id: string", "hidden?: boolean"],
      binding: ["method: PATCH", url],
    }),
  },
  "http/map-beside-names": entry(
    "a map that may repeat a name of the request",
    "A map in the query, cookies or a form adds an entry for each of its names, and the caller chooses these names. Servers disagree on which of two entries with the same name counts, so a model could override a value that the binding fixes. The runtime rejects a call with such a name. If the schema excludes the name, the model knows the limit before it calls.",
    [
      "method: GET",
      collection,
      'query: { tenant: "{caller.tenant}", filter: { value: "{filter}", style: form } }',
    ],
    [
      "method: GET",
      collection,
      'query: { tenant: "{caller.tenant}", filter: { value: "{filter}", style: deepObject } }',
    ],
    { parameters: ["filter?: { type: object, additionalProperties: { type: string } }"] },
    "warning",
  ),
  "http/bad-header-name": entry(
    "an invalid header name",
    "A header name consists of letters, digits and a few signs such as `-`. It has no spaces and no colons (RFC 9110, section 5.6.2).",
    ["method: GET", url, 'headers: { "X Request": desk }'],
    ["method: GET", url, "headers: { X-Request: desk }"],
  ),
  "http/duplicate-header": entry(
    "a header that is set twice",
    "Header names ignore case, so `X-Desk` and `x-desk` are the same header. Servers disagree on which of two values counts. The header of `idempotency` counts too.",
    ["method: GET", url, "headers: { X-Desk: a, x-desk: b }"],
    ["method: GET", url, "headers: { X-Desk: a }"],
  ),
  "http/forbidden-header": entry(
    "a header that a binding may not set",
    "skillc takes `Host`, lengths and connection headers from the request itself. If a binding sets them, the request may break, or a server may read one request as two.",
    ["method: GET", url, "headers: { Host: internal.example.com }"],
    ["method: GET", url],
  ),
  "http/bad-header-value": entry(
    "text that a header can't hold",
    "A header value is one line of Latin-1 text. A line break in the value would start another header.",
    ["method: GET", url, 'headers: { X-Desk: "a\\nb" }'],
    ["method: GET", url, 'headers: { X-Desk: "a b" }'],
  ),
  "http/content-type": entry(
    "a content type that doesn't match the body",
    "skillc sends the body as JSON unless `body` chooses another form. With another content type, the server would read the body as something else.",
    ["method: POST", collection, "headers: { Content-Type: text/plain }"],
    ["method: POST", collection, "headers: { Content-Type: application/vnd.order+json }"],
  ),
  "http/unquoted-placeholder": entry(
    "a placeholder without quotes",
    'YAML reads `{order_id}` without quotes as a mapping with the key `order_id` and no value. The body would hold `null` there. In quotes, `"{order_id}"` is a placeholder.',
    ["method: POST", collection, "body_template: { id: {order_id} }"],
    ["method: POST", collection, 'body_template: { id: "{order_id}" }'],
  ),
  "http/credential-in-clear": entry(
    "a credential sent over plain HTTP",
    "Without TLS, everybody between caller and server can read the credential and use it. Plain HTTP is safe only on the same machine: `localhost` and loopback addresses. If the origin is a `${NAME}`, skillc can't check its scheme, because the scheme is known only during the call.",
    [
      "url: http://api.example.com/orders/{order_id}",
      "method: GET",
      "headers: { X-Key: '${API_KEY}' }",
    ],
    [
      "url: https://api.example.com/orders/{order_id}",
      "method: GET",
      "headers: { X-Key: '${API_KEY}' }",
    ],
    {},
    "warning",
  ),
  "http/literal-parameter": entry(
    "a parameter's name used as text",
    "skillc sends text without braces unchanged. In a header, or under a key with the same name, the name of a parameter is probably meant as a placeholder. In the URL, so are notations of other tools (`:order_id`, `<order_id>`), and the name of an id as a segment (`/orders/order_id`). If a POST, PUT or PATCH has no body of its own, the parameter then goes into the JSON body. `caller.tenant` without braces is text too.",
    ["method: PUT", url, "headers: { If-Match: revision }"],
    ["method: PUT", url, 'headers: { If-Match: "{revision}" }'],
    { parameters: ["order_id: string", "revision: string"] },
    "warning",
  ),
  "http/blank-in-name": entry(
    "a name that starts or ends with a space",
    "skillc sends names unchanged, including spaces. The server would look for the name without the space and find nothing.",
    ["method: GET", collection, 'query: { "id ": "{order_id}" }'],
    ["method: GET", collection, 'query: { id: "{order_id}" }'],
    {},
    "warning",
  ),
  "http/body-on-get": entry(
    "a body on a GET",
    "HTTP defines no meaning for the body of a GET. Servers and proxies drop the body or reject the request.",
    ["method: GET", collection, 'body_template: { order: "{order_id}" }'],
    ["method: GET", collection, 'query: { order: "{order_id}" }'],
  ),
  "http/bad-body": entry(
    "an invalid `body`",
    "`body` has exactly one of `json`, `form`, `multipart` and `raw`. Three more keys belong to one form each: `style` beside `form`, `fields` beside `multipart`, and `type` beside `raw`. `form` has fields by name, or one parameter that is an object; `fields` is such a parameter too. `body_template` is another spelling of `body: { json: … }`.",
    ["method: POST", collection, 'body: { order: "{order_id}" }'],
    ["method: POST", collection, 'body: { json: { order: "{order_id}" } }'],
  ),
  "http/bad-part": entry(
    "an invalid part of a multipart body",
    "A part is text, or one of `{ text: … }`, `{ json: … }` and `{ file: … }`, which may have a `type` beside it. `file` takes one parameter that is a file. Every part has a name without quotes and line breaks, because some receivers would end the name there.",
    ["method: POST", collection, 'body: { multipart: { scan: { text: "{order_id}", json: 1 } } }'],
    ["method: POST", collection, 'body: { multipart: { scan: "{order_id}" } }'],
  ),
  "http/bad-media-type": entry(
    "an invalid media type",
    "The `type` of a part or beside `raw` becomes the header `Content-Type`. A media type has a type and a subtype (RFC 9110, section 8.3.1): `application/pdf`, not `pdf`.",
    ["method: POST", collection, 'body: { raw: "{order_id}", type: text }'],
    ["method: POST", collection, 'body: { raw: "{order_id}", type: text/plain }'],
  ),
  "http/file-place": entry(
    "a file in the wrong place",
    "A file is sent as a part of a multipart body, under `file`, or as the whole `raw` body. A path, query, header, JSON value or text can't hold the bytes of a file.",
    ["method: POST", collection, 'body: { json: { scan: "{scan}" } }'],
    ["method: POST", collection, 'body: { multipart: { scan: { file: "{scan}" } } }'],
    { parameters: ["scan: { type: object, x-skillc-file: true }"] },
  ),
  "http/not-a-scalar": entry(
    "an object or array where only text fits",
    'The path, headers, and text around a placeholder hold text, numbers and booleans. A query also holds lists of them. An object can be written there in several ways, so you must choose one with `style`, or name a field of the object. You can also send the object in the body, where `"{name}"` alone keeps its JSON type.',
    ["method: POST", collection, 'body_template: { note: "lines: {lines}" }'],
    ["method: POST", collection, 'body_template: { lines: "{lines}" }'],
    { parameters: ["lines: { type: array, items: { type: string } }"] },
  ),
  "http/bad-path-entry": entry(
    "an entry of `path` that is not in the URL",
    "`path` says how a list or an object is written at a placeholder `{name}` in the path of `url`. The key of each entry is the name of such a placeholder, and the value is one parameter.",
    ["method: GET", collection, 'path: { ids: { value: "{order_id}", style: matrix } }'],
    ["method: GET", `${collection}/{ids}`, 'path: { ids: { value: "{order_id}", style: matrix } }'],
  ),
  "http/optional-in-list": entry(
    "an optional parameter as an item of a list",
    "skillc leaves an absent property out of the body. If an item of a list were absent, the items after it would move to other positions.",
    ["method: POST", collection, 'body_template: { tags: ["{order_id}", "{tag}"] }'],
    ["method: POST", collection, 'body_template: { tags: ["{order_id}"], extra: "{tag}" }'],
    { parameters: ["order_id: string", "tag?: string"] },
  ),
  "http/bad-idempotency-key": entry(
    "an idempotency key that doesn't tell calls apart",
    "The server treats two requests with the same key as one request. If the key contains no parameter, every call after the first counts as a repeat. If the key contains an optional parameter, the key may be missing.",
    ["method: POST", collection, "idempotency: { header: Idempotency-Key, key: order }"],
    ["method: POST", collection, 'idempotency: { header: Idempotency-Key, key: "{order_id}" }'],
  ),
};

const oauth2 = (keys: string) =>
  `auth: { oauth2: { grant: client_credentials, token_url: "\${TOKEN_URL}"${keys} } }`;

/** Diagnostics of `auth`. */
export const authDiagnosticEntries: DiagnosticEntries = {
  "http/auth-twice": entry(
    "two values for one header, query parameter or cookie",
    "`basic`, `bearer`, `oauth2` and `aws_sigv4` set the header `Authorization`. `api_key` sets the header, query parameter or cookie that it names. A second value would be lost, replace the credential, or make the request unreadable.",
    ["method: GET", url, "auth: { bearer: '${TOKEN}' }", "headers: { Authorization: '${KEY}' }"],
    ["method: GET", url, "auth: { bearer: '${TOKEN}' }"],
  ),
  "http/auth-lacks": entry(
    "a grant without a required key",
    "The grant `client_credentials` needs `client_id`, and `client_secret` or a `client_certificate` beside `oauth2`, because the client must prove who it is. The grant `refresh_token` needs `client_id` and `refresh_token`. The grant `jwt_bearer` needs `private_key`, and `issuer` or `client_id`. Without its keys, the runtime can't get a token.",
    ["method: GET", url, oauth2(", client_id: desk")],
    ["method: GET", url, oauth2(', client_id: desk, client_secret: "${CLIENT_SECRET}"')],
  ),
  "http/repeated-prefix": entry(
    "a credential with its scheme or name before it",
    "`bearer` and `basic` write the scheme of the header `Authorization`, and `api_key` and `headers` write the name of their entry. If the value begins with the same word, the service gets the word twice and rejects the credential. A bearer token has no spaces at all (RFC 6750, section 2.1).",
    ["method: GET", url, 'auth: { bearer: "Bearer ${TOKEN}" }'],
    ["method: GET", url, 'auth: { bearer: "${TOKEN}" }'],
  ),
  "http/parameter-in-auth": entry(
    "a parameter in `auth`",
    "A parameter comes from a caller, often a model, and a caller must not choose the credential. A credential is a setting. If each tenant has its own credential, give each tenant its own runtime.",
    ["method: GET", url, 'auth: { bearer: "{order_id}" }'],
    ["method: GET", url, 'auth: { bearer: "${TOKEN}" }'],
  ),
};

function valueEntry(
  severity: DiagnosticEntry["severity"],
  title: string,
  explanation: string,
  broken: string,
  fixed: string,
): DiagnosticEntry {
  const project = (schema: string) =>
    exampleProject({
      parameters: [`region: ${schema}`],
      binding: ["method: GET", "url: https://api.example.com/regions/{region}"],
    });
  return { severity, title, explanation, example: project(broken), fixed: project(fixed) };
}

const refused =
  "A path segment can't be empty, `.` or `..`, because these lead to another resource. A header holds one line of Latin-1 text. ";

/** Diagnostics of the values that a parameter's schema lists. */
export const valueDiagnosticEntries: DiagnosticEntries = {
  "http/unusable-default": valueEntry(
    "error",
    "a default that the request can't carry",
    `${refused}Every call that leaves the parameter out would fail with this default.`,
    '{ type: string, default: ".." }',
    "{ type: string, default: eu }",
  ),
  "http/unusable-value": valueEntry(
    "warning",
    "a listed value that the request can't carry",
    `${refused}The runtime rejects a call with this value, so don't offer the value.`,
    '{ type: string, enum: [eu, us, ""] }',
    "{ type: string, enum: [eu, us] }",
  ),
  "http/no-usable-value": valueEntry(
    "error",
    "a parameter whose every value is unusable",
    `${refused}The runtime rejects every value of this parameter, so no call could succeed.`,
    '{ type: string, enum: [".", ".."] }',
    "{ type: string, enum: [eu, us] }",
  ),
};
