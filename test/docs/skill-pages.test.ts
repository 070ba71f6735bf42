import { describe, expect, test } from "vitest";
import { bindingSchema } from "../../src/kit/common-keys.js";
import { handlerBinding } from "../../src/bindings/handler/index.js";
import { httpSchema } from "../../src/bindings/http/schema.js";
import { parameterBindingSchema, planSchema } from "../../src/bindings/plan/compile/schema.js";
import { queueSchema } from "../../src/bindings/queue/schema.js";
import { sqlSchema } from "../../src/bindings/sql/schema.js";
import { databaseKeys } from "../../src/bindings/sql/settings.js";
import { toolKeys } from "../../src/compiler/resolve/tool-schema.js";
import { settingKeys } from "../../src/compiler/resolve/skill-settings.js";
import { isJsonObject, type JsonValue } from "../../src/core/json.js";
import { compileFiles, linesOf } from "../support/compile.js";
import { blocksOf, pagesBelow, readPage, withSkillFiles } from "../support/page-blocks.js";

const pages = ["docs/skills", "docs/http", "docs/sql"].flatMap(pagesBelow);
const blocks = [...pages, "docs/commands-and-files.md"].flatMap((page) =>
  blocksOf(readPage(page)).map((block) => ({ ...block, page, path: block.path ?? "" })),
);

const isSkill = (path: string): boolean => /^skills\/[^/]+\/metadata\.(yaml|json)$/.test(path);
const examples = blocks.filter(({ path }) => isSkill(path));

/** The settings and schema files that a page's SQL tools need, and the SKILL.md files that it shows. */
function filesBeside(page: string, text: string): Readonly<Record<string, string>> {
  const needed = blocks.filter(
    (block) =>
      block.page === page &&
      (block.path.endsWith("/SKILL.md") ||
        (text.includes("type: sql") && ["skillc.yaml", "db/schema.sql"].includes(block.path))),
  );
  return Object.fromEntries(needed.map(({ path, text: file }) => [path, file]));
}

const exampleAt = (path: string): string =>
  examples.find((example) => example.path === path)?.text ?? "";

/** Names of properties in a schema, and in all schemas inside. */
function keysWithin(schema: JsonValue): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(keysWithin);
  if (!isJsonObject(schema)) return [];
  const properties = schema["properties"];
  const own = isJsonObject(properties) ? Object.keys(properties) : [];
  return [...own, ...Object.values(schema).flatMap(keysWithin)];
}

describe("pages of skills, HTTP and SQL tools", () => {
  test("every tool stands in a metadata file, and each topic shows a tool", () => {
    expect(examples.length).toBeGreaterThan(25);
    const tools = blocks.filter(({ text }) => /^"?tools(_schema)?"?:/m.test(text));
    expect(tools.filter(({ path }) => !isSkill(path))).toEqual([]);
    expect(examples.map(({ page }) => page)).toEqual(
      expect.arrayContaining(["docs/skills/index.md", "docs/http/index.md", "docs/sql/results.md"]),
    );
  });

  test.each(examples)("$page: $path compiles without a warning", async ({ page, path, text }) => {
    const files = withSkillFiles({ ...filesBeside(page, text), [path]: text });
    const compilation = await compileFiles(files);
    expect(linesOf(compilation, files)).toEqual([]);
    expect(compilation.files.length).toBeGreaterThan(0);
  });

  test("no page has more than 2,200 words, and no index more than 400", () => {
    const isTooLong = (page: string): boolean => {
      const count = readPage(page)
        .split(/\s+/)
        .filter((word) => word !== "").length;
      return count > (page.endsWith("/index.md") ? 400 : 2200);
    };
    expect(pages.filter(isTooLong)).toEqual([]);
  });

  test("the example about labels sends undeclared parameters only if the schema states that there may be others", async () => {
    const path = "skills/labels/metadata.yaml";
    const { files } = await compileFiles(withSkillFiles({ [path]: exampleAt(path) }));
    const bodyOf = (tool: string) =>
      /body: (.*)/.exec(files.find((each) => each.path === `labels/${tool}.ts`)?.text ?? "")?.[1];
    expect(bodyOf("label")).toBe('omit(p, "id"),');
    expect(bodyOf("rename")).toBe("{ name: p.name },");
  });

  test("the documented escape gives the text `${a}`", async () => {
    const written = /^\| `(\S+)`\s+\| the text `\$\{a\}`/m.exec(
      readPage("docs/skills/declare-a-tool.md"),
    )?.[1];
    const tool = `get: { description: Gets., binding: { type: http, method: GET, url: "https://a.example/", query: { dollar: "${written}" } } }`;
    const files = {
      "skills/desk/SKILL.md": `---\nname: desk\ndescription: A desk.\ntools: { ${tool} }\n---\n`,
    };
    const compiled = await compileFiles(files);
    const modules = compiled.files.map((each) => each.text).join("\n");
    expect(modules).toContain('["dollar", "${a}"]');
  });

  test("the reference names every key that skillc reads", () => {
    const keys = [
      ...toolKeys,
      ...settingKeys,
      ...Object.keys(bindingSchema(handlerBinding)["properties"] ?? {}),
      ...Object.keys(httpSchema.properties),
      ...Object.keys(httpSchema.properties.response_mapping.properties),
      ...Object.keys(queueSchema["properties"] ?? {}),
      ...Object.keys(sqlSchema["properties"] ?? {}),
      ...keysWithin(planSchema),
      ...keysWithin(parameterBindingSchema),
      ...databaseKeys,
    ];
    const page = [
      "docs/skills/reference.md",
      "docs/queues/reference.md",
      "docs/sql/connect-a-database.md",
    ]
      .map(readPage)
      .join("\n");
    const named = (key: string) => new RegExp(`[\`.*]${key}[\`.]`).test(page);
    expect(keys.filter((key) => !named(key))).toEqual([]);
  });
});
