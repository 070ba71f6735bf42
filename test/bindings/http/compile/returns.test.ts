import { describe, expect, it } from "vitest";
import { httpTool } from "../../support/http-tool.js";

/** A GET whose `returns` starts at 1:10, whose `response_schema` starts at 5:20, and whose path starts at 6:29. */
function compare(returns: string, response: string, path?: string) {
  const lines = [
    `returns: ${returns}`,
    "binding:",
    "  method: GET",
    "  url: https://a.example/",
    `  response_schema: ${response}`,
    ...(path === undefined ? [] : [`  response_mapping: { path: "${path}" }`]),
  ];
  const text = lines.join("\n");
  const tool = httpTool(text);
  return {
    ...tool,
    related: tool.diagnostics.flatMap((each) =>
      (each.related ?? []).map(
        ({ span, message }) => `${message} ${text.slice(span.start, span.end)}`,
      ),
    ),
  };
}

const data = (schema: string) => `{ type: object, properties: { data: ${schema} } }`;
const order =
  "{ type: object, properties: { id: { type: integer }, state: { enum: [open, closed] } } }";
const help = "(make both schemas agree)";

describe("`returns` and `response_schema`", () => {
  it.each<
    [
      what: string,
      returns: string,
      response: string,
      path: string | undefined,
      line: string,
      related: string,
    ]
  >([
    [
      "a property",
      "{ type: object, properties: { id: { type: string } } }",
      order,
      undefined,
      `1:52 http/returns-mismatch [string] \`id\` is an integer in the response, but \`returns\` expects text ${help}`,
      "`response_schema` integer",
    ],
    [
      "a property further down, by a path",
      "{ properties: { last: { type: object, properties: { id: { type: [string, 'null'] } } } } }",
      data(`{ type: object, properties: { last: ${order} } }`),
      "$.data",
      `1:74 http/returns-mismatch [[string, 'null']] \`last.id\` is an integer in the response, but \`returns\` expects text or null ${help}`,
      "`response_schema` integer",
    ],
    [
      "the items of a list",
      "{ type: array, items: { type: object, properties: { id: { type: boolean } } } }",
      data(`{ type: array, items: ${order} }`),
      "$.data",
      `1:74 http/returns-mismatch [boolean] \`[*].id\` is an integer in the response, but \`returns\` expects a boolean ${help}`,
      "`response_schema` integer",
    ],
    [
      "what a query picks from each item",
      "{ type: array, items: { type: string } }",
      data(`{ type: array, items: ${order} }`),
      "$.data[?@.state == 'open'].id",
      `1:40 http/returns-mismatch [string] \`[*]\` is an integer in the response, but \`returns\` expects text ${help}`,
      "`response_schema` integer",
    ],
    [
      "the last item",
      "{ type: object, properties: { id: { type: string } } }",
      data(`{ type: array, items: ${order} }`),
      "$.data[-1]",
      `1:52 http/returns-mismatch [string] \`id\` is an integer in the response, but \`returns\` expects text ${help}`,
      "`response_schema` integer",
    ],
    [
      "listed values",
      "{ type: object, properties: { state: { enum: [paid, 'null'] } } }",
      order,
      undefined,
      `1:55 http/returns-mismatch [[paid, 'null']] \`state\` is \`"open"\` or \`"closed"\` in the response, but \`returns\` expects \`"paid"\` or \`"null"\` ${help}`,
      "`response_schema` [open, closed]",
    ],
    [
      "a listed value at the root",
      "{ const: paid }",
      data(order),
      "$.data.state",
      `1:19 http/returns-mismatch [paid] the response has \`"open"\` or \`"closed"\` here, but \`returns\` expects \`"paid"\` (write a \`response_mapping.path\` to the value that \`returns\` describes)`,
      "`response_schema` [open, closed]",
    ],
    [
      "a property that a closed object lacks",
      "{ type: object, required: [id, totl] }",
      "{ type: object, additionalProperties: false, properties: { id: { type: integer }, total: {} } }",
      undefined,
      "1:41 http/returns-mismatch [totl] `returns` requires `totl`, but no response can have it (did you mean `total`?)",
      "`response_schema` false",
    ],
    [
      "a property that `returns` forbids",
      "{ type: array, items: { type: object, additionalProperties: false, properties: { id: {} } } }",
      "{ type: array, items: { type: object, required: [id, total], properties: { id: {}, total: {} } } }",
      undefined,
      "1:70 http/returns-mismatch [false] every response has `[*].total`, which `returns` forbids (declare `total` in `returns` too)",
      "`response_schema` total",
    ],
    [
      "what a reference leads to",
      '{ $ref: "#/$defs/o", $defs: { o: { type: object, properties: { id: { $ref: "#/$defs/i" } } }, i: { type: string } } }',
      order,
      undefined,
      `1:115 http/returns-mismatch [string] \`id\` is an integer in the response, but \`returns\` expects text ${help}`,
      "`response_schema` integer",
    ],
    [
      "objects of which none fits",
      "{ type: object, properties: { o: { type: object, required: [k], properties: { k: { const: 3 } } } } }",
      "{ type: object, properties: { o: { oneOf: [{ type: object, required: [k], properties: { k: { const: 1 } } }, { type: object, required: [k], properties: { k: { const: 2 } } }] } } }",
      undefined,
      `1:51 http/returns-mismatch [object] \`o\` is an object in the response, but \`returns\` expects another kind of object ${help}`,
      "`response_schema` { oneOf: [{ type: object, required: [k], properties: { k: { const: 1 } } }, { type: object, required: [k], properties: { k: { const: 2 } } }] }",
    ],
  ])("reports a mismatch of %s", (_, returns, response, path, line, related) => {
    const result = compare(returns, response, path);
    expect(result.lines).toEqual([line]);
    expect(result.related).toEqual([related]);
  });

  it("reports a mismatch at the path if even the types differ", () => {
    const { lines, related } = compare("{ type: string }", data(order), "$.data");
    expect(lines).toEqual([
      '6:29 http/returns-mismatch ["$.data"] the response has an object here, but `returns` expects text (write a `response_mapping.path` to the value that `returns` describes)',
    ]);
    expect(related).toEqual(["`returns` { type: string }", `\`response_schema\` ${data(order)}`]);
  });

  it("reports every mismatch, in source order", () => {
    const returns =
      "{ type: object, required: [gone], properties: { gone: {}, a: { type: string }, b: { type: array, items: { type: string } } } }";
    const response =
      "{ type: object, additionalProperties: false, properties: { b: { type: array, items: { type: 'null' } }, a: { type: number } } }";
    expect(
      compare(returns, response).lines.map((line) => line.split(" ").slice(0, 3).join(" ")),
    ).toEqual([
      "1:37 http/returns-mismatch [gone]",
      "1:79 http/returns-mismatch [string]",
      "1:122 http/returns-mismatch [string]",
    ]);
  });

  it.each<[what: string, returns: string, response: string, path?: string]>([
    ["a property that is not declared", "{ type: object, required: [total] }", order],
    [
      "one that a pattern allows",
      "{ required: [ab] }",
      '{ type: object, additionalProperties: false, patternProperties: { "^a": {} } }',
    ],
    [
      "a query that may lead anywhere",
      "{ type: array, items: { type: boolean } }",
      data(order),
      "$..id",
    ],
    [
      "items that are not alike",
      "{ type: array, items: { type: string } }",
      data("{ type: array, prefixItems: [{ type: integer }], items: { type: string } }"),
      "$.data[*]",
    ],
    [
      "one of several names",
      "{ type: array, items: { type: string } }",
      data(order),
      "$.data['id','state']",
    ],
    [
      "the fields of a map",
      "{ type: array, items: { type: string } }",
      data("{ type: object, additionalProperties: { type: integer } }"),
      "$.data[*]",
    ],
  ])("accepts %s", (_, returns, response, path) => {
    expect(compare(returns, response, path).lines).toEqual([]);
  });

  const object = (a: string, more = "") => `{ type: object, properties: { a: ${a} }${more} }`;
  const meets = "(make both schemas agree: a call with another value fails)";

  it.each<[what: string, returns: string, response: string, line: string, path?: string]>([
    [
      "a constant for an integer",
      "{ type: object, properties: { id: { const: 3 } } }",
      order,
      "[3] `id` may be an integer by `response_schema`, but `returns` takes `3`",
    ],
    [
      "a nullable one of what may be no object",
      "{ properties: { a: { type: [string, 'null'] } } }",
      "{ properties: { a: { type: [integer, 'null'] } } }",
      "[[string, 'null']] `a` may be an integer by `response_schema`, but `returns` takes a string or null",
    ],
    [
      "a format for any text",
      object("{ type: string, format: uuid }"),
      object("{ type: string }"),
      "[string] `a` may be any text by `response_schema`, but `returns` takes text in the format `uuid`",
    ],
    [
      "a bound",
      object("{ type: integer, maximum: 9 }"),
      object("{ type: integer, maximum: 99 }"),
      "[integer] `a` may be 99 by `response_schema`, but `returns` holds 9 or less",
    ],
    [
      "less of listed values, once for the place",
      object("{ enum: [x] }"),
      object("{ enum: [x, y, z] }"),
      "[[x]] `a` may be `y` by `response_schema`, but `returns` takes `x`",
    ],
    [
      "one of two types",
      object("{ type: string }"),
      object("{ type: [string, integer] }"),
      "[string] `a` may be an integer by `response_schema`, but `returns` takes a string",
    ],
    [
      "no null",
      object("{ type: string }"),
      object("{ type: [string, 'null'] }"),
      "[string] `a` may be null by `response_schema`, but `returns` takes a string",
    ],
    [
      "fewer names",
      object("{ type: string }", ", additionalProperties: false"),
      "{ type: object, additionalProperties: false, properties: { a: { type: string }, b: {} } }",
      "[false] a response may have `b`, which `returns` forbids",
    ],
    [
      "items, by a path",
      "{ type: array, items: { type: string, maxLength: 3 } }",
      data("{ type: array, items: { type: string, maxLength: 5 } }"),
      "[string] `[0]` may have 5 characters by `response_schema`, but `returns` holds 3 characters",
      "$.data[*]",
    ],
  ])("warns that a value may not fit: %s", (_, returns, response, line, path) => {
    expect(compare(returns, response, path).lines.map((each) => each.replace(/^\S+ /, ""))).toEqual(
      [`http/returns-narrows ${line} ${meets}`],
    );
  });

  it.each([
    ["bounds", "{ type: integer, maximum: 9 }", "{ type: integer, minimum: 10 }"],
    ["lengths", "{ type: string, maxLength: 9 }", "{ type: string, minLength: 10 }"],
    ["patterns", "{ type: string, pattern: '^a' }", "{ type: string, pattern: '^b' }"],
    ["formats", "{ type: string, format: uuid }", "{ type: string, format: date }"],
  ])("reports schemas that never fit by %s", (_, returns, response) => {
    expect(compare(object(returns), object(response)).lines).toEqual([
      expect.stringMatching(/ http\/returns-mismatch .* \(make both schemas agree\)$/),
    ]);
  });

  it.each([
    ["no type", object("{ type: string }"), object("{ description: any }")],
    ["no such property", object("{ type: string }"), "{ type: object }"],
    [
      "no other properties",
      object("{ type: string }", ", additionalProperties: false"),
      object("{ type: string }"),
    ],
    ["nothing that is always there", object("{}", ", required: [a]"), object("{ type: string }")],
  ])("reports nothing if the response has %s", (_, returns, response) => {
    expect(compare(returns, response).lines).toEqual([]);
  });

  it("reports no mismatch if the path leads nowhere", () => {
    expect(compare("{ type: string }", data(order), "$.dta").lines.join()).toMatch(
      /^6:32 http\/unknown-response-field/,
    );
  });
});

describe("`returns` and a path without `response_schema`", () => {
  const lines = (returns: string, path: string) =>
    httpTool(
      `returns: ${returns}\nbinding:\n  method: GET\n  url: https://a.example/\n  response_mapping: { path: "${path}" }`,
    ).lines;

  it.each(["$.a[*].b", "$..b", "$.a[?@.b == 1]", "$.a['b','c']"])(
    "rejects a single value for %s, which gives a list",
    (path) => {
      expect(lines("{ type: string }", path)).toEqual([
        `5:29 http/returns-mismatch ["${path}"] \`${path}\` finds a list, but \`returns\` expects text ` +
          "(make `returns` an array, or write a path to one value, for example with `[0]` instead of `[*]`)",
      ]);
    },
  );

  it.each([
    ["{ type: array, items: { type: string } }", "$.a[*].b"],
    ["{ description: Anything. }", "$.a[*].b"],
    ["{ type: string }", "$.a[0].b"],
  ])("accepts %s for %s", (returns, path) => {
    expect(lines(returns, path)).toEqual([]);
  });

  it("rejects a single value for a path of any level into a closed `response_schema`", () => {
    const response =
      "{ type: object, required: [data], additionalProperties: false, properties: { data: { type: object, properties: { who: { type: object } } } } }";
    const closed = (returns: string) =>
      httpTool(
        `returns: ${returns}\nbinding:\n  method: GET\n  url: https://a.example/\n  response_schema: ${response}\n  response_mapping: { path: $..who }`,
      ).lines;
    expect(closed("{ type: object }")).toEqual([
      "6:29 http/returns-mismatch [$..who] `$..who` finds a list, but `returns` expects an object " +
        "(make `returns` an array, or write a path to one value, for example with `[0]` instead of `[*]`)",
    ]);
    expect(closed("{ type: array }")).toEqual([]);
  });
});
