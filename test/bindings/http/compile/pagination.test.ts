import { describe, expect, it } from "vitest";
import { httpPages } from "../../../../src/bindings/http/pages.js";
import { httpTool } from "../../support/http-tool.js";

const schema =
  "{ type: object, properties: { orders: { type: array, items: { type: string } }, meta: { type: object, properties: { next: { type: string } } } } }";

/** A GET whose `paginate` is in line 6, of a body that may have a schema. */
const paged = (paginate: string, names: readonly string[] = ["cursor"], method = "GET") =>
  httpTool(
    [
      `parameters: { type: object, properties: { ${names.map((name) => `${name}: { type: string }`).join(", ")} } }`,
      "binding:",
      `  method: ${method}`,
      "  url: https://a.example/",
      `  query: { ${names.map((name) => `${name}: "{${name}}"`).join(", ")} }`,
      `  paginate: ${paginate}`,
      `  response_schema: ${schema}`,
    ].join("\n"),
  );

describe("paginate", () => {
  it("reads the way to the next page and the place of the items", () => {
    const { lines, resolved, tool } = paged(
      "{ next: cursor, at: $.meta.next, parameter: cursor, items: $.orders }",
    );
    expect(lines).toEqual([]);
    expect(resolved?.config.pagination).toMatchObject({
      by: "cursor",
      parameter: { name: "cursor" },
    });
    expect(resolved && tool && httpPages(resolved.config, tool.parameters)).toEqual({
      items: ["orders"],
      next: "next",
      parameter: "cursor",
    });
  });

  it("the parameter for the next page gets a name that the tool doesn't use yet", () => {
    const { resolved, tool } = paged("{ next: link_header, items: $.orders }", [
      "next",
      "next_page",
    ]);
    const pages = resolved && tool && httpPages(resolved.config, tool.parameters);
    expect(pages?.next).toBe("next_page_");
  });

  it.each([
    [
      "{ next: cursor, parameter: cursor, items: $.orders }",
      "6:13 http/bad-pagination `next: cursor` needs `at` (name the place of the cursor in the body: `at: $.meta.next`)",
    ],
    [
      "{ next: page, items: $.orders }",
      "6:13 http/bad-pagination `next: page` needs `parameter` (name the parameter of the tool that selects the page: `parameter: page`)",
    ],
    [
      "{ next: link_header, parameter: cursor, items: $.orders }",
      "6:34 http/bad-pagination `next: link_header` doesn't use `parameter` (remove it, or choose another `next`)",
    ],
    [
      "{ next: cursor, at: '$.orders[*]', parameter: cursor, items: $.orders }",
      "6:33 http/bad-pagination `$.orders[*]` may find several values, but `at` needs exactly one (write a path that leads to one place: `$.meta.next`)",
    ],
    [
      "{ next: link_header, items: '$.orders[0]' }",
      "6:41 http/bad-pagination `$.orders[0]` contains more than names of properties (write the path of the list itself: `$.items`)",
    ],
    [
      "{ next: page, parameter: cursr, items: $.orders }",
      "6:38 http/unknown-page-parameter `cursr` is not a parameter of the tool (did you mean `cursor`?)",
    ],
    [
      "{ next: link_header }",
      "6:13 http/no-page-items a page has an object where its items should be (write `items: $.orders`)",
    ],
    [
      "{ next: cursor, at: $.meta.nxt, parameter: cursor, items: $.orders }",
      "6:40 http/unknown-response-field `meta` has no field `nxt` by its schema (did you mean `next`?)",
    ],
  ])("reports the mistake in %s", (paginate, line) => {
    const { lines } = paged(paginate);
    expect(lines.map((each) => each.replace(/ \[[^]*?\] (?=`|a page)/, " "))).toEqual([line]);
  });

  it("rejects pages of a tool that writes", () => {
    const { lines } = paged("{ next: link_header, items: $.orders }", ["cursor"], "PUT");
    expect(lines.join("\n")).toContain("only reads can have pages");
  });

  /** A GET whose `paginate` is in line 6; a schema of the body is in line 7. */
  const typed = (paginate: string, body = `response_schema: ${rows}`, further = "") =>
    httpTool(
      [
        `${further}`,
        "parameters: { type: object, properties: { after: { type: string }, limit: { type: integer }, page: { type: number }, labels: { type: array, items: { type: string } } } }",
        "binding:",
        "  method: GET",
        "  url: https://a.example/\n  query: { after: '{after}', limit: '{limit}', page: '{page}', labels: '{labels}' }",
        `  paginate: ${paginate}`,
        ...(body === "" ? [] : [`  ${body}`]),
      ].join("\n"),
    ).lines.map((each) => each.replace(/ \[[^]*?\] (?=`)/, " "));
  const rows =
    "{ type: object, properties: { rows: { type: array }, more: { type: boolean }, last: { const: false }, meta: { type: object, properties: { next: { type: [string, 'null'] }, at: { type: integer }, digits: { type: string, pattern: '^[0-9]+$' } } } } }";

  it.each([
    [
      "{ next: cursor, at: $.meta, parameter: after, items: $.rows }",
      "7:33 http/bad-pagination `$.meta` is an object by the schema, but a cursor is text or a number (write `at: $.meta.next` or `at: $.meta.at` or `at: $.meta.digits`)",
    ],
    [
      "{ next: cursor, at: $.rows, parameter: after, items: $.rows }",
      "7:33 http/bad-pagination `$.rows` is an array by the schema, but a cursor is text or a number (write the path to the cursor itself: `at: $.meta.next`)",
    ],
    [
      "{ next: cursor, at: $.meta.next, parameter: limit, items: $.rows }",
      "7:57 http/unlikely-cursor `limit` is an integer, but the cursor is text by the schema (name the parameter that takes the cursor; if each cursor is a number, describe it by a `pattern` such as `^[0-9]+$`)",
    ],
    [
      "{ next: cursor, at: $.meta.next, parameter: labels, items: $.rows }",
      "7:57 http/bad-pagination `labels` is an array, but it gets a cursor (name a parameter that is a number or text)",
    ],
    [
      "{ next: page, parameter: labels, items: $.rows }",
      "7:38 http/bad-pagination `labels` is an array, but it gets the number of a page (name a parameter that is a number or text)",
    ],
    [
      "{ next: offset, parameter: page, limit: labels, items: $.rows }",
      "7:53 http/bad-pagination `labels` is an array, but it gets the number of items (name a parameter that is a number or text)",
    ],
    [
      "{ next: page, parameter: page, more: $.meta, items: $.rows }",
      "7:50 http/bad-pagination `$.meta` is an object by the schema, but `more` needs `true` on every page except the last (write the path to a boolean, or remove `more`)",
    ],
    [
      "{ next: page, parameter: page, more: $.last, items: $.rows }",
      "7:50 http/bad-pagination `$.last` is never `true` by the schema, but `more` needs `true` on every page except the last (write the path to a boolean, or remove `more`)",
    ],
  ])("holds %s against the schemas", (paginate, line) => {
    expect(typed(paginate)).toEqual([line]);
    // Without a schema of its own, the body is what the tool returns.
    expect(typed(paginate, "", `returns: ${rows}`)).toEqual([line]);
  });

  it.each([
    "{ next: cursor, at: $.meta.next, parameter: after, items: $.rows }",
    "{ next: cursor, at: $.meta.at, parameter: after, items: $.rows }",
    "{ next: cursor, at: $.meta.at, parameter: limit, items: $.rows }",
    "{ next: cursor, at: $.meta.digits, parameter: limit, items: $.rows }",
    "{ next: page, parameter: page, limit: limit, more: $.more, items: $.rows }",
    "{ next: page, parameter: after, items: $.rows }",
  ])("accepts %s", (paginate) => {
    expect(typed(paginate)).toEqual([]);
    expect(typed(paginate, "", `returns: ${rows}`)).toEqual([]);
    expect(typed(paginate, "")).toEqual([]);
  });

  it("looks for the cursor in `returns` only as far as it describes the whole body", () => {
    const paginate = "{ next: cursor, at: $.next, parameter: after, items: $.rows }";
    const open = "{ type: object, properties: { rows: { type: array } } }";
    expect(typed(paginate, "", `returns: ${open}`)).toEqual([]);
    expect(
      typed(paginate, "", `returns: ${open.replace("{", "{ additionalProperties: false,")}`),
    ).toEqual([
      "7:35 http/unknown-response-field [next] the body has no field `next` by its schema (it has `rows`)",
    ]);
    const mapped = "response_mapping: { path: $.data }";
    expect(
      typed(
        "{ next: cursor, at: $.meta, parameter: after, items: $.rows }",
        mapped,
        `returns: ${rows}`,
      ),
    ).toEqual([]);
  });
});
