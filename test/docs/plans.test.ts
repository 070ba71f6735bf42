/**
 * The skills of docs/plans.md are one project. It compiles, and so does the TypeScript of the page.
 * Tests that docs/guarantees.md names exist.
 */
import { cpSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { makeProject, skillc } from "../cli/support/command-line.js";
import { compileFiles, linesOf } from "../support/compile.js";
import { blocksOf, readPage, withSkillFiles } from "../support/page-blocks.js";
import { linkPackages, tsc } from "../support/tsc.js";

const page = readPage("docs/plans.md");
const blocks = blocksOf(page);
const returns = "skills/returns/metadata.yaml";

const files = withSkillFiles(
  Object.fromEntries(
    blocks.flatMap(({ path, text }) => (path === undefined ? [] : [[path, text] as const])),
  ),
);

function output(start: string): string {
  return (
    blocks.find(({ language, text }) => language === "text" && text.startsWith(start))?.text ?? ""
  );
}

describe("docs/plans.md", () => {
  test("its skills compile as one project, without a warning", async () => {
    const compilation = await compileFiles(files);
    expect(linesOf(compilation, files)).toEqual([]);
    const paths = compilation.files.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining(["returns/refund-order.ts", "service-desk/settle-complaint.ts"]),
    );
  });

  test("the diagnostic of the page is reported for the misspelt field", async () => {
    const wrong = (files[returns] ?? "").replace("output.customer\n", "output.custumer\n");
    const root = makeProject({ ...files, [returns]: wrong });
    const { code, stderr } = await skillc(root, ["check"]);
    expect(stderr.split("\n\n")).toContain(output("error[").trimEnd());
    expect(code).toBe(1);
  });

  test("`skillc plan graph` prints the tree of the page", async () => {
    const { stdout } = await skillc(makeProject(files), ["plan", "graph", "refund-order"]);
    expect(stdout).toBe(output("returns/refund-order\n"));
  });

  test("its TypeScript compiles in a project with its skills", async () => {
    const root = makeProject({ ...files, "package.json": '{"type": "module"}' });
    const { code, stderr } = await skillc(root, ["generate"]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const project = fileURLToPath(new URL("project/tsconfig.json", import.meta.url));
    cpSync(project, join(root, "tsconfig.json"));
    linkPackages(root, ["@skillc/runtime", "@types/node", "undici-types"]);
    const examples = blocks.filter(({ language }) => language === "ts");
    expect(examples.length).toBeGreaterThan(2);
    for (const [index, { text }] of examples.entries())
      writeFileSync(join(root, `example-${index + 1}.ts`), text);
    expect(await tsc(root)).toBe("");
  });

  test("it has at most 2,200 words", () => {
    expect(page.split(/\s+/).filter((word) => word !== "").length).toBeLessThanOrEqual(2200);
  });
});

test("every test that docs/guarantees.md names exists", () => {
  const named = [...readPage("docs/guarantees.md").matchAll(/\btest\/[\w./-]*\w/g)].map(String);
  expect(named.length).toBeGreaterThan(50);
  const folder = fileURLToPath(new URL("../../test", import.meta.url));
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).map(
    (path) => `test/${path.replaceAll("\\", "/")}`,
  );
  // Vitest takes the beginning of a path too.
  expect(named.filter((name) => !paths.some((path) => path.startsWith(name)))).toEqual([]);
});
