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
});
