/** The import writes only what the compiler accepts. */
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
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

test("an import accepts the warnings of its tools, so that a strict check passes", async () => {
  const schemas = {
    Part: { type: "object", required: ["tags"], properties: { tag: { type: "string" } } },
  };
  const part = json({ $ref: "#/components/schemas/Part" });
  const text = openApi(
    { "/a": { get: part }, "/b/1": { get: part }, "/b/2": { get: part }, "/b/3": { get: ok } },
    { components: { schemas } },
  );
  const { files, report, root } = await importText(text);
  const accept = { "schema/undeclared-required": "the API's document has it" };
  const tools = ["a", "b"].map((skill) => parse(files[`skills/${skill}/metadata.yaml`] ?? ""));
  expect(tools).toMatchObject([
    { tools_schema: { "get-a": { accept } } },
    { tools_schema: { "get-b-1": { accept }, "get-b-2": { accept } } },
  ]);
  expect(tools[1].tools_schema["get-b-3"]).not.toHaveProperty("accept");
  expect(report.operations.map(({ notes, taken }) => [taken, notes[0]?.message])).toEqual([
    ...Array.from({ length: 3 }, () => [
      "whole",
      expect.stringMatching(
        /^the import accepts `schema\/undeclared-required`: `tags` is required/,
      ),
    ]),
    ["whole", undefined],
  ]);
  expect(await skillc(root, ["check", "--strict"])).toMatchObject({ code: 0 });
});

test("an import notes a tool that takes too much of a model's context, and accepts it", async () => {
  const large = { type: "object", properties: { a: { description: "x".repeat(70_000) } } };
  const requestBody = { content: { "application/json": { schema: large } } };
  const { files, report, root } = await importText(
    openApi({ "/a": { post: { ...ok, requestBody } } }),
  );
  const [{ notes } = { notes: [] }] = report.operations;
  expect(notes.map(({ message }) => message).join()).toMatch(
    /the import accepts `tool\/model-schema`: the parameters of `post-a` take 69 KiB/,
  );
  const metadata: unknown = parse(files["skills/a/metadata.yaml"] ?? "");
  expect(metadata).toMatchObject({
    tools_schema: { "post-a": { accept: { "tool/model-schema": expect.any(String) } } },
  });
  expect(await skillc(root, ["check", "--strict"])).toMatchObject({ code: 0 });
});

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
  const built: number[] = [];
  const { files } = await soundSkills(operations, {
    build(all) {
      const usable = all.filter(({ obstacle }) => obstacle === undefined);
      built.push(usable.length);
      const tools = usable.map((operation, index) => ({
        name: `tool-${operation.path.slice(1)}`,
        operation,
        hasPages: false,
        tool: { description: "A tool.", binding: { type: "http", url: index === 0 ? 1 : "${A}" } },
      }));
      return { outcomes: [], skills: tools.length === 0 ? [] : [{ name: "a", auth: [], tools }] };
    },
    async print({ skills }) {
      const tools = skills.flatMap((skill) => skill.tools.map(({ name, tool }) => [name, tool]));
      const metadata = JSON.stringify({ tools_schema: Object.fromEntries(tools) });
      const knowledge = "---\nname: a\ndescription: A skill.\n---\n\n# A\n";
      const all = [["a/SKILL.md", knowledge] as const, ["a/metadata.yaml", metadata] as const];
      return { files: new Map(tools.length === 0 ? [] : all) };
    },
  });
  expect(built).toEqual([40, 39, 38, 37, 36, 0]);
  expect([...files]).toEqual([]);
});
