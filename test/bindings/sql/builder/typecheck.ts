import { fileURLToPath } from "node:url";
import { emitDatabase } from "../../../../src/bindings/sql/builder/emit-database.js";
import type { Snapshot } from "../../../../src/bindings/sql/database/snapshot.js";
import { importsOf, printCode } from "../../../../src/core/code.js";
import { lineAt } from "../../../support/line-at.js";
import { programFaults } from "../../../support/program-faults.js";

const folder = fileURLToPath(new URL(".", import.meta.url)).replaceAll("\\", "/");

const options = {
  lib: ["es2023"],
  module: "nodenext",
  noEmit: true,
  skipLibCheck: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  target: "es2023",
  types: [],
};

/**
 * Type-checks expressions over the tables of a database, and returns the error of each; undefined
 * for a correct expression.
 *
 * @param rows the row that an expression must select at least, as a type; undefined for any
 */
export function typeErrors(
  expressions: readonly string[],
  snapshot: Snapshot,
  rows: readonly (string | undefined)[] = [],
): readonly (string | undefined)[] {
  const database = emitDatabase(snapshot);
  const types = new Set(importsOf(database).map(({ name }) => name));
  const lines = expressions.map(
    (each, index) =>
      `export const e${index} = (db: Kysely<Database>, params: any)${selecting(rows[index])} => ${oneLine(each)};`,
  );
  const head = [
    `import { sql, type Kysely, type Generated } from "kysely";`,
    `import type { BuildableRows, Pg } from "../../../../src/bindings/sql/contract.js";`,
    `export type Used = ${[...types].join(" | ").replaceAll(/Generated|Pg/g, (name) => `${name}<never>`)}; void sql;`,
    printCode(database),
  ].join("\n");
  const path = `${folder}checked.ts`;
  const text = `${head}\n${lines.join("\n")}\n`;
  const faults = programFaults(new Map([[path, text]]), options, folder.slice(0, -1));
  const errors = new Map<number, string>();
  for (const { says, start } of faults.get(path) ?? [])
    errors.set(lineAt(text, start) - head.split("\n").length, says);
  for (const line of errors.keys()) if (line < 0) throw new Error(errors.get(line));
  return expressions.map((_, index) => errors.get(index));
}

function selecting(row: string | undefined): string {
  return row === undefined ? "" : `: BuildableRows<${row}>`;
}

/** Joins lines. Line breaks occur only inside texts, where they don't change types. */
function oneLine(text: string): string {
  return text.replaceAll("\n", " ");
}
