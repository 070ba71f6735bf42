import { describe, expect, it } from "vitest";
import { httpCapabilities } from "../../../../src/bindings/http/capabilities.js";
import type { HttpConfig } from "../../../../src/bindings/http/model.js";
import { httpTool } from "../../support/http-tool.js";

const originHelp = "(start with `https://` and the host, or with one `${NAME}` that holds both)";

/** A GET of that URL, which stands on line 4, with the required text `id`. */
function withUrl(url: string, more = "") {
  return httpTool(
    [
      "parameters: { type: object, required: [id], properties: { id: { type: string } } }",
      "binding:",
      "  method: GET",
      `  url: "${url}"`,
      ...(more === "" ? [] : [`  ${more}`]),
    ].join("\n"),
  );
}

/** The URL's model as text: `…` for each value of a segment. */
function laidOut(url: string) {
  const { resolved, lines } = withUrl(url);
  if (resolved === undefined) throw new Error(lines.join("\n"));
  const { origin, path, literalQuery } = resolved.config.url;
  const start = origin.kind === "literal" ? origin.origin : `\${${origin.name}}`;
  const pieces = path.map((piece) => (piece.kind === "text" ? piece.text : piece.fixed.join("…")));
  return {
    url: [start, ...pieces, literalQuery.text].join(""),
    reached: reachedBy(resolved.config),
    lines,
  };
}

function reachedBy(config: HttpConfig): string | undefined {
  const [only, ...others] = httpCapabilities(config, []);
  expect(others).toEqual([]);
  return only?.capability;
}

describe("url", () => {
  it.each<[url: string, meant: string, reached: string]>([
    [
      "https://api.example.com/orders/{id}",
      "https://api.example.com/orders/…",
      "https://api.example.com/orders",
    ],
    [
      "http://127.0.0.1:8008/orders/{id}",
      "http://127.0.0.1:8008/orders/…",
      "http://127.0.0.1:8008/orders",
    ],
    ["http://[::1]:80/{id}", "http://[::1]/…", "http://[::1]"],
    ["HTTPS://API.example.com:443/{id}", "https://api.example.com/…", "https://api.example.com"],
    [
      "https://bücher.example/{id}",
      "https://xn--bcher-kva.example/…",
      "https://xn--bcher-kva.example",
    ],
    ["${ORDERS_URL}/v1/{id}", "${ORDERS_URL}/v1/…", "${ORDERS_URL}/v1"],
    ["${ORDERS_URL}?{{x}}=1&id={id}", "${ORDERS_URL}?%7Bx%7D=1", "${ORDERS_URL}"],
    [
      "https://a.example/{id}.json/v{id}-{id}",
      "https://a.example/….json/v…-…",
      "https://a.example",
    ],
    [
      "https://a.example/api/queues/%2F/{id}",
      "https://a.example/api/queues/%2F/…",
      "https://a.example/api/queues/%2F",
    ],
    [
      "https://a.example/é/订单/{id}",
      "https://a.example/%C3%A9/%E8%AE%A2%E5%8D%95/…",
      "https://a.example/%C3%A9/%E8%AE%A2%E5%8D%95",
    ],
    ["https://a.example//x/{id}/", "https://a.example//x/…/", "https://a.example//x"],
    [
      "https://a.example/{id}?a=1&b=ü%20x+y",
      "https://a.example/…?a=1&b=%C3%BC%20x+y",
      "https://a.example",
    ],
    ["https://a.example/...{{/{id}", "https://a.example/...%7B/…", "https://a.example/...%7B"],
  ])("reads %s", (url, meant, reached) => {
    expect(laidOut(url)).toEqual({ url: meant, reached: `net.http:get ${reached}`, lines: [] });
  });

  it.each<[url: string, line: string]>([
    ["{id}/x", "4:9 http/parameter-in-origin [{id}]"],
    ["{id}.example.com/x", "4:9 http/parameter-in-origin [{id}]"],
    ["https://{id}.example.com/", "4:17 http/parameter-in-origin [{id}]"],
    ["https://a.example{id}", "4:26 http/parameter-in-origin [{id}]"],
    ["https://a.example:{id}/", "4:27 http/parameter-in-origin [{id}]"],
    ["${ORDERS_URL}{id}", "4:22 http/parameter-in-origin [{id}]"],
  ])("rejects a parameter in the origin of %s", (url, start) => {
    expect(withUrl(url).lines).toEqual([
      `${start} the parameter \`id\` would let a caller choose the host that gets the request ${originHelp}`,
    ]);
  });

  it.each<[url: string, line: string]>([
    ["", '4:8 http/bad-origin [""] the URL has no origin'],
    ["/orders/{id}", "4:9 http/bad-origin [/orders/{id}] the URL has no origin"],
    ["a.example/{id}", "4:9 http/bad-origin [a.example/{id}] the URL has no origin"],
    ["https:/{id}", "4:9 http/bad-origin [https:/{id}] the URL has no origin"],
    [
      "ftp://a.example/{id}",
      "4:9 http/bad-origin [ftp://a.example/] `ftp` is not `http` or `https`",
    ],
    ["https:///{id}", "4:17 http/bad-origin [] the URL names no host"],
    ["https://a b/{id}", "4:17 http/bad-origin [a b] `a b` is not a host and port"],
    [
      "https://a.example:99999/{id}",
      "4:17 http/bad-origin [a.example:99999] `a.example:99999` is not a host and port",
    ],
    [
      "https://0x7f.1/{id}",
      "4:17 http/bad-origin [0x7f.1] `0x7f.1` is another way to write `127.0.0.1`",
    ],
    [
      "https://１２７.0.0.1/{id}",
      "4:17 http/bad-origin [１２７.0.0.1] `１２７.0.0.1` is another way to write `127.0.0.1`",
    ],
    [
      "https://${HOST}/{id}",
      "4:17 http/bad-origin [${HOST}] `${NAME}` must be the whole origin, not a part of it",
    ],
    [
      "${A}.example/{id}",
      "4:13 http/bad-origin [.example/] `${A}` must be followed by `/`, `?` or the end of the URL",
    ],
    [
      "${A}${B}/{id}",
      "4:13 http/bad-origin [${B}] `${A}` must be followed by `/`, `?` or the end of the URL",
    ],
  ])("rejects the origin of %j", (url, line) => {
    expect(withUrl(url).lines).toEqual([`${line} ${originHelp}`]);
  });

  it.each<[url: string, line: string]>([
    [
      "https://desk:pw@a.example/{id}",
      "4:17 http/credentials-in-url [desk:pw@a.example] the URL contains a user name or password (send it in a header: `Authorization: Bearer ${API_TOKEN}`)",
    ],
    [
      "https://desk:${PW}@a.example/{id}",
      "4:17 http/credentials-in-url [desk:${PW}@a.example] the URL contains a user name or password (send it in a header: `Authorization: Bearer ${API_TOKEN}`)",
    ],
    [
      "https://a.example/bot${TOKEN}/{id}",
      "4:30 http/credential-in-path [${TOKEN}] `${TOKEN}` is inside the path (put origin and base path into one setting and start the URL with it, or send the credential in a header)",
    ],
    [
      "https://a.example/{id}#top",
      "4:31 http/fragment-in-url [#top] a fragment is never sent to the server (remove it; for a literal `#` write `%23`)",
    ],
    [
      "https://a.example/a b/{id}",
      "4:28 http/bad-url-text [ ] a URL can't contain a space (write `%20`, or join the lines of the URL without spaces)",
    ],
    [
      "https://a.example/100%/{id}",
      "4:30 http/bad-url-text [%] `%` in a URL must be followed by two hexadecimal digits (write `%25` for a literal `%`)",
    ],
    [
      "https://a.example/v1/../{id}",
      "4:30 http/bad-url-text [..] the path segment `..` leads to another path (write the resulting path)",
    ],
    [
      "https://a.example/%2E/{id}",
      "4:27 http/bad-url-text [%2E] the path segment `%2E` leads to another path (write the resulting path)",
    ],
    [
      "https://a.example/..;a/{id}",
      "4:27 http/bad-url-text [..;a] the path segment `..;a` leads to another path (write the resulting path)",
    ],
    [
      "https://a.example/a%2F..%2F/{id}",
      "4:27 http/bad-url-text [a%2F..%2F] the path segment `a%2F..%2F` leads to another path (write the resulting path)",
    ],
    [
      "https://a.example/{id}?{id}=1",
      "4:32 http/placeholder-in-name [{id}] the name of a query entry can't contain a placeholder (write each name as fixed text, in an entry of its own)",
    ],
  ])("rejects %s", (url, line) => {
    expect(withUrl(url).lines).toEqual([line]);
  });

  it("rejects a backslash before an at sign", () => {
    expect(withUrl("https://a.example\\\\@b.example/{id}").diagnostics).toMatchObject([
      { code: "http/credentials-in-url" },
    ]);
  });

  it("rejects a backslash and control characters, because URL parsers disagree about them", () => {
    const { lines } = httpTool(
      "parameters: { type: object, required: [id], properties: { id: { type: string } } }\n" +
        "binding:\n  method: GET\n  url: https://a.example/a\\b/{id}\n",
    );
    expect(lines).toEqual([
      "4:27 http/bad-url-text [\\] a URL can't contain a backslash (write `/`, or `%5C` for a literal one)",
    ]);
    expect(withUrl("https://a.example/\\u0007/{id}").diagnostics).toMatchObject([
      { code: "http/bad-url-text", message: "a URL can't contain the character U+0007" },
    ]);
  });

  it("decodes the query of the URL from its first placeholder on into query entries", () => {
    const { resolved, lines } = withUrl("https://a.example/?a%20b={id}&x=1&c=p+q{id}");
    expect(lines).toEqual([]);
    expect(resolved?.config.url.literalQuery.text).toBe("?x=1");
    expect(
      resolved?.config.query.map(({ name, value }) => [
        name,
        value.kind === "template" &&
          value.template.parts.map((part) => (part.kind === "literal" ? part.text : part.kind)),
      ]),
    ).toEqual([
      ["a b", ["parameter"]],
      ["c", ["p q", "parameter"]],
    ]);
  });

  it("rejects a key that stands both in the URL's query and in `query`, and points at both", () => {
    const { lines, diagnostics } = withUrl(
      "https://a.example/{id}?sort=a&l%C3%A4nge=2",
      "query: { länge: 3 }",
    );
    expect(lines).toEqual([
      "5:12 http/query-key-twice [länge] `länge` is also in the query of the URL (keep one of the two)",
    ]);
    expect(diagnostics[0]?.related).toMatchObject([{ message: "the other one" }]);
    expect(withUrl("https://a.example/{id}?sort=a", "query: { order: 3 }").lines).toEqual([]);
  });

  it("keeps the position of each credential", () => {
    const { resolved } = withUrl("${ORDERS_URL}/{id}?key=${ORDERS_KEY}");
    expect(resolved?.credentials.map(({ name, span }) => [name, span.end - span.start])).toEqual([
      ["ORDERS_URL", 13],
      ["ORDERS_KEY", 13],
    ]);
  });
});

const pathFaults = (type: string, required = "[id]") =>
  httpTool(
    `parameters: { type: object, required: ${required}, properties: { id: ${type} } }\n` +
      "binding:\n  method: GET\n  url: https://a.example/orders/{id}\n",
  ).lines;

describe("parameter in the path", () => {
  it.each([
    "{ type: string }",
    "{ type: integer }",
    "{ type: boolean }",
    "{ enum: [a, 1] }",
    "{ type: string, default: a }",
  ])("accepts %s", (type) => {
    expect(pathFaults(type)).toEqual([]);
  });

  it("accepts an optional parameter with a default", () => {
    expect(pathFaults("{ type: string, default: a }", "[]")).toEqual([]);
  });

  const help = "(make it required, or move it to `query`, which leaves out absent values)";

  it("rejects an optional parameter", () => {
    expect(pathFaults("{ type: string }", "[]")).toEqual([
      `4:33 http/optional-in-path [{id}] \`id\` is optional, but a path always needs a value ${help}`,
    ]);
  });

  it("rejects a nullable parameter", () => {
    expect(pathFaults("{ type: [string, 'null'] }")).toEqual([
      `4:33 http/optional-in-path [{id}] \`id\` is nullable, but a path always needs a value ${help}`,
    ]);
  });

  it.each([
    ["{ type: array }", "an array"],
    ["{ type: [string, object] }", "an object"],
  ])("rejects %s, which may be %s", (type, words) => {
    expect(pathFaults(type)).toEqual([
      `4:33 http/not-a-scalar [{id}] \`id\` may be ${words}, but a path holds only text, numbers and booleans ` +
        "(declare its `type`, name one of its fields, or send it in the body)",
    ]);
  });

  it("rejects a parameter without a type, because its schema allows anything", () => {
    expect(pathFaults("{}").map((line) => line.split(" ")[1])).toEqual([
      "http/not-a-scalar",
      "http/optional-in-path",
    ]);
  });
});
