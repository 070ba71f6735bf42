import type {
  DiagnosticEntries,
  DiagnosticEntry,
  ProjectFiles,
} from "../../../core/diagnostic-entry.js";
import { exampleProject } from "./example.js";

const good = "https://api.example.com/orders/{order_id}";

function entry(title: string, explanation: string, broken: string, fixed = good): DiagnosticEntry {
  return {
    severity: "error",
    title,
    explanation,
    example: withUrl(broken),
    fixed: withUrl(fixed),
  };
}

function withUrl(url: string): ProjectFiles {
  return exampleProject({ binding: ["method: GET", `url: ${url}`] });
}

/** Diagnostics of `url`. */
export const urlDiagnosticEntries: DiagnosticEntries = {
  "http/bad-origin": entry(
    "a URL without a valid origin",
    "Scheme, host and port decide which server gets the request and its credentials. Write them as literal text with `http` or `https`, in the usual form: the host that you read is then the host that is called. Or write one `${NAME}` for all three. After the origin comes `/`, `?` or the end of the URL.",
    "api.example.com/orders/{order_id}",
  ),
  "http/parameter-in-origin": entry(
    "a parameter in the origin",
    "A parameter comes from a caller, often a model. With a parameter in the origin, the caller could choose the host that gets the request and its credentials.",
    "https://{order_id}.example.com/orders",
  ),
  "http/credentials-in-url": entry(
    "a user name or password in the URL",
    "Servers, proxies and logs keep URLs, so they would keep the password. Send a credential in a header, by reference: `Authorization: Bearer ${API_TOKEN}`.",
    "https://desk@api.example.com/orders/{order_id}",
  ),
  "http/credential-in-path": entry(
    "a credential in the path",
    "Servers record and log paths, so they would record the credential. `${NAME}` may start a URL, as origin and base path. It may also stand in the query, a header or the body.",
    "https://api.example.com/${TENANT}/orders/{order_id}",
    "${TENANT_URL}/orders/{order_id}",
  ),
  "http/fragment-in-url": entry(
    "a fragment in the URL",
    "Browsers use the text after `#`; it is never sent to a server. Write a literal `#` as `%23`.",
    `"${good}#lines"`,
    `"${good}%23lines"`,
  ),
  "http/bad-url-text": entry(
    "invalid text in a URL",
    "Different servers read some text in different ways: spaces, backslashes, control characters, and a `%` without two hexadecimal digits. The same is true for the segments `.` and `..`, even percent-encoded. Write the URL that you mean. skillc percent-encodes other characters outside ASCII for you.",
    "https://api.example.com/v1/../orders/{order_id}",
  ),
  "http/query-key-twice": {
    ...entry(
      "a query key in both the URL and `query`",
      "Servers disagree on which of two values counts: the first, the last or both. Keep one of the two.",
      good,
    ),
    example: exampleProject({
      binding: ["method: GET", `url: ${good}?expand=lines`, "query: { expand: customer }"],
    }),
    fixed: exampleProject({
      binding: ["method: GET", `url: ${good}`, "query: { expand: customer }"],
    }),
  },
  "http/placeholder-in-name": entry(
    "a placeholder in a name",
    "Names of query entries, headers and body properties are fixed text. A caller may choose a value, but must never choose the field that gets the value.",
    `${good}?{order_id}=1`,
    `${good}?order={order_id}`,
  ),
  "http/dot-segments": {
    ...entry(
      "a parameter that may change the path",
      "By default, the runtime rejects a value with `.` or `..` between slashes. Proxies and servers resolve these segments, even percent-encoded, so the request would reach another path with the tool's credentials. `allow_dot_segments: true` sends such values. Archives that take whole URLs and stores whose keys hold dots may need them. In that case, `accept` this warning and give the reason.",
      good,
    ),
    severity: "warning",
    example: exampleProject({
      binding: [
        "method: GET",
        `url: ${good}`,
        'path: { order_id: { value: "{order_id}", allow_dot_segments: true } }',
      ],
    }),
  },
  "http/dot-segments-beside-caller": {
    ...entry(
      "a parameter that may leave its caller's path",
      "`{caller…}` in a path limits a call to the caller's own resources. A value with `..` after it would lead to the resources of another caller.",
      good,
    ),
    example: exampleProject({
      binding: [
        "method: GET",
        'url: "https://api.example.com/{caller.tenant}/{order_id}"',
        'path: { order_id: { value: "{order_id}", allow_dot_segments: true } }',
      ],
    }),
    fixed: exampleProject({
      binding: ["method: GET", 'url: "https://api.example.com/{caller.tenant}/{order_id}"'],
    }),
  },
  "http/optional-in-path": {
    ...entry(
      "an optional or nullable parameter in the path",
      "A path can't leave out a segment: without its value, `/orders/{id}` would be `/orders/`, which is another resource. Make the parameter required or move it to `query`.",
      good,
    ),
    example: exampleProject({
      parameters: ["order_id?: string"],
      binding: ["method: GET", `url: ${good}`],
    }),
  },
};
