import { type Chain, childrenOf } from "../builder/chain.js";
import { isInDatabase } from "../builder/relations.js";
import type { FilledTableModel, LeftOutModel, WrittenNullModel } from "../model.js";
import { type Insertion, insertions } from "../parameters/inserted-columns.js";
import { writtenNulls } from "../parameters/written-nulls.js";
import type { Located } from "./parameter-uses.js";

/** Columns that rows of an INSERT must have, and don't. */
export function findLeftOut({ snapshot, spanOf, statement }: Located): readonly LeftOutModel[] {
  return insertions(statement.tree, snapshot).flatMap(({ leftOut, location, relation }) => {
    if (leftOut.length === 0) return [];
    const columns = leftOut.map(({ name }) => name);
    const mayBeFilled = relation.fillsRows !== false;
    return [{ table: relation.name, columns, mayBeFilled, span: spanOf(location) }];
  });
}

/** NULL where a column takes none, as far as it is written out. */
export function findWrittenNulls({
  snapshot,
  spanOf,
  statement,
}: Located): readonly WrittenNullModel[] {
  return writtenNulls(statement.tree, snapshot).map(({ column, location, relation, word }) => ({
    column: `${relation.name}.${column.name}`,
    word,
    span: spanOf(location),
  }));
}

/** The tables into whose rows the code gives Kysely no insight: it sees that of one row that is written as an object. */
export function findFilled(
  chain: Chain,
  { snapshot, statement }: Located,
): readonly FilledTableModel[] {
  const seen = tablesOfObjects(chain);
  const tables = new Map<string, ReadonlySet<string>>();
  for (const each of insertions(statement.tree, snapshot)) {
    const table = keyOf(each);
    // The columns of a view are what its query gives: none has to be there.
    if (
      !isInDatabase(each.relation) ||
      each.relation.kind === "view" ||
      each.leftOut.length > 0 ||
      seen.has(table)
    )
      continue;
    const names = each.given.map(({ name }) => name);
    const before = tables.get(table);
    tables.set(table, new Set(names.filter((name) => before?.has(name) !== false)));
  }
  return [...tables].map(([table, columns]) => ({ table, columns: [...columns] }));
}

function keyOf({ range: { relname = "", schemaname } }: Insertion): string {
  return schemaname === undefined ? relname : `${schemaname}.${relname}`;
}

function tablesOfObjects(chain: Chain): ReadonlySet<string> {
  const own = chain.kind === "call" && chain.method === "values" ? tableOf(chain.on) : [];
  return new Set([...own, ...childrenOf(chain).flatMap((each) => [...tablesOfObjects(each)])]);
}

function tableOf(chain: Chain): readonly string[] {
  if (chain.kind !== "call" || chain.method !== "insertInto") return [];
  return chain.arguments.flatMap((each) => (each.kind === "literal" ? [String(each.value)] : []));
}
