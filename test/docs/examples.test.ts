/** What README and pages of docs/ show is what there is: their TypeScript compiles, their diagnostics are printed so, their links lead somewhere. */
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { makeProject, skillc } from "../cli/support/command-line.js";
import { linkPackages, tsc } from "../support/tsc.js";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string): string => readFileSync(join(repository, path), "utf8");

function blocksOf(page: string, language: string): readonly string[] {
  const fence = new RegExp(`^\`\`\`${language}(?: .*)?\\n([\\s\\S]*?)^\`\`\`$`, "gm");
  return [...read(page).matchAll(fence)].map(([, text = ""]) => text);
}

test.each([
  ["README.md", 3],
  ["docs/queues.md", 1],
  ["docs/runtime.md", 7],
])(
  "every TypeScript example of %s compiles in a project with this repository's skills",
  async (page, count) => {
    const root = makeProject({ "package.json": '{"type": "module"}' });
    cpSync(join(repository, "test/docs/project"), root, { recursive: true });
    cpSync(join(repository, "generated"), join(root, "generated"), { recursive: true });
    linkPackages(root, ["skillc", "@types/node", "undici-types"]);
    const examples = blocksOf(page, "ts");
    expect(examples).toHaveLength(count);
    for (const [index, text] of examples.entries())
      writeFileSync(join(root, `example-${index + 1}.ts`), text);
    expect(await tsc(root)).toBe("");
  },
);

describe("README.md", () => {
  test("its first diagnostic is what its first skill gives, to the letter", async () => {
    const [skill = ""] = blocksOf("README.md", "yaml title=skills/order-desk/SKILL.md");
    const [diagnostic = ""] = blocksOf("README.md", "text");
    const root = makeProject({ "skills/order-desk/SKILL.md": skill });
    const { code, stderr } = await skillc(root, ["check"]);
    expect(stderr.split("\n\n")).toContain(diagnostic.trimEnd());
    expect(code).toBe(1);
  });

  test("its SQL diagnostic is what a misspelt column gives, and its Kysely code is what is generated", async () => {
    const [, diagnostic = "", builder = ""] = blocksOf("README.md", "text");
    const skill = read("skills/warehouse/SKILL.md").replace("p.price, p.tags", "p.prise, p.tags");
    const root = makeProject({
      "skillc.yaml": read("skillc.yaml"),
      "examples/warehouse/schema.sql": read("examples/warehouse/schema.sql"),
      "skills/warehouse/SKILL.md": skill,
    });
    const { stderr } = await skillc(root, ["check"]);
    expect(stderr.split("\n\n")).toContain(diagnostic.trimEnd());
    const inOneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
    expect(inOneLine(read("generated/warehouse/get-product.ts"))).toContain(inOneLine(builder));
  });

  test("its tutorial's command for tsc finds nothing in the application, and the mistake in the wrong one", async () => {
    const page = read("README.md");
    const written = (path: string): string =>
      new RegExp(`^cat > ${path} <<'EOF'\\n([\\s\\S]*?)^EOF$`, "m").exec(page)?.[1] ?? "";
    const root = makeProject({
      "package.json": '{"type": "module"}',
      "skills/orders/SKILL.md": written("skills/orders/SKILL.md"),
      "app.ts": written("app.ts"),
      "wrong.ts": written("app.ts").replaceAll('order_id: "ord_1001"', "order_id: 1001"),
    });
    linkPackages(root, ["skillc"]);
    expect((await skillc(root, ["generate"])).code).toBe(0);
    const args = /npx tsc (.*) wrong\.ts/.exec(page)?.[1]?.split(" ") ?? [];
    expect(await tsc(root, [...args, "app.ts"])).toBe("");
    const faults = (await tsc(root, [...args, "wrong.ts"])).trimEnd().split("\n");
    expect(faults).toHaveLength(2);
    for (const fault of faults) expect(fault).toMatch(/^wrong\.ts\(.*error TS2322/);
  });

  test("its links lead to files, and those of the documentation are in the package", () => {
    const links = [...read("README.md").matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(
      ([, path = ""]) => path,
    );
    // Our own package.json.
    const { files } = JSON.parse(read("package.json")) as { files: readonly string[] };
    const isPacked = (path: string): boolean =>
      path === "LICENSE" || files.some((each) => path === each || path.startsWith(`${each}/`));
    const notPacked = new Set(["CONTRIBUTING.md", "examples/graphql", "skills/warehouse/SKILL.md"]);
    expect(links.length).toBeGreaterThan(5);
    expect(links.filter((path) => !existsSync(join(repository, path)))).toEqual([]);
    expect(links.filter((path) => !isPacked(path) && !notPacked.has(path))).toEqual([]);
  });
});

test("docs/runtime.md names every function that the entry point exports for applications", async () => {
  const page = read("docs/runtime.md");
  const names = Object.keys(await import("../../src/runtime/index.js"));
  // What generated modules are made of, and stores of the application's own.
  const others = new Set([
    "callTool",
    "defineTool",
    "createFileLedger",
    "entryOf",
    "recordOf",
    "ToolError",
  ]);
  expect(names.filter((name) => !others.has(name) && !page.includes(name))).toEqual([]);
});
