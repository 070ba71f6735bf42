import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { bindingSchema } from "../../src/kit/common-keys.js";
import { handlerBinding } from "../../src/bindings/handler/index.js";
import { httpSchema } from "../../src/bindings/http/schema.js";
import { queueSchema } from "../../src/bindings/queue/schema.js";
import { sqlSchema } from "../../src/bindings/sql/schema.js";
import { databaseKeys } from "../../src/bindings/sql/settings.js";
import { toolKeys } from "../../src/compiler/resolve/resolve-tool.js";
import { settingKeys } from "../../src/compiler/resolve/skill-settings.js";
import { compileFiles, linesOf } from "../support/compile.js";

const page = readFileSync(new URL("../../docs/skill-format.md", import.meta.url), "utf8");

/** Every fenced block of a language, under the path that its title gives it. */
function blocksOf(language: string): readonly { readonly path: string; readonly text: string }[] {
  const fence = new RegExp(`^\`\`\`${language}(?: title=(\\S+))?\\n([\\s\\S]*?)^\`\`\`$`, "gm");
  return [...page.matchAll(fence)].map(([, path = "", text = ""]) => ({ path, text }));
}

const examples = blocksOf("yaml");

/** What examples of SQL tools need beside them: the settings and the schema of this page. */
const beside = Object.fromEntries(
  [...examples.filter(({ path }) => path === "skillc.yaml"), ...blocksOf("sql")].map(
    ({ path, text }) => [path, text],
  ),
);

describe("docs/skill-format.md", () => {
  test("has examples, and each says which file it is", () => {
    expect(examples.length).toBeGreaterThan(6);
    expect(examples.filter(({ path }) => path === "")).toEqual([]);
    expect(page.match(/^```yaml/gm)).toHaveLength(examples.length);
  });

  test.each(examples)("$path compiles as it stands there", async ({ path, text }) => {
    const files = { ...(text.includes("type: sql") && beside), [path]: text };
    const compilation = await compileFiles(files);
    // Tools in front matter are not portable; everything else is as it should be.
    const lines = linesOf(compilation, files);
    expect(lines.filter((line) => !line.includes("skill/not-portable"))).toEqual([]);
    expect(compilation.files.length).toBeGreaterThan(0);
  });

  test("shows tools in metadata.json, beside a SKILL.md without a warning", async () => {
    const blocks = page.matchAll(/^```(?:md|json) title=(\S+)\n([\s\S]*?)^```$/gm);
    const files = Object.fromEntries([...blocks].map(([, path = "", text = ""]) => [path, text]));
    expect(Object.keys(files)).toEqual([
      "skills/book-shelf/SKILL.md",
      "skills/book-shelf/metadata.json",
    ]);
    const compilation = await compileFiles(files);
    expect(linesOf(compilation, files)).toEqual([]);
    expect(compilation.files.map(({ path }) => path)).toContain("book-shelf/find-books.ts");
  });

  test("sends of an open object what it says", async () => {
    const { path, text } = examples.find((each) => each.path.includes("/labels/")) ?? examples[0]!;
    const { files } = await compileFiles({ [path]: text });
    const bodyOf = (tool: string) =>
      /body: (.*)/.exec(files.find((each) => each.path === `labels/${tool}.ts`)?.text ?? "")?.[1];
    expect(bodyOf("label")).toBe('omit(p, "id"),');
    expect(bodyOf("rename")).toBe("{ name: p.name },");
  });

  test("writes `${a}` for what it says is that text", async () => {
    const written = /^\| `(\S+)`\s+\| the text `\$\{a\}`/m.exec(page)?.[1];
    const tool = `get: { description: Gets., binding: { type: http, method: GET, url: "https://a.example/", query: { dollar: "${written}" } } }`;
    const files = {
      "skills/desk/SKILL.md": `---\nname: desk\ndescription: A desk.\ntools: { ${tool} }\n---\n`,
    };
    const compiled = await compileFiles(files);
    const modules = compiled.files.map((each) => each.text).join("\n");
    expect(modules).toContain('["dollar", "${a}"]');
  });

  test("names every key that skillc reads", () => {
    const keys = [
      ...toolKeys,
      ...settingKeys,
      ...Object.keys(bindingSchema(handlerBinding)["properties"] ?? {}),
      ...Object.keys(httpSchema.properties),
      ...Object.keys(httpSchema.properties.response_mapping.properties),
      ...Object.keys(queueSchema["properties"] ?? {}),
      ...Object.keys(sqlSchema["properties"] ?? {}),
      ...databaseKeys,
    ];
    const named = (key: string) => new RegExp(`[\`.*]${key}[\`.]`).test(page);
    expect(keys.filter((key) => !named(key))).toEqual([]);
  });
});
