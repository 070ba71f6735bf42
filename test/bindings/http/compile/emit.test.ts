import { describe, expect, it } from "vitest";
import { piecesOf, printCode } from "../../../../src/core/code.js";
import { type HttpModule, httpModule } from "../../support/http-module.js";
import { typeErrors } from "../../support/type-check.js";

/** Every module that a test here looks at; the last test type-checks them together. */
const modules: Record<string, string> = {};

async function emitted(name: string, yaml: string): Promise<HttpModule> {
  const result = await httpModule(yaml);
  modules[name] = result.module;
  return result;
}

describe("emitted binding", () => {
  it("emits one expression that describes the whole request", async () => {
    const { binding, data, result } = await emitted(
      "full",
      `
parameters:
  type: object
  additionalProperties: false
  required: [customer_id, lines]
  properties:
    customer_id: { type: string }
    dry_run: { type: boolean }
    lines: { type: array, items: { type: object, required: [sku], properties: { sku: { type: string } } } }
binding:
  method: POST
  url: \${ORDERS_URL}/customers/{customer_id}/orders
  query: { dry_run: "{dry_run}" }
  headers: { Authorization: "Bearer \${ORDERS_TOKEN}" }
  idempotency: { header: Idempotency-Key }
  body_template: { customer: "{customer_id}", note: "for {customer_id}", lines: "{lines}" }
  response_schema:
    type: object
    required: [data]
    properties: { data: { type: object, required: [id], properties: { id: { type: string } } } }
  error_schema: { type: object, properties: { error: { type: object, properties: { message: { type: string } } } } }
  response_mapping:
    path: $.data
    error_path: $.error.message
    status_codes: { "201": success, "404": not_found, "409": conflict }
`,
    );
    expect(binding).toMatchInlineSnapshot(`
      "http<HandleOrderArguments, HandleOrderResponse>({
        method: "POST",
        request: (p) => ({
          url: [
            credential("ORDERS_URL"),
            "/customers/",
            segment("/customer_id", p.customer_id),
            "/orders",
          ],
          query: [["dry_run", p.dry_run]],
          headers: [["Authorization", text("Bearer ", credential("ORDERS_TOKEN"))]],
          body: { customer: p.customer_id, note: text("for ", p.customer_id), lines: p.lines },
        }),
        idempotencyHeader: "Idempotency-Key",
        statuses: { "201": "success", "404": "not_found", "409": "conflict" },
        bodies: {
          "404": bodyOf({
            schema: null as never as Validator<HandleOrderBody404>,
            find: (body) => body.error?.message,
            orBody: true,
          }),
          "409": bodyOf({
            schema: null as never as Validator<HandleOrderBody404>,
            find: (body) => body.error?.message,
            orBody: true,
          }),
        },
        response: null as never as Validator<HandleOrderResponse>,
        data: (body) => body.data,
        error: (body) => pick(body, "error", "message"),
      })"
    `);
    expect(data).toBe('HandleOrderResponse["data"]');
    expect(result).toBe(
      'ToolResult<Data, "error", "success", HttpFault>' +
        ' | ToolResult<never, "not_found" | "conflict", never, HttpFault<Exclude<NonNullable<HandleOrderBody404["error"]>["message"], undefined> | HandleOrderBody404>>',
    );
  });

  it("emits no optional member that the binding does not need", async () => {
    const { binding, data, result } = await emitted(
      "smallest",
      "binding:\n  method: GET\n  url: https://a.example\n",
    );
    expect(binding).toMatchInlineSnapshot(`
      "http<HandleOrderArguments>({
        method: "GET",
        request: () => ({
          url: ["https://a.example"],
        }),
      })"
    `);
    expect(data).toBe("unknown");
    expect(result).toBe('ToolResult<Data, "error", "success", HttpFault>');
  });

  it("sends the parameters that nothing else uses when a write has no template", async () => {
    const { binding } = await emitted(
      "rest",
      `
parameters:
  type: object
  required: [id]
  properties: { id: { type: string }, note: { type: string }, "a b": {}, trace: { type: string }, __proto__: { type: string } }
unused: [trace]
binding:
  method: PATCH
  url: https://a.example/orders/{id}
`,
    );
    expect(binding).toMatchInlineSnapshot(`
      "http<HandleOrderArguments>({
        method: "PATCH",
        request: (p) => ({
          url: ["https://a.example/orders/", segment("/id", p.id)],
          body: { note: p.note, "a b": p["a b"], ["__proto__"]: pick(p, "__proto__") },
        }),
      })"
    `);
  });

  it("emits no body for a DELETE, or for a POST whose parameters are all used elsewhere", async () => {
    const parameters =
      "parameters: { type: object, required: [id], properties: { id: { type: string } } }";
    for (const method of ["POST", "DELETE"]) {
      const { binding } = await emitted(
        `bodiless-${method}`,
        `${parameters}\nbinding: { method: ${method}, url: "https://a.example/{id}" }\n`,
      );
      expect(binding).not.toContain("body:");
    }
  });

  it("reaches into parameters as their types allow", async () => {
    const { binding } = await emitted(
      "access",
      `
parameters:
  type: object
  required: [customer, either]
  properties:
    order-id: { type: string }
    customer:
      type: object
      required: [home]
      properties:
        name: { type: string }
        home: { type: [object, "null"], properties: { city: { type: string } } }
        work: { $ref: "#/$defs/place" }
    either:
      oneOf:
        - { type: object, additionalProperties: false, required: [a], properties: { a: { type: string } } }
        - { type: object, additionalProperties: false, required: [b], properties: { b: { type: string } } }
    labels: { type: object, additionalProperties: { type: string } }
    limit: { type: integer, default: 10 }
  $defs: { place: { type: object, properties: { city: { type: string } } } }
binding:
  method: GET
  url: https://a.example/{limit}.json
  query:
    order: "{order-id}"
    name: "{customer.name}"
    home: "{customer.home.city}"
    work: "{customer.work.city}"
    a: "{either.a}"
    label: "{labels.main}"
    text: "{customer.name} of {customer.home.city}"
    key: \${KEY}
    fixed: [1, true, "{{x}}"]
`,
    );
    expect(binding).toMatchInlineSnapshot(`
      "http<HandleOrderArguments>({
        method: "GET",
        request: (p) => ({
          url: ["https://a.example/", segmentOf(["", ".json"], ["/limit", p.limit])],
          query: [
            ["order", p["order-id"]],
            ["name", p.customer.name],
            ["home", p.customer.home?.city],
            ["work", p.customer.work?.city],
            ["a", pick(p, "either", "a")],
            ["label", pick(p, "labels", "main")],
            ["text", text(p.customer.name, " of ", p.customer.home?.city)],
            ["key", text(credential("KEY"))],
            ["fixed", 1],
            ["fixed", true],
            ["fixed", "{x}"],
          ],
        }),
      })"
    `);
  });

  it("states the type of a parameter whose name every object inherits", async () => {
    const { binding } = await emitted(
      "inherited",
      `
parameters:
  type: object
  properties:
    constructor: { type: string }
    toString: { type: [integer, "null"] }
    valueOf: { enum: [a, b] }
    hasOwnProperty: { type: array, items: { type: string } }
    isPrototypeOf: { type: object, properties: { id: { type: boolean } } }
binding:
  method: POST
  url: https://api.example.com/
  query: { c: "{constructor}", h: "{hasOwnProperty}", i: "{isPrototypeOf.id}" }
  headers: { X-Text: "{toString}" }
  body_template: { v: "a {valueOf}", c: "{constructor}" }
`,
    );
    expect(binding).toMatchInlineSnapshot(`
      "http<HandleOrderArguments>({
        method: "POST",
        request: (p) => ({
          url: ["https://api.example.com/"],
          query: [
            ["c", pick(p, "constructor") as string | undefined],
            ["h", pick(p, "hasOwnProperty") as readonly string[] | undefined],
            ["i", pick(p, "isPrototypeOf", "id") as boolean | undefined],
          ],
          headers: [["X-Text", pick(p, "toString") as number | null | undefined]],
          body: {
            v: text("a ", pick(p, "valueOf") as string | undefined),
            c: pick(p, "constructor") as string | undefined,
          },
        }),
      })"
    `);
  });

  it("keeps the JSON type of a placeholder that stands alone in the body", async () => {
    const { binding } = await emitted(
      "body",
      `
parameters:
  type: object
  required: [lines, any]
  properties:
    lines: { type: array, items: { type: object } }
    any: {}
    nullable: { type: [string, "null"] }
    open: { type: object }
binding:
  method: PUT
  url: https://a.example/?v=1
  body_template:
    lines: "{lines}"
    nested: [[{ any: "{any}" }], null, 1.5, "", "a\${TOKEN}"]
    nullable: "{nullable}"
    text: "for {nullable}"
    open: "{open}"
    empty: {}
`,
    );
    expect(binding).toMatchInlineSnapshot(`
      "http<HandleOrderArguments>({
        method: "PUT",
        request: (p) => ({
          url: ["https://a.example/?v=1"],
          body: {
            lines: p.lines,
            nested: [[{ any: p.any }], null, 1.5, "", text("a", credential("TOKEN"))],
            nullable: p.nullable,
            text: text("for ", p.nullable),
            open: p.open,
            empty: {},
          },
        }),
      })"
    `);
  });

  it("accepts one parameter as the whole body, and keys that the author chose", async () => {
    const { binding } = await emitted(
      "whole",
      `
parameters: { type: object, required: [order, id], properties: { order: { type: object }, id: { type: string } } }
binding:
  method: POST
  url: https://a.example
  body_template: "{order}"
  idempotency: { header: X-Key, key: "o-{id}" }
  max_response_bytes: 100
`,
    );
    expect(binding).toMatchInlineSnapshot(`
      "http<HandleOrderArguments>({
        method: "POST",
        request: (p) => ({
          url: ["https://a.example"],
          body: p.order,
          idempotencyKey: text("o-", p.id),
        }),
        idempotencyHeader: "X-Key",
        maxResponseBytes: 100,
      })"
    `);
  });
});

describe("path to `data`", () => {
  const response =
    "response_schema: { type: object, properties: { items: { type: array, items: { type: object, required: [id], properties: { id: { type: string }, constructor: { type: string } } } }, " +
    "either: { anyOf: [{ type: object, additionalProperties: false, properties: { a: { type: string } } }, { type: object, additionalProperties: false, properties: { b: { type: string } } }] }, " +
    "free: { type: object } } }";

  it.each<[path: string, schema: string, code: string | undefined, data: string]>([
    ["$", "", undefined, "unknown"],
    ["$.a['b c'][0][-1]", "", '(body) => pick(body, "a", "b c", 0, -1)', "unknown"],
    ["$.items[*].id", "", 'selector("$.items[*].id")', "readonly unknown[]"],
    ["$", response, undefined, "HandleOrderResponse"],
    [
      "$.items",
      response,
      "(body) => body.items",
      'Exclude<HandleOrderResponse["items"], undefined>',
    ],
    [
      "$.items[0]",
      response,
      "(body) => body.items?.[0]",
      'NonNullable<HandleOrderResponse["items"]>[number]',
    ],
    [
      "$.items[-1].id",
      response,
      "(body) => body.items?.at(-1)?.id",
      'Exclude<NonNullable<HandleOrderResponse["items"]>[number]["id"], undefined>',
    ],
    [
      "$.items[*]",
      response,
      'selector<NonNullable<HandleOrderResponse["items"]>[number]>("$.items[*]")',
      'readonly NonNullable<HandleOrderResponse["items"]>[number][]',
    ],
    [
      "$.items[*].id",
      response,
      'selector<Exclude<NonNullable<HandleOrderResponse["items"]>[number]["id"], undefined>>("$.items[*].id")',
      'readonly Exclude<NonNullable<HandleOrderResponse["items"]>[number]["id"], undefined>[]',
    ],
    ["$..items", response, 'selector("$..items")', "readonly unknown[]"],
    [
      "$.items[?@.id]['id','name']",
      response,
      `selector("$.items[?@.id]['id','name']")`,
      "readonly unknown[]",
    ],
    [
      "$.items[0].constructor",
      response,
      '(body) => pick(body, "items", 0, "constructor")',
      "unknown",
    ],
    ["$.either.a", response, '(body) => pick(body, "either", "a")', "unknown"],
    ["$.free.x", response, '(body) => pick(body, "free", "x")', "unknown"],
  ])("emits the code that finds `data` at %s", async (path, schema, code, data) => {
    const name = `data-${Object.keys(modules).length}`;
    const lines = ["binding:", "  method: GET", "  url: https://a.example", `  ${schema}`];
    const result = await emitted(
      name,
      [...lines, `  response_mapping: { path: "${path}" }`].join("\n"),
    );
    expect(/^ {2}data: (.*),$/m.exec(printCode(result.bindingCode))?.[1]).toBe(code);
    expect(result.data).toBe(data);
  });

  it("emits a selector for `error_path` if the path needs one", async () => {
    const { bindingCode } = await emitted(
      "errors",
      'binding: { method: GET, url: "https://a.example", response_mapping: { error_path: "$.errors[*].message" } }',
    );
    expect(printCode(bindingCode)).toContain('error: selector("$.errors[*].message"),');
  });
});

describe("steps to `data`", () => {
  const schema = (required: string) =>
    `response_schema: { type: object, ${required}properties: { data: { type: object, required: [id], properties: { id: {} } } } }`;

  it.each<[what: string, path: string, schema: string, steps: string | undefined]>([
    ["emitted if the body has no schema", "$.data[0].id", "", '["data", 0, "id"]'],
    ["emitted if they may lead nowhere", "$.data.id", schema(""), '["data", "id"]'],
    [
      "left out if they always lead somewhere",
      "$.data.id",
      schema("required: [data], "),
      undefined,
    ],
    ["left out if data is the body", "$", "", undefined],
    ["left out if data is a list", "$.data[*].id", "", undefined],
  ])("the steps to `data` are %s", async (what, path, response, steps) => {
    const lines = ["binding:", "  method: GET", "  url: https://a.example", `  ${response}`];
    const { bindingCode } = await emitted(
      `steps ${what}`,
      [...lines, `  response_mapping: { path: "${path}" }`].join("\n"),
    );
    expect(/^ {2}dataPath: (.*),$/m.exec(printCode(bindingCode))?.[1]).toBe(steps);
  });
});

describe("result type", () => {
  it("lists each name once, and the names of 2xx statuses among the successes", async () => {
    const { result } = await emitted(
      "statuses",
      "binding: { method: GET, url: 'https://a.example', response_mapping: { status_codes: { 200: found, 203: found, 404: missing, 410: missing, 500: error } } }",
    );
    expect(result).toBe('ToolResult<Data, "missing" | "error", "success" | "found", HttpFault>');
  });
});

describe("statuses with a body of their own", () => {
  const basic =
    "{ type: object, additionalProperties: false, required: [message], properties: { message: { type: string } } }";
  const accepted =
    "{ type: object, additionalProperties: false, required: [job], properties: { job: { type: object, additionalProperties: false, required: [id], properties: { id: { type: integer } } } } }";

  it("`error_schema` gives its type to every failure with a name and without a schema", async () => {
    const { binding, result } = await emitted(
      "errors",
      `binding:
  method: POST
  url: https://a.example
  error_schema: ${basic}
  response_mapping:
    status_codes:
      201: created
      304: unchanged
      404: not_found
      409: { as: conflict, path: $.message }
      422: { as: refused, schema: { type: object, properties: { fields: { type: integer } } } }
      428: { as: unknown_body, schema: true }
      500: error
      default: failed
`,
    );
    expect(result).toBe(
      'ToolResult<Data, "unknown_body" | "error", "success" | "created", HttpFault>' +
        ' | ToolResult<never, "unchanged", never, HttpFault<null>>' +
        ' | ToolResult<never, "not_found" | "failed", never, HttpFault<HandleOrderBody404>>' +
        ' | ToolResult<never, "conflict", never, HttpFault<HandleOrderBody404["message"]>>' +
        ' | ToolResult<never, "refused", never, HttpFault<HandleOrderBody422>>',
    );
    expect(binding).toContain(
      '"404": bodyOf({ schema: null as never as Validator<HandleOrderBody404> })',
    );
    expect(binding).toContain(
      "default: bodyOf({ schema: null as never as Validator<HandleOrderBody404> })",
    );
    expect(binding).not.toMatch(/"(?:304|428|500)": bodyOf/);
    expect(binding).not.toContain("orBody");
    modules["errors-used"] = `${modules["errors"]}
declare const result: Result;
if (result.status === "not_found") result.error.message satisfies string;
if (result.status === "failed") result.error.message satisfies string;
if (result.status === "conflict") result.error satisfies string;
if (result.status === "refused") result.error.fields satisfies number | undefined;
// @ts-expect-error -- a body that nobody describes is any JSON
if (result.status === "unknown_body") result.error.message satisfies string;
// @ts-expect-error -- nothing checks the body of a failure without a name
if (result.status === "error") result.error.message satisfies string;
`;
  });

  it("each status has a member with its own type in the result, and shares a schema's type with other statuses", async () => {
    const { binding, result } = await emitted(
      "bodies",
      `binding:
  method: POST
  url: https://a.example
  response_mapping:
    status_codes:
      200: { as: success, schema: { type: object, additionalProperties: false, properties: { n: { type: number } } }, path: $.n }
      202: { as: accepted, schema: ${accepted}, path: $.job.id }
      204: removed
      304: unchanged
      404: { as: not_found, schema: ${basic}, path: $.message }
      422: { as: refused, schema: ${basic} }
      429: { as: busy, path: $.reason }
      default: failed
`,
    );
    expect(result).toBe(
      'ToolResult<Data, "busy" | "failed" | "error", "success", HttpFault>' +
        ' | ToolResult<HandleOrderBody202["job"]["id"], never, "accepted">' +
        ' | ToolResult<null, never, "removed">' +
        ' | ToolResult<never, "unchanged", never, HttpFault<null>>' +
        ' | ToolResult<never, "not_found", never, HttpFault<HandleOrderBody404["message"]>>' +
        ' | ToolResult<never, "refused", never, HttpFault<HandleOrderBody404>>',
    );
    expect(binding).toContain("find: (body) => body.job.id");
    expect(binding).toContain('"429": bodyOf({ find: (body) => pick(body, "reason") })');
    modules["bodies-used"] = `${modules["bodies"]}
declare const result: Result;
if (result.status === "accepted") result.data satisfies number;
if (result.status === "removed") result.data satisfies null;
if (result.status === "not_found") result.error satisfies string;
if (result.status === "refused") result.error.message satisfies string;
// @ts-expect-error -- what fits no schema is not known
if (result.status === "error") result.error.message satisfies string;
if (result.status === "success") result.data satisfies number | undefined;
`;
  });
});

describe("source positions of emitted code", () => {
  it("every piece that comes from an author's field has the position of that field", async () => {
    const yaml =
      "parameters: { type: object, required: [id], properties: { id: { type: string } } }\n" +
      'binding:\n  method: POST\n  url: https://a.example/{id}\n  query: { q: "a{id}" }\n  headers: { X-A: "{id}" }\n' +
      '  body_template: { b: "{id}" }\n  response_mapping: { path: $.x, status_codes: { 201: made } }\n';
    const { bindingCode } = await emitted("spans", yaml);
    const placed = piecesOf(bindingCode).flatMap(({ text, span }) =>
      span === undefined ? [] : [`${text} < ${yaml.slice(span.start, span.end)}`],
    );
    expect(placed).toEqual(
      expect.arrayContaining([
        '"POST" < POST',
        '"https://a.example/" < https://a.example/{id}',
        '"q" < q',
        '"a" < "a{id}"',
        '"X-A" < X-A',
        '"b" < b',
        '"x" < $.x',
        '"made" < made',
      ]),
    );
    expect(placed.filter((each) => each === "p < {id}")).toHaveLength(4);
  });
});

describe("all emitted modules", () => {
  it("type-check together", () => {
    expect(Object.keys(modules).length).toBeGreaterThan(15);
    expect(typeErrors(modules)).toEqual([]);
  });

  it("a misspelt field in a generated module does not type-check", async () => {
    const { module } = await httpModule(
      "parameters: { type: object, additionalProperties: false, required: [id], properties: { id: { type: string } } }\n" +
        "binding:\n  method: GET\n  url: https://a.example/{id}\n" +
        "  response_schema: { type: object, additionalProperties: false, properties: { data: { type: string } } }\n" +
        "  response_mapping: { path: $.data }\n",
    );
    expect(typeErrors({ right: module })).toEqual([]);
    const errors = typeErrors({
      parameter: module.replace("p.id", "p.idd"),
      field: module.replace("body.data", "body.dta"),
    });
    expect(errors).toHaveLength(2);
    expect(errors[0]).toContain("Property 'idd' does not exist");
    expect(errors[1]).toContain("Property 'dta' does not exist");
  });
});
