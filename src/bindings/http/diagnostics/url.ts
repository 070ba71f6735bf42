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

/** What can be wrong with `url`. */
export const urlDiagnosticEntries: DiagnosticEntries = {
  "http/bad-origin": entry(
    "a URL without a plain origin",
    "Scheme, host and port decide who gets the request and its credentials. They are literal, `http` or `https`, in the form in which they are " +
      "called; or one `${NAME}` stands for all of them, and `/`, `?` or the end comes after it.",
    "api.example.com/orders/{order_id}",
  ),
  "http/parameter-in-origin": entry(
    "a parameter in the origin",
    "A parameter comes from a caller, often a model. In the origin it would let that caller choose the host that gets the request and its credentials.",
    "https://{order_id}.example.com/orders",
  ),
  "http/credentials-in-url": entry(
    "a user name or password in the URL",
    "Servers, proxies and logs keep URLs. A credential belongs in a header, by reference: `Authorization: Bearer ${API_TOKEN}`.",
    "https://desk@api.example.com/orders/{order_id}",
  ),
  "http/credential-in-path": entry(
    "a credential in the path",
    "`${NAME}` starts a URL, as origin and base path, or stands in the query, a header or the body. Inside the path it would be recorded and logged with it.",
    "https://api.example.com/${TENANT}/orders/{order_id}",
    "${TENANT_URL}/orders/{order_id}",
  ),
  "http/fragment-in-url": entry(
    "a fragment in the URL",
    "What follows `#` is for browsers and is never sent. A literal `#` is written `%23`.",
    `"${good}#lines"`,
    `"${good}%23lines"`,
  ),
  "http/bad-url-text": entry(
    "text that can't stand in a URL",
    "Spaces, backslashes, control characters, a `%` without two hexadecimal digits and the segments `.` and `..`, percent-encoded too, are read differently by different servers. " +
      "Write what is meant; other characters outside ASCII are percent-encoded for you.",
    "https://api.example.com/v1/../orders/{order_id}",
  ),
  "http/query-key-twice": {
    ...entry(
      "a query key both in the URL and in `query`",
      "Servers disagree on which of two values counts, the first, the last or both. Keep one.",
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
    "Names of query entries, headers and body properties are literal: a caller may fill in values, never decide which field they go to.",
    `${good}?{order_id}=1`,
    `${good}?order={order_id}`,
  ),
  "http/dot-segments": {
    ...entry(
      "a parameter that may lead out of its place",
      "A value with `.` or `..` between slashes is refused: proxies and servers resolve it, also if it is percent-encoded, and the request reaches another path with the tool's " +
        "credentials. `allow_dot_segments: true` sends such values. Archives that take whole URLs and stores whose keys hold dots may need it; then `accept` this warning with the reason.",
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
      "a parameter that may lead out of its caller's path",
      "`{caller…}` in a path keeps a call to what is its caller's. A value with `..` behind it would lead to what is somebody else's.",
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
      "A path has no place for nothing: without its value, `/orders/{id}` would be `/orders/`, another resource. Make the parameter required or move it to `query`.",
      good,
    ),
    example: exampleProject({
      parameters: ["order_id?: string"],
      binding: ["method: GET", `url: ${good}`],
    }),
  },
};
