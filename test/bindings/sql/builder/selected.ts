import { selectedRow } from "../../../../src/bindings/sql/builder/selected-row.js";
import { columnTypeScript } from "../../../../src/bindings/sql/types/sql-type.js";
import { printCode } from "../../../../src/core/code.js";
import { build } from "./built.js";
import { shop } from "./shop.js";

/**
 * Returns the TypeScript type of each column that Kysely takes from the database, and `?` for
 * others.
 */
export function selected(sql: string): Readonly<Record<string, string>> {
  const row = selectedRow(build(sql).chain, shop);
  return Object.fromEntries(
    [...row].map(([name, column]) => {
      if (column === undefined) return [name, "?"];
      const value = printCode(columnTypeScript(column.type));
      return [name, column.nullable ? `${value} | null` : value];
    }),
  );
}
