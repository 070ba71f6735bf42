/** Migrations of a copy of skills/warehouse, each followed by `skillc db types` and the user's `tsc` alone. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { linkPackages, tsc } from "../../support/tsc.js";
import { filesIn, makeProject, put, skillc } from "../support/command-line.js";

const ownText = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), "utf8");

const files = {
  "skillc.yaml": "databases:\n  WAREHOUSE_URL: { schema: [db/*.sql] }\n",
  "skills/warehouse/SKILL.md": ownText("skills/warehouse/SKILL.md"),
  "skills/warehouse/metadata.yaml": ownText("skills/warehouse/metadata.yaml"),
  "db/1_tables.sql": ownText("examples/warehouse/schema.sql"),
  "tsconfig.json": JSON.stringify({
    compilerOptions: {
      target: "es2023",
      module: "nodenext",
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
    },
    include: ["generated"],
  }),
};

/** What `tsc` says in each tool that no longer fits, by tool. */
type Faults = Readonly<Record<string, string>>;

interface Round {
  /** Of columns that no two tools share, so that each fault has one cause. */
  readonly migrations: readonly string[];
  readonly faults: Faults;
}

function of(tools: readonly string[], says: string): Faults {
  return Object.fromEntries(tools.map((tool) => [tool, says]));
}

const named = [
  "best-sellers",
  "get-product",
  "low-stock",
  "products-with-attribute",
  "search-products",
];

const rounds: readonly Round[] = [
  {
    migrations: [
      "ALTER TABLE products ALTER name DROP NOT NULL",
      "ALTER TABLE locations ALTER aisle TYPE text",
      "ALTER TYPE order_status ADD VALUE 'lost'",
      // A parameter that may be absent goes there, by its place in INSERT … SELECT.
      "ALTER TABLE movements ALTER note SET NOT NULL",
      "ALTER TABLE stock ADD COLUMN shelf text NOT NULL",
    ],
    faults: {
      ...of(named, "Types of property 'name' are incompatible"),
      "stock-of": `Type 'Pg<"text">' is not assignable to type 'Pg<"int2">'`,
      ...of(
        ["cancel-order", "order-count", "own-orders", "recent-orders"],
        "Types of property 'status' are incompatible",
      ),
      "move-stock": "Argument of type 'string | null' is not assignable",
      "record-count": `is not assignable to type 'InsertObjectOrListFactory<Database, "stock", never>'`,
    },
  },
  {
    migrations: [
      "ALTER TABLE products RENAME name TO title",
      // Both are numbers in TypeScript.
      "ALTER TABLE locations ALTER aisle TYPE integer",
      "ALTER TABLE movements ADD COLUMN booked_by text NOT NULL",
    ],
    faults: {
      ...of(named, "name"),
      "stock-of": `Type 'Pg<"int4">' is not assignable to type 'Pg<"int2">'`,
      "move-stock": "Property 'booked_by' is missing",
    },
  },
  {
    migrations: [
      // Both are strings in TypeScript.
      "ALTER TABLE products ALTER price TYPE bigint",
      "ALTER TABLE stock ALTER counted_at TYPE date",
    ],
    faults: {
      ...of(
        ["get-product", "search-products"],
        `Type 'Pg<"int8">' is not assignable to type 'Pg<"numeric">'`,
      ),
      ...of(["record-count", "stock-of"], "Types of property 'counted_at' are incompatible"),
    },
  },
  {
    migrations: [
      "ALTER TABLE stock ALTER counted_at SET NOT NULL",
      "ALTER TABLE products ALTER name TYPE text, ALTER discontinued_at TYPE date",
      "ALTER TABLE orders ALTER status DROP DEFAULT, ALTER note SET DEFAULT ''",
      "ALTER TABLE customers ADD COLUMN phone text, ALTER name DROP NOT NULL",
    ],
    faults: {},
  },
];

test("tsc names exactly the tools that no longer fit", { timeout: 300_000 }, async () => {
  const root = makeProject(files);
  linkPackages(root, ["@skillc/runtime"]);
  expect(await skillc(root, ["generate"])).toMatchObject({ code: 0 });
  expect(await tsc(root)).toBe("");
  for (const { faults, migrations } of rounds) {
    put(root, "db/2_migrations.sql", migrations.map((each) => `${each};\n`).join(""));
    expect(await skillc(root, ["db", "types"])).toMatchObject({ code: 0, stderr: "" });
    const found = faultsByTool(await tsc(root));
    expect(Object.keys(found).toSorted()).toEqual(Object.keys(faults).toSorted());
    for (const [tool, says] of Object.entries(faults)) expect(found[tool]).toContain(says);
  }
});

test("`db types` changes one module after a migration, and `generate --check` finds the tools that tsc finds", async () => {
  const root = makeProject(files);
  linkPackages(root, ["@skillc/runtime"]);
  expect(await skillc(root, ["generate"])).toMatchObject({ code: 0 });
  expect(await tsc(root)).toBe("");
  await expectAllSeen(root);
  const before = filesIn(root);

  put(root, "db/2_rename.sql", "ALTER TABLE stock RENAME COLUMN counted_at TO last_count;\n");
  const checked = await skillc(root, ["db", "types", "--check"]);
  expect(checked.code).toBe(1);
  expect(checked.stderr).toContain("--> generated/databases/warehouse-url.ts");
  expect(checked.stderr).toContain("run `skillc db types`");
  const written = await skillc(root, ["db", "types"]);
  expect(written).toMatchObject({ code: 0, stderr: "" });
  expect(written.stdout).toMatch(/✓ generated\/databases\/warehouse-url\.ts\n {2}written · /);

  const after = filesIn(root);
  const changed = Object.keys(after).filter((path) => after[path] !== before[path]);
  expect(changed).toEqual([
    "db/2_rename.sql",
    "generated/databases/warehouse-url.ts",
    "generated/versions.ts",
  ]);
  expect(Object.keys(faultsByTool(await tsc(root))).toSorted()).toEqual([
    "record-count",
    "stock-of",
  ]);
  const drift = await skillc(root, ["generate", "--check", "--json"]);
  const { diagnostics } = JSON.parse(drift.stdout) as {
    diagnostics: { code: string; tool: string | null; severity: string }[];
  };
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(new Set(errors.map(({ tool }) => tool))).toEqual(new Set(["record-count", "stock-of"]));
});

/** `tsc` can only find what it sees: `check` says how much that is. */
async function expectAllSeen(root: string): Promise<void> {
  const { stdout } = await skillc(root, ["check", "--json"]);
  const { tools } = JSON.parse(stdout) as {
    tools: { skill: string; references: { seen: number; all: number }; notTranslated: unknown }[];
  };
  expect(tools).toHaveLength(15);
  for (const { skill, references, notTranslated } of tools) {
    expect([skill, notTranslated]).toEqual(["warehouse", null]);
    expect(references.seen).toBe(references.all);
    expect(references.all).toBeGreaterThan(4);
  }
  const all = tools.reduce((sum, { references }) => sum + references.all, 0);
  expect((await skillc(root, ["check"])).stdout).toContain(
    `tsc checks ${all} of ${all} references to columns, tables and parameters in 15 tools\n`,
  );
}

function faultsByTool(output: string): Faults {
  const faults: Record<string, string> = {};
  for (const each of output.split(/^(?=\S)/m).filter((text) => text !== "")) {
    const tool = /^generated\/warehouse\/(?<tool>[^.]+)\.ts\(/.exec(each)?.groups?.["tool"] ?? each;
    faults[tool] = `${faults[tool] ?? ""}${each}`;
  }
  return faults;
}
