import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { filesIn, makeProject, put, skillc } from "../support/command-line.js";

const packageRoot = fileURLToPath(new URL("../../..", import.meta.url));
const ownText = (path: string): string => readFileSync(join(packageRoot, path), "utf8");
const schemaPath = "db/1_tables.sql";
const typesPath = "generated/databases/warehouse-url.ts";

const warehouse = {
  "skillc.yaml": `databases:\n  WAREHOUSE_URL: { schema: [db/*.sql] }\n`,
  "skills/warehouse/SKILL.md": ownText("skills/warehouse/SKILL.md"),
  [schemaPath]: ownText("examples/warehouse/schema.sql"),
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

/** The generated modules in which the user's own `tsc` finds fault. */
function faultyModules(root: string): Promise<readonly string[]> {
  const tsc = join(packageRoot, "node_modules/typescript/bin/tsc");
  return new Promise((resolve) => {
    execFile(process.execPath, [tsc, "--pretty", "false"], { cwd: root }, (_, stdout) => {
      const found = [...stdout.matchAll(/^(\S+?)\(\d+,\d+\): error/gm)].map(
        ([, file = ""]) => file,
      );
      resolve([...new Set(found)].toSorted());
    });
  });
}

/** `tsc` can only find what it sees: `check` says how much that is. */
async function expectAllSeen(root: string): Promise<void> {
  const { stdout } = await skillc(root, ["check", "--json"]);
  const { tools } = JSON.parse(stdout) as {
    tools: { skill: string; references: { seen: number; all: number }; notTranslated: unknown }[];
  };
  expect(tools).toHaveLength(14);
  for (const { skill, references, notTranslated } of tools) {
    expect([skill, notTranslated]).toEqual(["warehouse", null]);
    expect(references.seen).toBe(references.all);
    expect(references.all).toBeGreaterThan(4);
  }
  const all = tools.reduce((sum, { references }) => sum + references.all, 0);
  expect((await skillc(root, ["check"])).stdout).toContain(
    `tsc checks ${all} of ${all} references to columns, tables and parameters in 14 tools\n`,
  );
}

function linkPackage(root: string): void {
  mkdirSync(join(root, "node_modules"));
  symlinkSync(packageRoot, join(root, "node_modules/skillc"));
}

test("after a migration makes tsc fail in exactly the tools that no longer fit", async () => {
  const root = makeProject(warehouse);
  linkPackage(root);
  expect(await skillc(root, ["generate"])).toMatchObject({ code: 0 });
  expect(await faultyModules(root)).toEqual([]);
  await expectAllSeen(root);
  const before = filesIn(root);

  put(root, "db/2_rename.sql", "ALTER TABLE stock RENAME COLUMN counted_at TO last_count;\n");
  const checked = await skillc(root, ["db", "types", "--check"]);
  expect(checked.code).toBe(1);
  expect(checked.stderr).toContain(`--> ${typesPath}`);
  expect(checked.stderr).toContain("run `skillc db types`");
  const written = await skillc(root, ["db", "types"]);
  expect(written).toMatchObject({ code: 0, stderr: "" });
  expect(written.stdout).toMatch(/✓ generated\/databases\/warehouse-url\.ts\n {2}written · /);

  const after = filesIn(root);
  const changed = Object.keys(after).filter((path) => after[path] !== before[path]);
  expect(changed).toEqual(["db/2_rename.sql", typesPath, "generated/versions.ts"]);
  expect(await faultyModules(root)).toEqual([
    "generated/warehouse/record-count.ts",
    "generated/warehouse/stock-of.ts",
  ]);
  const drift = await skillc(root, ["generate", "--check", "--json"]);
  const { diagnostics } = JSON.parse(drift.stdout) as {
    diagnostics: { code: string; tool: string | null; severity: string }[];
  };
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(new Set(errors.map(({ tool }) => tool))).toEqual(new Set(["record-count", "stock-of"]));
});
