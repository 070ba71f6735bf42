import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { deskFiles, filesIn, makeProject, put, skillc } from "../support/command-line.js";

const schemaPath = "db/1_tables.sql";
const typesPath = "generated/databases/warehouse-url.ts";

/** A project with one small tool. */
const shop = {
  "skillc.yaml": `databases:\n  WAREHOUSE_URL: { schema: [db/*.sql] }\n`,
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
  "skills/warehouse/SKILL.md": `---
name: warehouse
description: Counts things.
tools_schema:
  things-of:
    description: The things of a kind.
    parameters: { type: object, additionalProperties: false, required: [kind], properties: { kind: { type: string } } }
    binding:
      type: sql
      connection: \${WAREHOUSE_URL}
      query: SELECT id, name FROM things WHERE kind = :kind ORDER BY id
---
Count them.
`,
  [schemaPath]: "CREATE TABLE things (id int4 PRIMARY KEY, kind text NOT NULL, name text);\n",
};

describe("db types", () => {
  test("writes the same files as `generate`, and reports them", async () => {
    const root = makeProject(shop);
    const asJson = async (...flags: readonly string[]) =>
      JSON.parse((await skillc(root, ["db", "types", "--json", ...flags])).stdout) as unknown;
    expect(await asJson("--check")).toMatchObject({
      diagnostics: [typesPath, "generated/versions.ts"].map((file) => ({
        code: "output/out-of-date",
        file,
        help: "run `skillc db types`",
      })),
      changed: [typesPath, "generated/versions.ts"],
    });
    expect(Object.keys(filesIn(root))).not.toContain(typesPath);
    expect(await asJson()).toEqual({
      diagnostics: [],
      accepted: [],
      changed: [typesPath, "generated/versions.ts"],
    });
    const types = filesIn(root)[typesPath];
    await skillc(root, ["generate"]);
    expect(filesIn(root)[typesPath]).toBe(types);
    expect(await asJson("--check")).toEqual({ diagnostics: [], accepted: [], changed: [] });
    expect(await skillc(root, ["generate", "--check"])).toMatchObject({ code: 0 });
  });

  test("overwrites no file that was edited by hand, and writes nothing for a schema that does not load", async () => {
    const root = makeProject(shop);
    await skillc(root, ["db", "types"]);
    const types = filesIn(root)[typesPath] ?? "";
    put(root, typesPath, `${types}// mine\n`);
    put(root, schemaPath, `${shop[schemaPath]}\nCREATE TABLE notes (id int4);\n`);
    const edited = await skillc(root, ["db", "types"]);
    expect(edited.code).toBe(1);
    expect(edited.stderr).toContain("output/edited-by-hand");
    put(root, typesPath, types);
    put(root, schemaPath, `${shop[schemaPath]}\nCREATE TABLE notes (id int5);\n`);
    const refused = await skillc(root, ["db", "types"]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("error[sql/schema-does-not-load]");
    expect(filesIn(root)[typesPath]).toBe(types);
  });

  test("writes nothing if no tool uses a database, and stops at an unreadable skill", async () => {
    const root = makeProject(deskFiles);
    expect(await skillc(root, ["db", "types"])).toEqual({
      code: 0,
      stdout: "✓ no tool uses a database that skillc.yaml names\n",
      stderr: "",
    });
    put(root, "skills/desk/metadata.json", "{");
    expect((await skillc(root, ["db", "types"])).code).toBe(1);
    expect(Object.keys(filesIn(root)).toSorted()).toEqual(Object.keys(deskFiles).toSorted());
  });
});

describe("a database's schema", () => {
  test("causes one error if it is larger than 2 MiB", async () => {
    const large = `${shop[schemaPath]}\n${"-- filler\n".repeat(220_000)}`;
    const { code, stdout } = await skillc(makeProject({ ...shop, [schemaPath]: large }), [
      "check",
      "--json",
    ]);
    expect(code).toBe(1);
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { severity: string }[] };
    expect(diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([
      {
        code: "read/too-large",
        file: schemaPath,
        message: `\`${schemaPath}\` is larger than 2 MiB`,
        help: "split it: skillc.yaml may name several files, in their order",
      },
    ]);
  });

  test("stays in the cache as a loaded engine, which may be lost at any time", async () => {
    const root = makeProject(shop);
    await skillc(root, ["check"]);
    const large = join(root, ".skillc/cache/large");
    const kept = () =>
      existsSync(large) ? readdirSync(large).map((name) => join(large, name)) : [];
    expect(kept()).toEqual([]);
    await skillc(root, ["generate"]);
    const [first = ""] = kept();
    const edit = () =>
      put(root, "skills/warehouse/SKILL.md", `${filesIn(root)["skills/warehouse/SKILL.md"]}\n`);
    edit();
    const before = filesIn(join(root, "generated"));
    expect(await skillc(root, ["generate"])).toMatchObject({ code: 0 });
    expect(kept()).toEqual([first]);
    writeFileSync(first, readFileSync(first).subarray(0, 1000));
    edit();
    expect(await skillc(root, ["generate"])).toMatchObject({ code: 0 });
    expect(filesIn(join(root, "generated/databases"))).toEqual({
      "warehouse-url.ts": before["databases/warehouse-url.ts"],
    });
    expect(statSync(first).size).toBeGreaterThan(1_000_000);
  });
});
