/** Prettier leaves generated code as it is: whoever formats a whole project doesn't edit generated files by that. */
import { loadModule } from "libpg-query";
import { format } from "prettier";
import { beforeAll, expect, test } from "vitest";
import { formatDraft } from "../../../src/compiler/emit/format-draft.js";
import { type Code, code, ident, jsDoc, literal, member } from "../../../src/core/code.js";
import { printChain } from "../../../src/bindings/sql/builder/print.js";
import { build } from "../../bindings/sql/builder/built.js";
import { proved } from "../../bindings/sql/builder/corpus.js";

beforeAll(loadModule);

async function isStable(draft: Code, printWidth: number): Promise<boolean> {
  const body = { kind: "typescript", code: draft } as const;
  const formatted = await formatDraft({ path: "a.ts", source: "a", body }, { printWidth });
  return (await format(formatted.body, { parser: "typescript", printWidth })) === formatted.body;
}

function builderOf(sql: string): Code {
  const parameter = (name: string): Code => code`p${member(name)}`;
  const names = { parameter, database: ident("Database"), sql: ident("sql") };
  const chain = printChain(build(sql).chain, names);
  return code`const contract = query({ connection: ${literal("URL")}, build: (db, p) => ${chain}, rows: ${literal("many")} });\n`;
}

test.each([80, 100])("builder code of SQL tools, %i columns wide", async (width) => {
  const statements = Object.values(proved).flat();
  const unstable: string[] = [];
  for (const sql of statements) if (!(await isStable(builderOf(sql), width))) unstable.push(sql);
  expect(unstable).toEqual([]);
});

test("prettier doesn't search a module for JSX, which takes time in the square of a comment's lines", async () => {
  const body = {
    kind: "typescript",
    code: code`${jsDoc("a\n".repeat(300_000))}export const x = 1;\n`,
  } as const;
  const { body: text } = await formatDraft({ path: "a.ts", source: "a", body }, {});
  expect(text).toMatch(/export const x = 1;\n$/);
}, 120_000);
