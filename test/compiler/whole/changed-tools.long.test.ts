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
async function compiled(
  text: string,
  isWarm: boolean,
  more: Readonly<Record<string, string>> = {},
) {
  const mock = vi.mocked(startThread);
  const before = mock.mock.calls.length;
  const files = { ...project, ...more, [skill]: text };
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

describe("the cache of the last run", () => {
  const text = project[skill];
  test.each([
    ["nothing", text],
    ["a description", text.replace("Finds orders by", "Finds all orders by")],
    ["the previous edit, which is reverted", text],
    ["a comment above the tools", text.replace("metadata: {}", "metadata: {}\n# The tools:")],
    ["a comment in a binding", text.replace("max_rows: 10", "max_rows: 10 # a page")],
    ["prose", text.replace("Be kind", "Be brief")],
    ["another tool", text.replace("  get-order:", "  find-order:")],
    ["a tool that is gone", text.replace(/ {2}get-order:[^]*?---/, "---")],
  ])(
    "spares the engine after an edit of %s, and the output equals a run without it",
    async (_, edited) => {
      const warm = await compiled(edited, true);
      const cold = await compiled(edited, false);
      expect(cold.diagnostics.map(({ code }) => code)).toContain("sql/never-true");
      expect(warm).toEqual({ ...cold, engines: 0 });
    },
  );

  test.each([
    ["a query", text.replace("SELECT id, quantity", "SELECT quantity, id")],
    ["a parameter", text.replace("least: { type: integer", "least: { maximum: 9, type: integer")],
    [
      "the folding of a query",
      text.replace("SELECT id, quantity FROM", "SELECT id,\n        quantity FROM"),
    ],
  ])("does not spare the engine after an edit of %s", async (_, edited) => {
    const warm = await compiled(edited, true);
    const cold = await compiled(edited, false);
    expect(warm).toEqual({ ...cold, engines: 1 });
  });

  test("spares the formatter all entries of the catalog, which has one fixed form", async () => {
    await compiled(text, true);
    const spy = vi.spyOn(cache, "set");
    onTestFinished(() => spy.mockRestore());
    await compiled(text.replace("Gets one.", "Gets just one."), true);
    const made = spy.mock.calls.map(([, text]) => /^const (\w+): CatalogTool/.exec(text)?.[1]);
    expect(made.filter((name) => name !== undefined)).toEqual([]);
  });

  test("limits type checks to code that no run has checked", async () => {
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

describe("a tool whose parameters name no types", () => {
  const text = project[skill]
    .replace("note?: string", "note?:")
    .replace("least: { type: integer, description: The least quantity. }", "least:")
    .replace(
      "  get-order:",
      '  find-note:\n    description: Finds one.\n    note:\n    binding: { type: sql, connection: "${SHOP}", query: "SELECT id FROM orders WHERE note = :note" }\n  get-order:',
    );
  const wider = {
    "db/schema.sql": project["db/schema.sql"].replace("quantity int", "quantity bigint"),
  };

  test("gets printed again alone after a migration that changes one of its types", async () => {
    const before = await compiled(text, true);
    const after = await compiled(text, true, wider);
    const cold = await compiled(text, false, wider);
    expect(after).toEqual({ ...cold, engines: 1 });
    expect(typeOf(before, "least")).toBe("least: number;");
    expect(typeOf(after, "least")).toBe("least: string;");
    const changed = after.output.filter(
      ({ path, text }) => before.output.find((each) => each.path === path)?.text !== text,
    );
    expect(changed.map(({ path }) => path).toSorted()).toEqual([
      "databases/shop.ts",
      "shop/catalog.ts",
      "shop/find-orders.ts",
      "shop/find-orders.validate.ts",
      "shop/versions.ts",
      "versions.ts",
    ]);
    // The schema of before, from what was kept then or made again.
    expect(await compiled(text, true)).toMatchObject({ output: before.output });
  });

  test("needs no engine if only the lines above it change", async () => {
    await compiled(text, true);
    const edited = text.replace("metadata: {}", "metadata: {}\n# The tools:");
    const warm = await compiled(edited, true);
    const cold = await compiled(edited, false);
    expect(warm).toEqual({ ...cold, engines: 0 });
  });

  test("changes its manifest hash with a type from the database", async () => {
    const before = await compiled(text, true);
    const after = await compiled(text, true, wider);
    expect(manifestOf(before, "find-orders")).not.toBe(manifestOf(after, "find-orders"));
    expect(manifestOf(before, "find-note")).toBe(manifestOf(after, "find-note"));
    expect(manifestOf(before, "find-orders")).toMatch(/^[0-9a-f]{64}-[0-9a-f]{64}$/);
    expect(manifestOf(before, "count-orders")).toMatch(/^[0-9a-f]{64}$/);
  });

  type Run = Awaited<ReturnType<typeof compiled>>;

  function textOf({ output }: Run, tool: string): string {
    return output.find(({ path }) => path === `shop/${tool}.ts`)?.text ?? "";
  }

  function typeOf(run: Run, parameter: string): string | undefined {
    return new RegExp(`${parameter}: \\w+;`).exec(textOf(run, "find-orders"))?.[0];
  }

  function manifestOf(run: Run, tool: string): string | undefined {
    return /manifest:\s+"(.*)"/.exec(textOf(run, tool))?.[1];
  }
});

test("type-checks modules that import the user's own code in every run", async () => {
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
  const exports = 'export * from "@skillc/runtime/v1/http";\n';
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

test("reads a new metadata.yaml of a cached skill, and forgets a removed one", async () => {
  const kept = createCache();
  const bare = { "skills/desk/SKILL.md": "---\nname: desk\ndescription: Greets.\n---\n" };
  const tools = "tools_schema: { greet: { description: Greet someone., name: string } }\n";
  const pathsOf = async (files: Readonly<Record<string, string>>) => {
    const { files: output } = await compileFiles(files, { cache: kept });
    return output.map(({ path }) => path).filter((path) => path.endsWith("/greet.ts"));
  };
  expect(await pathsOf(bare)).toEqual([]);
  expect(await pathsOf({ ...bare, "skills/desk/metadata.yaml": tools })).toEqual(["desk/greet.ts"]);
  expect(await pathsOf(bare)).toEqual([]);
});
