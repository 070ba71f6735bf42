import { describe, expect, it } from "vitest";
import { httpTool } from "../../support/http-tool.js";

const parameters =
  "parameters: { type: object, required: [id, lines, where, point], properties: { " +
  "id: { type: string }, note: { type: string }, memo: { type: [string, 'null'] }, count: { type: integer, default: 1 }, " +
  "lines: { type: array, items: { type: object } }, tags: { type: array, items: { type: string } }, " +
  "where: { type: object, required: [city], properties: { city: { type: string }, zip: { type: string } } }, " +
  "point: { type: [number, 'null'] } } }";
const names = ["id", "note", "memo", "count", "lines", "tags", "where", "point"];

/** A tool whose binding has these lines, from line 4 on; parameters that they don't name are listed as unused. */
function withBinding(...lines: readonly string[]) {
  const uses = (name: string) => lines.some((line) => new RegExp(`\\{${name}[.}]`).test(line));
  const unused = `unused: [${names.filter((name) => !uses(name)).join(", ")}]`;
  return httpTool([parameters, unused, "binding:", ...lines.map((line) => `  ${line}`)].join("\n"));
}

const url = "url: https://a.example/orders";
const faults = (...lines: readonly string[]) => withBinding(...lines).lines;

describe("method", () => {
  it.each<[method: string, effect: string, idempotent: boolean]>([
    // Repeated as a read.
    ["GET", "read", false],
    ["POST", "write", false],
    ["PUT", "write", true],
    ["PATCH", "write", false],
    ["DELETE", "write", true],
  ])("%s is a %s", (method, effect, idempotent) => {
    const { resolved, lines } = withBinding(`method: ${method}`, url);
    expect(resolved).toMatchObject({ effect, idempotent });
    expect(lines).toEqual([]);
  });

  it.each<[method: string, help: string]>([
    ["get", "write `GET`"],
    ["Delete", "write `DELETE`"],
    ["GETT", "did you mean `GET`?"],
    ["PATH", "did you mean `PATCH`?"],
    ["OPTIONS", "write one of `GET`, `POST`, `PUT`, `PATCH`, `DELETE`"],
    ["toString", "write one of `GET`, `POST`, `PUT`, `PATCH`, `DELETE`"],
  ])("rejects %s", (method, help) => {
    expect(faults(`method: ${method}`, url)).toEqual([
      `4:11 http/bad-method [${method}] \`${method}\` is not a method that skillc supports (${help})`,
    ]);
  });

  it("without a method, the method is GET, and an info diagnostic reports the default", () => {
    const { resolved, lines } = withBinding("type: http", url);
    expect(resolved).toMatchObject({ effect: "read", config: { method: { name: "GET" } } });
    expect(lines.map((line) => line.replace(/^\S+ /, ""))).toEqual([
      "http/default-method [http] the binding has no `method`, so it sends a GET (write `method: GET`, or the method that you mean)",
    ]);
  });

  it("without a method, a binding with a body has to name one", () => {
    expect(faults(url, 'body_template: { id: "{id}" }').at(-1)).toMatch(
      /http\/body-on-get \[body_template\] a GET has no body, and a binding without `method` sends a GET \(write `method: POST`, or put the values into `query`\)$/,
    );
  });

  it("a wrong method does not hide mistakes in placeholders", () => {
    const lines = faults("method: FETCH", "url: https://a.example/{idd}");
    expect(lines.map((line) => line.split(" ")[1])).toEqual([
      "http/bad-method",
      "http/unknown-parameter",
    ]);
  });

  it("reports a wrong method together with all other mistakes", () => {
    const lines = faults(
      "method: get",
      "url: /x",
      "headers: { Host: x }",
      "response_mapping: { path: x }",
    );
    expect(lines.map((line) => line.split(" ")[1])).toEqual([
      "http/bad-method",
      "http/bad-origin",
      "http/forbidden-header",
      "http/bad-json-path",
    ]);
  });
});

const query = (text: string) => faults("method: GET", url, `query: { q: ${text} }`);

describe("query", () => {
  it.each([
    '"{id}"',
    '"{note}"',
    '"{memo}"',
    '"{tags}"',
    '"{point}"',
    '"x-{note}-{count}"',
    "5",
    "true",
    "[a, '{id}', 3]",
    '"{where.zip}"',
    '"${KEY}"',
  ])("accepts %s", (text) => {
    expect(query(text)).toEqual([]);
  });

  it("repeats lists of scalars only", () => {
    expect(query('"{lines}"')).toEqual([
      "6:16 http/not-a-scalar [{lines}] `lines` is not a list of only text, numbers and booleans, and a query can repeat nothing else (declare its `items`, write `{ value, style: deepObject }`, or send it in the body)",
    ]);
  });

  it("rejects an object", () => {
    expect(query('"{where}"')).toEqual([
      "6:16 http/not-a-scalar [{where}] `where` may be an object, but a query value holds only text, numbers and booleans (declare its `type`, name one of its fields, or send it in the body)",
    ]);
  });

  it("rejects a list inside text", () => {
    expect(query('"a{tags}"')).toEqual([
      "6:17 http/not-a-scalar [{tags}] `tags` may be an array, but a query value holds only text, numbers and booleans (declare its `type`, name one of its fields, or send it in the body)",
    ]);
  });

  it("rejects a placeholder in the name of a query parameter", () => {
    expect(faults("method: GET", url, 'query: { "x-{other}": 1 }')).toEqual([
      '6:12 http/placeholder-in-name ["x-{other}"] `{other}` is in a name, but names are fixed text (write the name as fixed text; only values can contain placeholders)',
    ]);
  });
});

const header = (text: string) => faults("method: GET", url, `headers: { ${text} }`);

describe("headers", () => {
  it.each([
    'X-Id: "{id}"',
    'X-Note: "{memo}"',
    "X-Version: 2",
    'Authorization: "Bearer ${TOKEN}"',
    'X-A: "a\tb"',
    "Accept: text/plain",
    "a!#$%&'*+-.^_`|~: x",
  ])("accepts %s", (text) => {
    expect(header(text)).toEqual([]);
  });

  it.each([
    "host",
    "Content-Length",
    "TRANSFER-ENCODING",
    "Connection",
    "Keep-Alive",
    "TE",
    "Trailer",
    "Upgrade",
    "Expect",
  ])("rejects %s, which the connection sets", (name) => {
    const [line, ...others] = header(`${name}: x`);
    expect(line).toMatch(
      new RegExp(
        `^6:14 http/forbidden-header \\[${name}\\] \`${name}\` can't be set by a binding: it .* \\(remove it\\)$`,
      ),
    );
    expect(others).toEqual([]);
  });

  it.each<[text: string, line: string]>([
    [
      '"X A": 1',
      '6:14 http/bad-header-name ["X A"] `X A` is not a header name (use letters, digits and `-`)',
    ],
    [
      '"": 1',
      '6:14 http/bad-header-name [""] `` is not a header name (use letters, digits and `-`)',
    ],
    [
      '"X-é": 1',
      '6:14 http/bad-header-name ["X-é"] `X-é` is not a header name (use letters, digits and `-`)',
    ],
    [
      '"X-{other}": 1',
      '6:14 http/placeholder-in-name ["X-{other}"] `{other}` is in a name, but names are fixed text (write the name as fixed text; only values can contain placeholders)',
    ],
    [
      "X-A: 1, x-a: 2",
      "6:22 http/duplicate-header [x-a] `x-a` is set twice: header names ignore case (keep one of the two)",
    ],
    [
      'X-A: "{tags}"',
      "6:20 http/not-a-scalar [{tags}] `tags` may be an array, but a header holds only text, numbers and booleans (declare its `type`, name one of its fields, or send it in the body)",
    ],
    [
      "X-A: 订单",
      "6:19 http/bad-header-value [订] a header value can't hold the character U+8BA2 (remove or encode it)",
    ],
    [
      "Content-Type: text/plain",
      "6:28 http/content-type [text/plain] the body is sent as JSON, but this header names another type (write `application/json` or a type that ends in `+json`, or remove the header)",
    ],
    [
      'content-type: "{id}"',
      '6:28 http/content-type ["{id}"] the body is sent as JSON, but this header names another type (write `application/json` or a type that ends in `+json`, or remove the header)',
    ],
  ])("rejects %s", (text, line) => {
    expect(header(text)).toEqual([line]);
  });

  it.each(["application/json", "application/json; charset=utf-8", "Application/Vnd.API+JSON"])(
    "accepts %s as the content type of a JSON body",
    (type) => {
      expect(faults("method: POST", url, `headers: { Content-Type: ${type} }`)).toEqual([]);
    },
  );

  it.each<[escape: string, message: string]>([
    ["\\n", "a header value must be one line"],
    ["\\r", "a header value must be one line"],
    ["\\0", "a header value can't hold the character U+0000"],
    ["\\x85", "a header value can't hold the character U+0085"],
  ])("rejects %s", (escape, message) => {
    expect(
      withBinding("method: GET", url, `headers: { X-A: "a${escape}b" }`).diagnostics,
    ).toMatchObject([{ code: "http/bad-header-value", message }]);
  });

  it("accepts a parameter with a name in any script", () => {
    const { lines } = httpTool(
      "parameters: { type: object, required: [订单], properties: { 订单: { type: string } } }\n" +
        'binding:\n  method: GET\n  url: https://a.example\n  headers: { X-A: "a {订单}" }\n',
    );
    expect(lines).toEqual([]);
  });

  it("points at the first of two headers with one name", () => {
    const { diagnostics } = withBinding("method: GET", url, "headers: { X-A: 1, x-a: 2 }");
    expect(diagnostics[0]?.related).toMatchObject([{ message: "the other one" }]);
  });
});

const body = (text: string) => faults("method: POST", url, `body_template: ${text}`);

describe("body_template", () => {
  it("rejects a placeholder without quotes, and accepts a mapping with an empty value", () => {
    expect(body('{ note: "{note}", who: {id} }').join()).toContain(
      'http/unquoted-placeholder [{id}] `{id}` without quotes is a mapping with an empty value (write `"{id}"`)',
    );
    const block = "body_template:\n          who:\n          note: '{note}'";
    expect(faults("method: POST", url, block).join()).not.toContain("unquoted");
  });

  it.each([
    '{ a: "{note}", b: ["{id}", "{point}", null, 1], c: { d: "{where}", e: "x{memo}" } }',
    '"{lines}"',
    '"{memo}"',
    "[1, [2], {}]",
    "null",
    '{ a: "for {where.city}", b: "Bearer ${TOKEN}" }',
  ])("accepts %s", (text) => {
    expect(body(text)).toEqual([]);
  });

  it("rejects objects and lists inside text", () => {
    expect(body('{ a: "{where}!" }')).toEqual([
      "6:24 http/not-a-scalar [{where}] `where` may be an object, but text holds only text, numbers and booleans (declare its `type`, name one of its fields, or send it in the body)",
    ]);
  });

  it.each<[text: string, start: string]>([
    ['[1, "{note}"]', "6:23 http/optional-in-list [{note}] `note` is optional"],
    ['[1, "n{note}"]', "6:24 http/optional-in-list [{note}] `note` is optional"],
    ['[1, "n{memo}"]', "6:24 http/optional-in-list [{memo}] `memo` is optional"],
    ['[1, "n{point}"]', "6:24 http/optional-in-list [{point}] `point` is nullable"],
    ['[[["{where.zip}"]]]', "6:22 http/optional-in-list [{where.zip}] `where.zip` is optional"],
  ])("rejects an item that may be missing: %s", (text, start) => {
    expect(body(text)).toEqual([
      `${start}, but a list can't leave out an item (make it required, or give it a \`default\`)`,
    ]);
  });

  it("rejects a placeholder in the name of a field", () => {
    expect(body('{ a: { "{other}": 1 } }')).toEqual([
      '6:25 http/placeholder-in-name ["{other}"] `{other}` is in a name, but names are fixed text (write the name as fixed text; only values can contain placeholders)',
    ]);
  });

  it("rejects a body for GET, and accepts one for DELETE", () => {
    expect(faults("method: GET", url, "body_template: {}")).toEqual([
      "6:3 http/body-on-get [body_template] a GET has no body (put the values into `query`, or use another method)",
    ]);
    expect(faults("method: DELETE", url, 'body_template: { why: "{note}" }')).toEqual([]);
  });
});

const key = (text: string) => faults("method: POST", url, `idempotency: ${text}`);

describe("idempotency", () => {
  it("makes a POST idempotent", () => {
    const { resolved, lines } = withBinding(
      "method: POST",
      url,
      "idempotency: { header: Idempotency-Key }",
    );
    expect(resolved?.idempotent).toBe(true);
    expect(lines).toEqual([]);
  });

  it("leaves `idempotency: natural`, which all kinds share, to the compiler", () => {
    const { resolved } = withBinding("method: POST", url, "idempotency: natural");
    expect(resolved?.idempotent).toBe(false);
    expect(resolved?.config.idempotency).toBeUndefined();
  });

  it.each([
    '{ header: Idempotency-Key, key: "{id}" }',
    '{ header: Idempotency-Key, key: "order-{id}-{count}" }',
  ])("accepts %s", (text) => {
    expect(key(text)).toEqual([]);
  });

  it.each<[text: string, line: string]>([
    [
      "{ header: Host }",
      "6:26 http/forbidden-header [Host] `Host` can't be set by a binding: it follows from the URL (remove it)",
    ],
    [
      "{ header: A B }",
      "6:26 http/bad-header-name [A B] `A B` is not a header name (use letters, digits and `-`)",
    ],
    [
      "{ header: X-Key, key: order }",
      "6:38 http/bad-idempotency-key [order] this key is the same for every call, so every call after the first would count as a repeat (put a parameter into the key, or remove `key` to get a random key)",
    ],
    [
      '{ header: X-Key, key: "{note}" }',
      "6:39 http/bad-idempotency-key [{note}] `note` is optional, and without it the call has no key (make it required)",
    ],
    [
      '{ header: X-Key, key: "{point}" }',
      "6:39 http/bad-idempotency-key [{point}] `point` is nullable, and without it the call has no key (make it required)",
    ],
    [
      '{ header: X-Key, key: "{where}" }',
      "6:39 http/not-a-scalar [{where}] `where` may be an object, but an idempotency key holds only text, numbers and booleans (declare its `type`, name one of its fields, or send it in the body)",
    ],
  ])("rejects %s", (text, line) => {
    expect(key(text)).toEqual([line]);
  });

  it("reports its header as a duplicate of one in `headers`", () => {
    const lines = faults(
      "method: POST",
      url,
      "headers: { idempotency-key: x }",
      "idempotency: { header: Idempotency-Key }",
    );
    expect(lines).toEqual([
      "6:14 http/duplicate-header [idempotency-key] `idempotency-key` is set twice: header names ignore case (keep one of the two)",
    ]);
  });
});

describe("damaged placeholder", () => {
  it("reports the brace once, and no parameter that the placeholder may have meant", () => {
    const { lines } = httpTool(
      "parameters: { type: object, properties: { id: { type: string } } }\n" +
        'binding:\n  method: GET\n  url: https://a.example/\n  query: { a: "{id" }\n',
    );
    expect(lines).toEqual([
      "5:16 http/lone-brace [{] this `{` opens a placeholder that nothing closes (for a literal brace write `{{`)",
    ]);
  });
});
