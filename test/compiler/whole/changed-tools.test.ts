import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { httpBinding } from "../../../src/bindings/http/index.js";
import { openEmbedded } from "../../../src/bindings/sql/database/pglite.js";
import { startThread } from "../../../src/bindings/sql/database/start-thread.js";
import { createSqlBinding } from "../../../src/bindings/sql/index.js";
import type { CompileCache } from "../../../src/compiler/compile-cache.js";
import { compileFiles, typeCheck } from "../../support/compile.js";

const skill = "skills/shop/SKILL.md";

const project = {
  "skillc.yaml": "databases:\n  SHOP: { schema: [db/schema.sql] }\n",
  "db/schema.sql": "CREATE TABLE orders (id bigint PRIMARY KEY, note text, quantity int NOT NULL);",
  [skill]: `---
name: shop
description: Looks after orders.
metadata: {}
tools_schema:
  find-orders:
    description: Finds orders by their note.
    note?: string
    least: { type: integer, description: The least quantity. }
    binding:
      type: sql
      connection: \${SHOP}
      max_rows: 10
      query: >-
        SELECT id, quantity FROM orders
        WHERE note = :note AND quantity >= :least
  count-orders:
    description: Counts them.
    binding: { type: sql, connection: "\${SHOP}", query: "SELECT count(*) AS n FROM orders", rows: one }
  get-order:
    description: Gets one.
    id: string
    binding: { type: http, method: GET, url: "https://orders.example.com/{id}" }
---
Be kind.
`,
};

/** A cache in memory that forgets as the one on disk does: what a run neither asks for, makes nor spares. */
function createCache(): CompileCache & { readonly prune: () => void } {
  const entries = new Map<string, string>();
  const images = new Map<string, Uint8Array<ArrayBuffer>>();
  const used = new Set<string>();
  return {
    get(key) {
      if (entries.has(key)) used.add(key);
      return entries.get(key);
    },
    set(key, value) {
      used.add(key);
      entries.set(key, value);
    },
    keep: (keys) => keys.forEach((key) => used.add(key)),
    bytes: {
      get: async (key) => images.get(key),
      set: async (key, value) => void images.set(key, new Uint8Array(value)),
    },
    prune() {
      for (const key of entries.keys()) if (!used.has(key)) entries.delete(key);
      used.clear();
    },
  };
}

const cache = createCache();

/** A run with the cache, or one that knows of none. */
async function compiled(text: string, isWarm: boolean) {
  const mock = vi.mocked(startThread);
  const before = mock.mock.calls.length;
  const files = { ...project, [skill]: text };
  const { diagnostics, files: output } = await compileFiles(files, {
    ...(isWarm && { cache, sql: createSqlBinding(openEmbedded) }),
  });
  if (isWarm) cache.prune();
  return { diagnostics, output, engines: mock.mock.calls.length - before };
}

beforeAll(async () => {
  await compiled(project[skill], true);
});

function watchTypeChecks() {
  const spy = vi.spyOn(cache, "set");
  onTestFinished(() => spy.mockRestore());
  return () => spy.mock.calls.filter(([, value]) => value === "sound").length;
}

describe("with what the last run kept", () => {
  const text = project[skill];
  test.each([
    ["nothing", text],
    ["a description", text.replace("Finds orders by", "Finds all orders by")],
    ["what was edited before, taken back", text],
    ["a comment above the tools", text.replace("metadata: {}", "metadata: {}\n# The tools:")],
    ["a comment in a binding", text.replace("max_rows: 10", "max_rows: 10 # a page")],
    ["prose", text.replace("Be kind", "Be brief")],
    ["another tool", text.replace("  get-order:", "  find-order:")],
    ["a tool that is gone", text.replace(/ {2}get-order:[^]*?---/, "---")],
  ])("no engine starts after an edit of %s, and all is as in a run without", async (_, edited) => {
    const warm = await compiled(edited, true);
    const cold = await compiled(edited, false);
    expect(cold.diagnostics.map(({ code }) => code)).toContain("sql/never-true");
    expect(warm).toEqual({ ...cold, engines: 0 });
  });

  test.each([
    ["a query", text.replace("SELECT id, quantity", "SELECT quantity, id")],
    ["a parameter", text.replace("least: { type: integer", "least: { maximum: 9, type: integer")],
    [
      "the folding of a query",
      text.replace("SELECT id, quantity FROM", "SELECT id,\n        quantity FROM"),
    ],
  ])("the engine is asked after an edit of %s", async (_, edited) => {
    const warm = await compiled(edited, true);
    const cold = await compiled(edited, false);
    expect(warm).toEqual({ ...cold, engines: 1 });
  });

  test("only code that no run has checked is type-checked", async () => {
    await compiled(text, true);
    const checked = watchTypeChecks();
    await compiled(text.replace("Gets one.", "Gets an order."), true);
    await compiled(text.replace("Be kind", "Be quick"), true);
    expect(checked()).toBe(0);
    await compiled(
      text
        .replace("    id: string\n", "    id: { type: string }\n    more?: integer\n")
        .replace("/{id}", "/{id}?m={more}"),
      true,
    );
    expect(checked()).toBeGreaterThan(0);
  });
});

test("modules that import code of the user's own are type-checked in every run: it may have changed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "skillc-own-code-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const module = join(folder, "runtime.ts");
  const { runtime } = httpBinding;
  const kind = { ...httpBinding, type: "own", runtime: { ...runtime, module: "own/runtime" } };
  const paths = { ...typeCheck.compilerOptions.paths, "own/runtime": [module] };
  const options = {
    cache: createCache(),
    kinds: [kind],
    typeCheck: { ...typeCheck, compilerOptions: { ...typeCheck.compilerOptions, paths } },
  };
  const files = { [skill]: ownTool };
  const exports = 'export * from "skillc/runtime/http";\n';
  writeFileSync(module, exports);
  const first = await compileFiles(files, options);
  expect(first.files.map(({ path }) => path)).toContain("shop/get-order.ts");
  writeFileSync(module, `${exports}export declare function http(contract: never): never;\n`);
  const { diagnostics } = await compileFiles(files, options);
  expect(diagnostics.map(({ code }) => code)).toContain("generate/type-error");
});

const ownTool = `---
name: shop
description: Looks after orders.
metadata: {}
tools:
  get-order:
    description: Gets one.
    id: string
    binding: { type: own, method: GET, url: "https://orders.example.com/{id}" }
---
`;
