/** The examples of README and docs/ are true: their TypeScript compiles, and skillc prints their diagnostics. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
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

function pagesOf(folder: string): readonly string[] {
  return readdirSync(join(repository, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}/${name}`);
}

/** Pages of a folder that show TypeScript. Examples of the page about tests are tests themselves. */
function pagesWithExamples(folder: string): readonly string[] {
  return pagesOf(folder).filter(
    (page) => page !== "docs/runtime/testing.md" && blocksOf(page, "ts").length > 0,
  );
}

/** Their TypeScript is for a project with this repository's skills. */
const pages = [
  "README.md",
  ...[
    "deployment",
    "mcp",
    "rollback",
    "runs",
    "plans-on-many-machines",
    "queues/delivery",
    "queues/send-a-message",
  ].map((name) => `docs/${name}.md`),
  ...["docs/governance", "docs/ledger", "docs/runtime"].flatMap(pagesWithExamples),
];

test("every TypeScript example of README and pages compiles in a project with this repository's skills", async () => {
  const root = makeProject({ "package.json": '{"type": "module"}' });
  cpSync(join(repository, "test/docs/project"), root, { recursive: true });
  cpSync(join(repository, "generated"), join(root, "generated"), { recursive: true });
  // The pages know only one tool that needs a handler.
  const handlers = join(root, "generated/api-builder/handlers.ts");
  writeFileSync(handlers, "export interface ApiBuilderHandlers {}\n");
  linkPackages(root, ["@skillc/runtime", "@types/node", "undici-types"]);
  linkPackages(root, ["@modelcontextprotocol/node", "hono", "@hono/node-server"]);
  linkPackages(root, ["@anthropic-ai/sdk", "openai"]);
  linkPackages(root, ["@dbos-inc/dbos-sdk"]);
  for (const page of pages) {
    const examples = blocksOf(page, "ts");
    expect(examples).not.toEqual([]);
    for (const [index, text] of examples.entries())
      writeFileSync(join(root, `${page.replaceAll(/[/.]/g, "-")}-${index + 1}.ts`), text);
  }
  expect(await tsc(root)).toBe("");
});

test("every TypeScript example of docs/planner.md compiles with the SDKs of models", async () => {
  const root = makeProject({ "package.json": '{"type": "module"}' });
  for (const [to, from] of [
    ["llm.ts", "llm.ts"],
    ["tsconfig.json", "project/tsconfig.json"],
  ] as const)
    cpSync(join(repository, "test/docs", from), join(root, to));
  cpSync(join(repository, "generated"), join(root, "generated"), { recursive: true });
  linkPackages(root, ["skillc", "@skillc/runtime", "@types/node", "undici-types", "kysely"]);
  linkPackages(root, ["@anthropic-ai/sdk", "openai", "ai"]);
  for (const [index, text] of blocksOf("docs/planner.md", "ts").entries())
    writeFileSync(join(root, `planner-${index + 1}.ts`), text);
  // The declarations of the AI SDK don't compile with `exactOptionalPropertyTypes`.
  expect(await tsc(root, ["--skipLibCheck"])).toBe("");
});

describe("README.md", () => {
  test("its first diagnostic is what its first skill gives, to the letter", async () => {
    const [tools = ""] = blocksOf("README.md", "yaml title=skills/order-desk/metadata.yaml");
    const [diagnostic = ""] = blocksOf("README.md", "text");
    const root = makeProject({
      "skills/order-desk/SKILL.md": "---\nname: order-desk\ndescription: Looks up orders.\n---\n",
      "skills/order-desk/metadata.yaml": tools,
    });
    const { code, stderr } = await skillc(root, ["check"]);
    expect(stderr.split("\n\n")).toContain(diagnostic.trimEnd());
    expect(code).toBe(1);
  });

  test("links only to files of the package, except for files that only the repository has", () => {
    const links = [...read("README.md").matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(
      ([, path = ""]) => path,
    );
    // Our own package.json.
    const { files } = JSON.parse(read("package.json")) as { files: readonly string[] };
    const isPacked = (path: string): boolean =>
      path === "LICENSE" || files.some((each) => path === each || path.startsWith(`${each}/`));
    const notPacked = new Set(["CONTRIBUTING.md", "examples/graphql"]);
    expect(links.length).toBeGreaterThan(5);
    expect(links.filter((path) => !isPacked(path) && !notPacked.has(path))).toEqual([]);
  });
});

test("a misspelt column gives the diagnostic of docs/sql/index.md, and the fixed skill gives its Kysely code", async () => {
  const [diagnostic = "", builder = ""] = blocksOf("docs/sql/index.md", "text");
  const tools = read("skills/warehouse/metadata.yaml").replace(
    "p.price, p.tags",
    "p.prise, p.tags",
  );
  const root = makeProject({
    "skillc.yaml": read("skillc.yaml"),
    "examples/warehouse/schema.sql": read("examples/warehouse/schema.sql"),
    "skills/warehouse/SKILL.md": read("skills/warehouse/SKILL.md"),
    "skills/warehouse/metadata.yaml": tools,
  });
  const { stderr } = await skillc(root, ["check"]);
  expect(stderr.split("\n\n")).toContain(diagnostic.trimEnd());
  const inOneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
  expect(inOneLine(read("generated/warehouse/get-product.ts"))).toContain(inOneLine(builder));
});

test("the examples of docs/runtime/testing.md are the tests in test/runtime/testing/page, which run", () => {
  const page = read("docs/runtime/testing.md");
  const examples = [...page.matchAll(/^```ts title=(\S+)\n([\s\S]*?)^```$/gm)];
  const folder = "test/runtime/testing/page";
  const files = readdirSync(join(repository, folder));
  expect(examples.map(([, name = ""]) => name).toSorted()).toEqual(files.toSorted());
  for (const [, name = "", text = ""] of examples)
    expect(read(`${folder}/${name}`)).toBe(
      text.replaceAll('"./generated/', '"../../../../generated/'),
    );
});

test("docs/runtime and docs/ledger name every function that the entry point exports for applications", async () => {
  const page = [...pagesOf("docs/runtime"), ...pagesOf("docs/ledger")].map(read).join("\n");
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
