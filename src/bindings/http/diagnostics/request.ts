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

/** What can be wrong with the method, the headers, the body and the idempotency key. */
export const requestDiagnosticEntries: DiagnosticEntries = {
  "http/bad-method": entry(
    "a method that is not sent",
    "The method is GET, POST, PUT, PATCH or DELETE, in capitals as it goes over the wire. It decides whether a call reads or writes.",
    ["method: get", url],
    ["method: GET", url],
  ),
  "http/default-method": entry(
    "a binding without a method",
    "A binding that names no method sends a GET. It is said so that one which was forgotten is seen; whatever a GET can't have stays an error.",
    [url],
    ["method: GET", url],
    {},
    "info",
  ),
  "http/unlikely-read": entry(
    "a read by a method that changes something",
    "By HTTP's definition PUT, PATCH and DELETE change what is behind the URL. `effect: read` says that a call changes nothing: it would be sent in shadow mode too. A POST that only asks " +
      "is common, and not warned about.",
    ["method: DELETE", url, "effect: read"],
    ["method: DELETE", url],
    {},
    "warning",
  ),
  "http/default-sent-by-patch": {
    severity: "warning",
    title: "a default that a PATCH sends",
    explanation:
      "A `default` is sent if a caller leaves the parameter out. A PATCH changes what its body names and nothing else, so such a call changes what the caller did not mention. A default of an API's " +
      "document says what the service assumes: it belongs into `description`.",
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
    "a map that may write a name which the request has elsewhere",
    "A map in a query, in cookies or in a form writes an entry for each of its names. Servers disagree on which of two entries of one name counts, so a model could overrule what the binding fixes. " +
      "A call with such a name is refused. A schema that says so tells the model before.",
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
    "not a header name",
    "A header name is a token: letters, digits and a few signs, without spaces or colons (RFC 9110, 5.6.2).",
    ["method: GET", url, 'headers: { "X Request": desk }'],
    ["method: GET", url, "headers: { X-Request: desk }"],
  ),
  "http/duplicate-header": entry(
    "a header given twice",
    "Case makes no difference in header names, and servers disagree on which of two values counts. The header of `idempotency` counts too.",
    ["method: GET", url, "headers: { X-Desk: a, x-desk: b }"],
    ["method: GET", url, "headers: { X-Desk: a }"],
  ),
  "http/forbidden-header": entry(
    "a header that a binding may not set",
    "Host, lengths and connection headers follow from the request. Set by hand they break it, or let one request be read as two.",
    ["method: GET", url, "headers: { Host: internal.example.com }"],
    ["method: GET", url],
  ),
  "http/bad-header-value": entry(
    "text that a header can't hold",
    "A header value is one line of Latin-1 text. A line end inside would start another header.",
    ["method: GET", url, 'headers: { X-Desk: "a\\nb" }'],
    ["method: GET", url, 'headers: { X-Desk: "a b" }'],
  ),
  "http/content-type": entry(
    "a content type that the body is not",
    "The body is sent as JSON unless `body` says otherwise. Another content type would make the server read it as something else.",
    ["method: POST", collection, "headers: { Content-Type: text/plain }"],
    ["method: POST", collection, "headers: { Content-Type: application/vnd.order+json }"],
  ),
  "http/unquoted-placeholder": entry(
    "a placeholder without quotes",
    "In YAML `{order_id}` is a mapping with the key `order_id` and no value; the body would hold `null` there. In quotes it is a placeholder.",
    ["method: POST", collection, "body_template: { id: {order_id} }"],
    ["method: POST", collection, 'body_template: { id: "{order_id}" }'],
  ),
  "http/credential-in-clear": entry(
    "a credential over plain HTTP",
    "Without TLS whoever is on the way reads the credential, and can use it. Only this machine itself is near enough: `localhost` and loopback addresses. The scheme of an origin that is a `${NAME}` is " +
      "known where the call is made.",
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
    "the name of a parameter where its value is meant",
    "Text without braces is sent as it stands. In a header, or under a key of the same name, the name of a parameter is hardly meant as text.",
    ["method: PUT", url, "headers: { If-Match: revision }"],
    ["method: PUT", url, 'headers: { If-Match: "{revision}" }'],
    { parameters: ["order_id: string", "revision: string"] },
    "warning",
  ),
  "http/blank-in-name": entry(
    "a name with a blank at its end",
    "Names are sent as they are, blanks included: nobody would find what stands under such a name.",
    ["method: GET", collection, 'query: { "id ": "{order_id}" }'],
    ["method: GET", collection, 'query: { id: "{order_id}" }'],
    {},
    "warning",
  ),
  "http/body-on-get": entry(
    "a body on GET",
    "A GET has no body by HTTP's definition: servers and proxies drop it, or refuse the request.",
    ["method: GET", collection, 'body_template: { order: "{order_id}" }'],
    ["method: GET", collection, 'query: { order: "{order_id}" }'],
  ),
  "http/bad-body": entry(
    "a body that is not said in one way",
    "`body` has one of `json`, `form`, `multipart` and `raw`, and the keys of that: `style` beside `form`, `type` beside `raw`. `body_template` is another spelling of `body: { json: … }`.",
    ["method: POST", collection, 'body: { order: "{order_id}" }'],
    ["method: POST", collection, 'body: { json: { order: "{order_id}" } }'],
  ),
  "http/bad-part": entry(
    "a part of a multipart body that is none",
    "A part has a name, and is text, or one of `{ text: … }`, `{ json: … }` and `{ file: … }`, with a `type` beside it. A name holds no quote and no line end: they would end it for receivers that don't decode what " +
      "browsers make of them. `file` takes one parameter that is a file.",
    ["method: POST", collection, 'body: { multipart: { scan: { text: "{order_id}", json: 1 } } }'],
    ["method: POST", collection, 'body: { multipart: { scan: "{order_id}" } }'],
  ),
  "http/file-place": entry(
    "a file where no file can stand",
    "A file is sent as a part of a multipart body, under `file`, or it is the whole of `raw`. In a path, a query, a header, JSON or text there is no room for its bytes.",
    ["method: POST", collection, 'body: { json: { scan: "{scan}" } }'],
    ["method: POST", collection, 'body: { multipart: { scan: { file: "{scan}" } } }'],
    { parameters: ["scan: { type: object, x-skillc-file: true }"] },
  ),
  "http/not-a-scalar": entry(
    "an object or array where only text fits",
    "The path, headers, and text around a placeholder hold text, numbers and booleans; a query holds lists of them too. An object has no one way to be written there: " +
      'say one with `style`, name a field of it, or send it in the body, where `"{name}"` alone keeps its JSON type.',
    ["method: POST", collection, 'body_template: { note: "lines: {lines}" }'],
    ["method: POST", collection, 'body_template: { lines: "{lines}" }'],
    { parameters: ["lines: { type: array, items: { type: string } }"] },
  ),
  "http/bad-path-entry": entry(
    "an entry of `path` that is nothing in the URL",
    "`path` says how a list or an object is written where `{name}` stands in the path of `url`: each entry has the name of such a place, and its value is one parameter.",
    ["method: GET", collection, 'path: { ids: { value: "{order_id}", style: matrix } }'],
    ["method: GET", `${collection}/{ids}`, 'path: { ids: { value: "{order_id}", style: matrix } }'],
  ),
  "http/optional-in-list": entry(
    "an optional parameter as an item of a list",
    "An absent property is left out of the body; an absent item of a list would move those after it to other places.",
    ["method: POST", collection, 'body_template: { tags: ["{order_id}", "{tag}"] }'],
    ["method: POST", collection, 'body_template: { tags: ["{order_id}"], extra: "{tag}" }'],
    { parameters: ["order_id: string", "tag?: string"] },
  ),
  "http/bad-idempotency-key": entry(
    "an idempotency key that does not tell calls apart",
    "The server takes two requests with one key for the same. A key without a parameter makes every call but the first a repeat; one with an optional parameter may be missing.",
    ["method: POST", collection, "idempotency: { header: Idempotency-Key, key: order }"],
    ["method: POST", collection, 'idempotency: { header: Idempotency-Key, key: "{order_id}" }'],
  ),
};

const oauth2 = (keys: string) =>
  `auth: { oauth2: { grant: client_credentials, token_url: "\${TOKEN_URL}"${keys} } }`;

/** What can be wrong with how a request proves who asks. */
export const authDiagnosticEntries: DiagnosticEntries = {
  "http/auth-twice": entry(
    "two that write one header, query parameter or cookie",
    "`basic`, `bearer`, `oauth2` and `aws_sigv4` write the header `Authorization`, and `api_key` what it names. A second value would be lost, or taken in place of the key, or make the request unreadable.",
    ["method: GET", url, "auth: { bearer: '${TOKEN}' }", "headers: { Authorization: '${KEY}' }"],
    ["method: GET", url, "auth: { bearer: '${TOKEN}' }"],
  ),
  "http/auth-lacks": entry(
    "a grant without what it takes",
    "A token is got with `client_id` by the grants `client_credentials` and `refresh_token`, which takes the `refresh_token` too, and with a `private_key` by `jwt_bearer`.",
    ["method: GET", url, oauth2("")],
    ["method: GET", url, oauth2(', client_id: desk, client_secret: "${CLIENT_SECRET}"')],
  ),
  "http/parameter-in-auth": entry(
    "a parameter in `auth`",
    "A parameter comes from a caller, often a model. What a request proves itself by is a setting: a runtime for each tenant has its own.",
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
  "A path segment is never empty, `.` or `..`, which lead to another resource; a header holds one line of Latin-1 text. ";

/** What can be wrong with the values that a parameter's schema names. */
export const valueDiagnosticEntries: DiagnosticEntries = {
  "http/unusable-default": valueEntry(
    "error",
    "a default that the request can't carry",
    `${refused}A default that can't stand there would fail every call that leaves the parameter out.`,
    '{ type: string, default: ".." }',
    "{ type: string, default: eu }",
  ),
  "http/unusable-value": valueEntry(
    "warning",
    "a listed value that the request can't carry",
    `${refused}A call with that value would be refused, so it need not be offered.`,
    '{ type: string, enum: [eu, us, ""] }',
    "{ type: string, enum: [eu, us] }",
  ),
  "http/no-usable-value": valueEntry(
    "error",
    "no listed value that the request can carry",
    `${refused}Every value that the parameter may have would be refused, so no call could succeed.`,
    '{ type: string, enum: [".", ".."] }',
    "{ type: string, enum: [eu, us] }",
  ),
};
