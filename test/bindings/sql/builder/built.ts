import { buildStatement, type Built } from "../../../../src/bindings/sql/builder/build.js";
import type { Chain } from "../../../../src/bindings/sql/builder/chain.js";
import type { BuildFacts } from "../../../../src/bindings/sql/builder/place.js";
import { printChain } from "../../../../src/bindings/sql/builder/print.js";
import { parseStatement } from "../../../../src/bindings/sql/statement/parse.js";
import type { Statement } from "../../../../src/bindings/sql/statement/statement.js";
import { code, ident, member, printCode } from "../../../../src/core/code.js";
import { shop } from "./shop.js";

export function statementOf(sql: string): Statement {
  const parsed = parseStatement(sql);
  if (parsed.kind !== "statement") throw new Error(`${sql}: ${parsed.diagnostics[0]?.message}`);
  return parsed.statement;
}

export function build(sql: string, facts: BuildFacts = { snapshot: shop }): Built {
  return buildStatement(statementOf(sql), facts);
}

/** Prints a chain like a generated module, but on one line. */
export function printed(chain: Chain): string {
  const parameter = (name: string) => code`params${member(name)}`;
  return printCode(
    printChain(chain, { parameter, database: ident("Database"), sql: ident("sql") }),
  );
}
