/**
 * A pulled schema compiles to the same output as the server itself: the same diagnostics, the same
 * bytes.
 */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { compileUntyped, shared } from "../../../compiler/whole/compile-untyped.js";
import { linesOf } from "../../../support/compile.js";
import { createDatabase, postgresService } from "../../../support/postgres.js";
import { describeWithService } from "../../../support/service.js";
import { pull } from "./pull.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url)).replace(/\/$/, "");

function textsIn(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(`${root}/${folder}`, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    files
      .filter((each) => each.isFile())
      .map(({ name, parentPath }) => `${parentPath}/${name}`)
      .toSorted()
      .map((path) => [path.slice(root.length + 1), readFileSync(path, "utf8")]),
  );
}

interface Case {
  readonly name: string;
  readonly connection: string;
  readonly schema: string;
  readonly skills: Readonly<Record<string, string>>;
}

function caseIn(name: string): Case {
  const folder = `test/cases/${name}`;
  const [, connection = ""] =
    /^ {2}(\w+):/m.exec(readFileSync(`${root}/${folder}/skillc.yaml`, "utf8")) ?? [];
  const skills = Object.entries(textsIn(`${folder}/skills`)).map(([path, text]) => [
    path.slice(folder.length + 1),
    // JSON_TABLE came with PostgreSQL 17: which server it is decides whether it is known.
    text.replace(/^ {2}by-key:\n(?: {3,}.*\n)*/m, ""),
  ]);
  return {
    name,
    connection,
    schema: Object.values(textsIn(`${folder}/db`)).join("\n"),
    skills: Object.fromEntries(skills),
  };
}

const cases: readonly Case[] = [
  {
    name: "the warehouse",
    connection: "WAREHOUSE_URL",
    schema: readFileSync(`${root}/examples/warehouse/schema.sql`, "utf8"),
    skills: textsIn("skills/warehouse"),
  },
  ...["sql-diagnostics", "sql-odd-names", "sql-reads"].map(caseIn),
];

await describeWithService(postgresService, () => {
  test.each(cases)(
    "a pulled schema compiles $name to the same output as the server itself",
    async ({ connection, schema, skills }) => {
      const database = await createDatabase(schema);
      onTestFinished(() => database.drop());
      const compiled = async (setting: string, more: Readonly<Record<string, string>> = {}) => {
        const files = {
          ...skills,
          ...more,
          "skillc.yaml": `databases: { ${connection}: { ${setting} } }\n`,
        };
        const compilation = await compileUntyped(files, shared, () =>
          Promise.resolve(database.url),
        );
        return {
          lines: linesOf(compilation, files),
          helps: compilation.diagnostics.map(({ help }) => help),
          files: compilation.files,
        };
      };
      const { notes, text } = await pull(database.url);
      expect(notes).toEqual([]);
      expect(await compiled("snapshot: db/DB.sql", { "db/DB.sql": text })).toEqual(
        await compiled("introspect: true"),
      );
    },
  );
});
