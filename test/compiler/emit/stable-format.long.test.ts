/** Prettier leaves generated code as it is: whoever formats a whole project doesn't edit generated files by that. */
import { loadModule } from "libpg-query";
import { format } from "prettier";
import { beforeAll, expect, test } from "vitest";
import { formatCode } from "../../../src/compiler/emit/format-code.js";
import {
  type Code,
  code,
  ident,
  jsDoc,
  literal,
  member,
  printCode,
} from "../../../src/core/code.js";
import { printChain } from "../../../src/bindings/sql/builder/print.js";
import { build } from "../../bindings/sql/builder/built.js";
import { proved } from "../../bindings/sql/builder/corpus.js";

beforeAll(loadModule);

async function isStable(draft: Code, printWidth: number): Promise<boolean> {
  const formatted = await formatCode(printCode(draft), { printWidth });
  return (await format(formatted, { parser: "typescript", printWidth })) === formatted;
}

function builderOf(sql: string): Code {
  const parameter = (name: string): Code => code`p${member(name)}`;
  const names = { parameter, database: ident("Database"), sql: ident("sql") };
  const chain = printChain(build(sql).chain, names);
  return code`const contract = query({ connection: ${literal("URL")}, build: (db, p) => ${chain}, rows: ${literal("many")} });\n`;
}

test.each([80, 100])(
  "prettier has nothing to change in builder code of SQL tools that is formatted %i columns wide",
  async (width) => {
    const statements = Object.values(proved).flat();
    const unstable: string[] = [];
    for (const sql of statements) if (!(await isStable(builderOf(sql), width))) unstable.push(sql);
    expect(unstable).toEqual([]);
  },
);

test("prettier doesn't search a module for JSX, which takes time in the square of a comment's lines", async () => {
  const draft = code`${jsDoc("a\n".repeat(300_000))}export const x = 1;\n`;
  const text = await formatCode(printCode(draft), {});
  expect(text).toMatch(/export const x = 1;\n$/);
}, 120_000);
