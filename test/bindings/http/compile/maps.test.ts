import { describe, expect, it } from "vitest";
import { httpModule } from "../../support/http-module.js";
import { httpTool } from "../../support/http-tool.js";

const open = "{ type: object, additionalProperties: { type: string } }";

function tool(map: string, lines: readonly string[], more = ""): string {
  return [
    `parameters: { type: object, additionalProperties: false, properties: { obj: ${map}${more} } }`,
    "binding:",
    "  method: GET",
    "  url: https://a.example/own?v=1",
    ...lines,
  ].join("\n");
}

const exploded = [
  '  query: { tenant: "{caller.tenant}", "ids[]": "1", f: { value: "{obj}", style: form } }',
];
const warnings = (yaml: string) =>
  httpTool(yaml).lines.filter((line) => line.includes("http/map-beside-names"));

describe("a map beside fixed names", () => {
  it("warns of a map beside fixed names, and lists the names", () => {
    expect(warnings(tool(open, exploded))).toEqual([
      '5:66 http/map-beside-names [{obj}] callers choose the names in `obj`, but the request already has `tenant`, `ids[]`, `v`: a call with such a name is rejected (exclude them: `propertyNames: { not: { enum: ["tenant","ids","v"] } }`, or write `additionalProperties: false`)',
    ]);
    expect(httpTool(tool(open, exploded)).diagnostics).toMatchObject([{ severity: "warning" }]);
  });

  it.each([
    ["excludes them", "{ type: object, propertyNames: { not: { enum: [tenant, ids, v] } } }"],
    [
      "excludes them by a pattern",
      '{ type: object, propertyNames: { not: { pattern: "^(?:tenant|ids|v)" } } }',
    ],
    [
      "is closed",
      "{ type: object, additionalProperties: false, properties: { a: { type: string } } }",
    ],
    ["is no map", "{ type: array, items: { type: string } }"],
  ])("does not warn if the schema of the map %s", (_, map) => {
    expect(warnings(tool(map, exploded))).toEqual([]);
  });

  it("warns if the map's own schema declares a name that the request has", () => {
    const map =
      "{ type: object, additionalProperties: false, required: [a], properties: { a: { type: string }, tenant: { type: integer } } }";
    expect(warnings(tool(map, exploded))).toEqual([
      expect.stringContaining("the request already has `tenant`"),
    ]);
  });

  it("warns of further parts beside declared parts", () => {
    const lines = ['  body: { multipart: { a: x, "b[]": y }, fields: "{obj}" }'];
    const post = (map: string) => tool(map, lines).replace("GET", "POST");
    expect(warnings(post(open))).toEqual([
      expect.stringContaining("the request already has `a`, `b[]`"),
    ]);
    const closed = "{ type: object, propertyNames: { not: { enum: [a, b] } } }";
    expect(warnings(post(closed))).toEqual([]);
  });

  it("does not warn if the map's names are in brackets, or in one value", () => {
    for (const style of ["style: deepObject", "explode: false"])
      expect(
        warnings(tool(open, [`  query: { tenant: "x", f: { value: "{obj}", ${style} } }`])),
      ).toEqual([]);
  });

  it.each([
    [
      "deep objects",
      '  query: { "f[tenant]": "x", f: { value: "{obj}", style: deepObject } }',
      "f[tenant]",
    ],
    ["cookies", '  cookies: { tenant: "x", f: { value: "{obj}", style: form } }', "tenant"],
  ])("warns of a map beside fixed names in %s", (_, line, name) => {
    expect(warnings(tool(open, [line]))).toEqual([
      expect.stringContaining(`the request already has \`${name}\``),
    ]);
  });

  it("warns of a map in a form if another field stands inside of it", () => {
    const yaml = tool(open, ['  body: { form: { "user[role]": member, user: "{obj}" } }']);
    expect(warnings(yaml.replace("GET", "POST"))).toEqual([
      expect.stringContaining("the request already has `user[role]`"),
    ]);
  });

  it("passes the names that another map declares to the call", async () => {
    const page =
      ", page: { type: object, additionalProperties: false, properties: { limit: { type: integer } } }";
    const yaml = tool(
      open,
      ['  query: { f: { value: "{obj}", style: form }, p: { value: "{page}", style: form } }'],
      page,
    );
    expect(warnings(yaml)).toEqual([
      expect.stringContaining("the request already has `v`, `limit`"),
    ]);
    const { binding } = await httpModule(yaml);
    expect(binding).toContain('["f", styled(p.obj, "form", { taken: ["limit"] })]');
    expect(binding).toContain('["p", styled(p.page, "form")]');
  });
});
