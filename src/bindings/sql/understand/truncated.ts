import type { RangeVar } from "@pgsql/types";
import { fieldsOf, locationOf } from "../statement/tree.js";
import { type Catalog, catalogOf, relationOf } from "../database/catalog.js";
import type { SqlFault } from "../database/engine.js";
import type { Relation, Snapshot } from "../database/snapshot.js";
import type { Statement } from "../statement/statement.js";

const TRUNCATED: ReadonlySet<Relation["kind"]> = new Set(["table", "partitioned", "foreign"]);

/** What PostgreSQL will say of the tables of a TRUNCATE: it looks for them only when it runs the statement, which has no plan. */
export function truncateFault({ sql, tree }: Statement, snapshot: Snapshot): SqlFault | undefined {
  const catalog = catalogOf(snapshot);
  for (const each of fieldsOf(tree, "TruncateStmt")?.relations ?? []) {
    const table = fieldsOf(each, "RangeVar");
    if (table === undefined) continue;
    const fault = tableFault(table, catalog);
    if (fault !== undefined) return { ...fault, ...positionOf(table, sql) };
  }
  return undefined;
}

function tableFault(table: RangeVar, catalog: Catalog): SqlFault | undefined {
  const { relname = "", schemaname } = table;
  const found = relationOf(table, catalog);
  const name = schemaname === undefined ? relname : `${schemaname}.${relname}`;
  if (found === undefined) return { code: "42P01", message: `relation "${name}" does not exist` };
  if (TRUNCATED.has(found.kind)) return undefined;
  return { code: "42809", message: `"${relname}" is not a table` };
}

/** The parser counts bytes, PostgreSQL's faults characters. */
function positionOf(table: RangeVar, sql: string): Pick<SqlFault, "position"> {
  const location = locationOf(table);
  if (location === undefined) return {};
  const before = Buffer.from(sql).subarray(0, location).toString();
  return { position: [...before].length + 1 };
}
