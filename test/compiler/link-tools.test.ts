import { expect, test } from "vitest";
import { createRegistry } from "../../src/bindings/registry.js";
import { compileCatalog } from "../../src/compiler/compile-catalog.js";
import { parseConfig } from "../../src/compiler/config/parse-config.js";
import { createStopwatch } from "../../src/compiler/stopwatch.js";
import { createReport } from "../../src/core/report.js";
import { defineBinding } from "../../src/kit/binding.js";
import { unknownTool } from "../../src/kit/project-tools.js";
import { literalText } from "../../src/kit/text-template.js";
import { noteBinding } from "../support/rooted-kind.js";
import { compileFiles } from "../support/compile.js";

/** A kind whose text is the name of another tool. A tool of it may have only calls without a required parameter. */
const relay = defineBinding({
  ...noteBinding,
  type: "relay",
  diagnostics: {
    ...noteBinding.diagnostics,
    "relay/unknown-tool": { severity: "error", title: "", explanation: "", example: {}, fixed: {} },
    "relay/required": { severity: "error", title: "", explanation: "", example: {}, fixed: {} },
  },
  link(_tool, { text }, tools, report) {
    const name = literalText(text) ?? "";
    const other = tools.find(name);
    if (other === undefined) {
      report.add({ code: "relay/unknown-tool", span: text.span, ...unknownTool(name, tools) });
      return;
    }
    const { schema } = other.tool.parameters;
    if (typeof schema === "object" && JSON.stringify(schema).includes('"required":["'))
      report.add({ code: "relay/required", span: text.span, message: `${other.id} needs more` });
  },
});

const relayed = (name: string, to: string) => `---
name: ${name}
description: Relays calls.
tools:
  relay:
    description: Calls another tool.
    binding: { type: relay, text: ${to} }
---
`;

const stock = (parameters: string) => `---
name: stock
description: Stock.
tools:
  count:
    description: Counts the stock.
    parameters: ${parameters}
---
`;

const sku = "{ type: object, properties: { sku: { type: string } } }";
const size = "{ type: object, properties: { size: { type: integer } } }";

const project = (parameters: string) => ({
  "skills/desk/SKILL.md": relayed("desk", "stock/count"),
  "skills/shop/SKILL.md": relayed("shop", "desk/relay"),
  "skills/stock/SKILL.md": stock(parameters),
});

function createCache() {
  const entries = new Map<string, string>();
  return {
    get: (key: string) => entries.get(key),
    set: (key: string, value: string) => void entries.set(key, value),
  };
}

type Compiled = Awaited<ReturnType<typeof compileFiles>>;

const manifestOf = ({ lowered }: Compiled, id: string) =>
  lowered.flatMap(({ tools }) => tools).find((tool) => tool.id === id)?.version.manifest;

const errorsOf = ({ diagnostics }: Pick<Compiled, "diagnostics">) =>
  diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ code, message }) => ({ code, message }));

test("reports a tool that links to an unknown tool", async () => {
  const files = { ...project(sku), "skills/desk/SKILL.md": relayed("desk", "stock/cuont") };
  expect(errorsOf(await compileFiles(files, { sql: relay }))).toContainEqual({
    code: "relay/unknown-tool",
    message: "the project has no tool `stock/cuont`",
  });
});

test("a unit records the tools that its tools depend on", async () => {
  const compiled = await compileFiles(project(sku), { sql: relay });
  const dependencies = compiled.lowered.flatMap(({ tools }) =>
    tools.map((tool) => [tool.id, Object.keys(tool.dependencies ?? {})]),
  );
  expect(dependencies).toEqual([
    ["desk/relay", ["stock/count"]],
    ["shop/relay", ["desk/relay"]],
    ["stock/count", []],
  ]);
});

test("a cached skill is kept while the tools that it depends on stay the same", async () => {
  const cache = createCache();
  const first = await compileFiles(project(sku), { cache, sql: relay });
  const again = await compileFiles(project(sku), { cache, sql: relay });
  expect(errorsOf(first)).toEqual([]);
  expect(again.counts).toMatchObject({ compiled: 0, reused: 3 });
  expect(again.files.map(({ path, text }) => [path, text])).toEqual(
    first.files.map(({ path, text }) => [path, text]),
  );
});

test("a cached skill is compiled again if a tool changes that it depends on, however far away", async () => {
  const cache = createCache();
  const first = await compileFiles(project(sku), { cache, sql: relay });
  const changed = await compileFiles(project(size), { cache, sql: relay });
  expect(changed.counts).toMatchObject({ compiled: 3, reused: 0 });
  for (const id of ["desk/relay", "shop/relay", "stock/count"])
    expect(manifestOf(changed, id)).not.toBe(manifestOf(first, id));
  const fresh = await compileFiles(project(size), { sql: relay });
  expect(changed.files.map(({ text }) => text)).toEqual(fresh.files.map(({ text }) => text));
});

test("the rules of a cached skill are checked against the changed tool", async () => {
  const cache = createCache();
  await compileFiles(project(sku), { cache, sql: relay });
  const required = "{ type: object, required: [sku], properties: { sku: { type: string } } }";
  const changed = await compileFiles(project(required), { cache, sql: relay });
  expect(errorsOf(changed)).toEqual([
    { code: "relay/required", message: "stock/count needs more" },
  ]);
});

test("tools that depend on each other are compiled", async () => {
  const files = {
    "skills/desk/SKILL.md": relayed("desk", "shop/relay"),
    "skills/shop/SKILL.md": relayed("shop", "desk/relay"),
  };
  expect(errorsOf(await compileFiles(files, { sql: relay }))).toEqual([]);
});

test("a tool without dependencies has the manifest of its author's words alone", async () => {
  const compiled = await compileFiles(project(sku), { sql: relay });
  expect(manifestOf(compiled, "stock/count")).toMatch(/^[0-9a-f]{64}$/);
  expect(manifestOf(compiled, "desk/relay")).toMatch(/^[0-9a-f]{64}-[0-9a-f]{64}$/);
});

test("the catalog for comparisons has the same manifests as the compiled project", async () => {
  const files = project(sku);
  const report = createReport({});
  const { catalog } = await compileCatalog({
    project: {
      files: new Map(Object.entries(files).map(([path, text]) => [path, { path, text }])),
    },
    config: parseConfig(undefined, report),
    kinds: createRegistry([relay]),
    stopwatch: createStopwatch(() => 0),
  });
  const compiled = await compileFiles(files, { sql: relay });
  const ids = ["desk/relay", "shop/relay", "stock/count"];
  expect(
    catalog.skills.flatMap(({ tools }) => tools.map((tool) => [tool.id, tool["manifest_hash"]])),
  ).toEqual(ids.map((id) => [id, manifestOf(compiled, id)]));
});
