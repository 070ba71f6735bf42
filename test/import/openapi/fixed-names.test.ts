/** A map parameter must not accept a name that the request uses elsewhere, or a caller could override a fixed value. */
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { put, skillc } from "../../cli/support/command-line.js";
import { compileFiles, linesOf } from "../../support/compile.js";
import { importText, ok, openApi, serve } from "./support.js";

const map = { type: "object", additionalProperties: { type: "string" } };
const account = { type: "string", enum: ["mine"] };

function parameter(where: string, name: string, schema: object, more: object = {}): object {
  return { name, in: where, schema, ...more };
}

/** The schema of `filter` in an imported tool that compiles without a diagnostic, and its notes. */
async function imported(
  parameters: readonly object[],
  more: Readonly<Record<string, unknown>> = {},
  path = "/a",
) {
  const text = openApi(
    { [path]: { get: { operationId: "getA", tags: ["a"], parameters, ...ok } } },
    more,
  );
  const { files, report } = await importText(text);
  const written = files["skills/a/metadata.yaml"];
  expect(linesOf(await compileFiles(files), files)).toEqual([]);
  const [operation] = report.operations;
  const notes = operation?.notes.map(({ message }) => message);
  const tool = written === undefined ? undefined : parse(written).tools_schema["get-a"];
  return { notes, filter: tool?.parameters.properties?.filter, taken: operation?.taken };
}

const names = (pattern: string) => ({ propertyNames: { not: { pattern } } });

describe("a map beside other entries", () => {
  test("sends nothing if it has the name of a validated parameter", async () => {
    let requests = 0;
    const at = await serve((_request, response) => {
      requests += 1;
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
    const parameters = [
      parameter("query", "account", account, { required: true }),
      parameter("query", "filter", map),
    ];
    const { root } = await importText(
      openApi({ "/a": { get: { operationId: "a", parameters, ...ok } } }),
    );
    put(root, ".env", `SHOP_URL=${at}\n`);
    expect(await skillc(root, ["generate"])).toMatchObject({ code: 0, stderr: "" });
    const call = (filter: object) =>
      skillc(root, [
        "call",
        "a/a",
        "--json",
        "--args",
        JSON.stringify({ account: "mine", filter }),
      ]);
    for (const name of ["account", "account[]", "account[0]"]) {
      const { stdout } = await call({ [name]: "other" });
      expect(stdout).toContain("/filter");
    }
    expect(requests).toBe(0);
    expect((await call({ accounts: "all" })).code).toBe(0);
    expect(requests).toBe(1);
  });

  test("accepts no name of a key, of the path's query, or of another parameter", async () => {
    const securitySchemes = { key: { type: "apiKey", in: "query", name: "api.key" } };
    const parameters = [
      parameter("query", "filter", map),
      parameter("query", "page[size]", { type: "integer" }),
      parameter("query", "ids[]", { type: "array", items: { type: "string" } }),
      parameter("query", "more", { type: "object", properties: { x: { type: "string" } } }),
      parameter("header", "X-Trace", { type: "string" }),
    ];
    const { filter, notes, taken } = await imported(
      parameters,
      { security: [{ key: [] }], components: { securitySchemes } },
      "/a?v=1",
    );
    const pattern = "^(?:page\\[size\\]|ids|x|api\\.key|v)(?:\\[|$)";
    expect(filter).toEqual({ ...map, ...names(pattern) });
    expect(taken).toBe("whole");
    expect(notes).toContain(
      "`filter` accepts no property `page[size]`, `ids`, `x`, `api.key`, `v`, because the request already has an entry with that name",
    );
  });

  test.each([
    ["cookie", {}, "^(?:account)(?:\\[|$)"],
    ["query", { style: "deepObject" }, undefined],
    ["query", { explode: false }, undefined],
    ["header", {}, undefined],
  ])("excludes fixed names in a %s with %j", async (where, more, pattern) => {
    const { filter } = await imported([
      parameter(where, "account", account),
      parameter(where, "filter", map, more),
    ]);
    expect(filter).toEqual({ ...map, ...(pattern !== undefined && names(pattern)) });
  });

  test("accepts no name in brackets that a parameter has", async () => {
    const { filter } = await imported([
      parameter("query", "filter[account]", account),
      parameter("query", "filter[by][day]", { type: "string" }),
      parameter("query", "filter", map, { style: "deepObject" }),
    ]);
    expect(filter).toEqual({ ...map, ...names("^(?:account|by)(?:\\[|$)") });
  });

  test("accepts no declared property of a fixed name, with a note", async () => {
    const schema = { type: "object", properties: { account, note: { type: "string" } } };
    const { filter, notes, taken } = await imported([
      parameter("query", "account", account),
      parameter("query", "filter", schema),
    ]);
    expect(filter.allOf).toEqual([
      { ...names("^(?:account)(?:\\[|$)"), properties: { account: false } },
    ]);
    expect([taken, notes]).toEqual([
      "part",
      [
        "`filter` accepts no property `account`, because the request already has an entry with that name",
      ],
    ]);
  });

  test.each([
    [false, "the import leaves out the parameter `filter`: "],
    [true, "no value fits the required parameters: "],
  ])("gets omitted if it requires a fixed name (required: %s)", async (required, words) => {
    const schema = { type: "object", required: ["account"], properties: { account } };
    const { filter, notes, taken } = await imported([
      parameter("query", "account", account),
      parameter("query", "filter", schema, { required }),
    ]);
    expect([filter, taken]).toEqual([undefined, required ? "no" : "part"]);
    expect(notes?.join("\n")).toContain(words);
  });

  test("a text or a list beside other entries excludes no names", async () => {
    const either = { oneOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] };
    const { filter, notes } = await imported([
      parameter("query", "account", account),
      parameter("query", "filter", either),
    ]);
    expect([filter, notes]).toEqual([either, []]);
  });

  test("keeps the document's schema for a map that is closed or alone", async () => {
    const closed = { type: "object", additionalProperties: false, properties: { a: account } };
    const other = parameter("query", "account", account);
    expect((await imported([other, parameter("query", "filter", closed)])).filter).toEqual(closed);
    expect((await imported([parameter("query", "filter", map)])).filter).toEqual(map);
  });

  test("accepts no name that another field of a form has in brackets", async () => {
    const schema = { type: "object", properties: { filter: map, "filter[account]": account } };
    const content = { "application/x-www-form-urlencoded": { schema } };
    const { files } = await importText(
      openApi({ "/a": { post: { operationId: "a", requestBody: { content }, ...ok } } }),
    );
    expect(linesOf(await compileFiles(files), files)).toEqual([]);
    const { properties } = parse(files["skills/a/metadata.yaml"] ?? "").tools_schema.a.parameters;
    expect(properties.filter).toEqual({ ...map, ...names("^(?:account)(?:\\[|$)") });
  });
});
