/** The import writes only what the compiler accepts. */
import { describe, expect, test } from "vitest";
import { skillc } from "../../cli/support/command-line.js";
import type { Operation } from "../../../src/import/openapi/model.js";
import { soundSkills } from "../../../src/import/openapi/skills/sound-skills.js";
import { importText, ok, openApi } from "./support.js";

const json = (schema: object) => ({
  responses: { 200: { description: "ok", content: { "application/json": { schema } } } },
});
const body = (type: string) => ({
  ...ok,
  requestBody: { required: true, content: { [type]: { schema: { type: "string" } } } },
});
const inQuery = (schema: object) => ({
  ...ok,
  parameters: [{ name: "q", in: "query", required: true, schema }],
});
const key = `ghp_${"aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1bC2"}`;

describe("an operation whose tool the compiler rejects", () => {
  test.each([
    ["a media type with a line break", { post: body("text/x\r\nX-A: 1") }, /one line/],
    [
      "a listed value with half a surrogate pair",
      { get: inQuery({ type: "string", enum: ["\ud800"] }) },
      /not well-formed Unicode/,
    ],
    [
      "a key of a credential's form as a listed value",
      { get: inQuery({ type: "string", enum: [key] }) },
      /reads like a secret/,
    ],
  ])("causes no error but a reason: %s", async (_, item, why) => {
    const text = openApi({ "/a": item, "/fine": { get: ok } });
    const { code, report, root } = await importText(text);
    expect(code).toBe(0);
    expect(report.operations).toMatchObject([
      { path: "/a", taken: "no" },
      { path: "/fine", taken: "whole" },
    ]);
    expect(report.operations[0]?.notes.at(-1)?.message).toMatch(why);
    expect(await skillc(root, ["generate"])).toMatchObject({ code: 0 });
  });

  test("a credential in a path is never replaced, because the request would go elsewhere", async () => {
    const text = openApi({ [`/${key}/a`]: { get: ok }, "/fine": { get: ok } });
    const { files, report } = await importText(text);
    expect(report.operations).toMatchObject([{ taken: "no" }, { path: "/fine", taken: "whole" }]);
    expect(JSON.stringify(files)).not.toMatch(/ghp_|xxx/);
  });

  test("a tool that nests too deep leaves the others of its skill in place", async () => {
    let deep: object = { type: "string" };
    for (let level = 0; level < 60; level += 1) deep = { type: "object", properties: { a: deep } };
    const { code, report } = await importText(
      openApi({ "/a/deep": { get: json(deep) }, "/a/fine": { get: ok } }),
    );
    expect(code).toBe(0);
    expect(report.operations).toMatchObject([{ taken: "no" }, { taken: "whole" }]);
  });

  test("a credential in a shared schema leaves out the operations that need the schema", async () => {
    const schemas = {
      Key: { type: "string", enum: [key] },
      Bad: { type: "object", properties: { key: { $ref: "#/components/schemas/Key" } } },
    };
    const bad = json({ $ref: "#/components/schemas/Bad" });
    const text = openApi(
      {
        "/a/bad": { get: bad },
        "/a/fine": { get: ok },
        "/b/bad": { get: bad },
        "/b/fine": { get: ok },
      },
      { components: { schemas } },
    );
    const { files, report, root } = await importText(text);
    expect(report.operations.map(({ path, taken }) => [path, taken])).toEqual([
      ["/a/bad", "no"],
      ["/a/fine", "whole"],
      ["/b/bad", "no"],
      ["/b/fine", "whole"],
    ]);
    expect(Object.keys(files).filter((path) => path.endsWith(".json"))).toEqual([]);
    expect(await skillc(root, ["generate"])).toMatchObject({ code: 0 });
  });
});

test("the checks end although each one finds another bad operation", async () => {
  const at = { document: {} as never, pointer: "" };
  const operations = Array.from({ length: 40 }, (_, index): Operation => ({
    method: "GET",
    path: `/${index}`,
    at,
    tags: [],
    isDeprecated: false,
    parameters: [],
    responses: [],
    servers: [],
    notes: [],
  }));
  const composed: number[] = [];
  const { built } = await soundSkills(operations, async (all) => {
    const usable = all.filter(({ obstacle }) => obstacle === undefined);
    composed.push(usable.length);
    const tools = usable.map((operation, index) => ({
      name: `tool-${operation.path.slice(1)}`,
      operation,
      hasPages: false,
      tool: {
        description: "A tool.",
        binding: { type: "http", url: index === 0 ? 1 : "${A_URL}" },
      },
    }));
    const metadata = { tools_schema: Object.fromEntries(tools.map((t) => [t.name, t.tool])) };
    const files = new Map([
      ["a/SKILL.md", "---\nname: a\ndescription: A skill.\n---\n\n# A\n"],
      ["a/metadata.yaml", JSON.stringify(metadata)],
    ]);
    return { built: { skills: tools.length === 0 ? [] : [{ name: "a", auth: [], tools }] }, files };
  });
  expect(composed).toEqual([40, 39, 38, 37, 36, 0]);
  expect(built.skills).toEqual([]);
});
