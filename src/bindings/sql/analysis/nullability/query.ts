/**
 * Analyzes a statement in its scope, and the queries of its WITH clause. For a recursive query it
 * computes a fixpoint.
 */
import type { CommonTableExpr, Node, WithClause } from "@pgsql/types";
import { fieldsOf, namesIn } from "../../statement/tree.js";
import {
  type Analysis,
  type Columns,
  type CteFrame,
  type Output,
  type OutputColumn,
  type Scope,
  UNKNOWN,
} from "./model.js";
import { queryDelete, queryInsert, queryMerge, queryUpdate, targetOf } from "./modify.js";
import { querySelect, querySetOperation, queryValues } from "./select.js";

export const NO_OUTPUT: Output = { columns: undefined, oneRow: false };

/** The columns of any statement in its scope; undefined for an unknown kind of statement. */
export function queryStatement(node: Node | undefined, around: Scope, a: Analysis): Output {
  const select = fieldsOf(node, "SelectStmt");
  if (select !== undefined) {
    const scope = withQueries(select.withClause, around, a);
    const isUnion = select.op !== undefined && select.op !== "SETOP_NONE";
    if (!isUnion && select.valuesLists === undefined) return querySelect(select, scope, a);
    for (const each of [select.limitCount, select.limitOffset]) a.infer(each, scope);
    return isUnion ? querySetOperation(select, scope, a) : queryValues(select, scope, a);
  }
  const insert = fieldsOf(node, "InsertStmt");
  if (insert !== undefined)
    return queryInsert(insert, withQueries(insert.withClause, around, a), a);
  const update = fieldsOf(node, "UpdateStmt");
  if (update !== undefined)
    return queryUpdate(update, withQueries(update.withClause, around, a), a);
  const remove = fieldsOf(node, "DeleteStmt");
  if (remove !== undefined)
    return queryDelete(remove, withQueries(remove.withClause, around, a), a);
  // TRUNCATE empties all columns and names none.
  for (const each of fieldsOf(node, "TruncateStmt")?.relations ?? [])
    targetOf(fieldsOf(each, "RangeVar"), a);
  const merge = fieldsOf(node, "MergeStmt");
  return merge === undefined
    ? NO_OUTPUT
    : queryMerge(merge, withQueries(merge.withClause, around, a), a);
}

/** The scope of a statement with a WITH clause. Each query is analyzed once, at its first use. */
function withQueries(clause: WithClause | undefined, around: Scope, a: Analysis): Scope {
  if (clause === undefined) return around;
  const queries = new Map<string, () => Columns>();
  let frame: CteFrame = { queries, outer: around.ctes };
  const all: (() => Columns)[] = [];
  for (const node of clause.ctes ?? []) {
    const cte = fieldsOf(node, "CommonTableExpr");
    if (cte === undefined) continue;
    // Without RECURSIVE, a query sees only those before it.
    const seen = frame;
    const columns = once(() =>
      columnsOfWithQuery(
        cte,
        { ...around, ctes: clause.recursive === true ? frame : seen },
        clause.recursive === true,
        a,
      ),
    );
    all.push(columns);
    if (clause.recursive === true) queries.set(cte.ctename ?? "", columns);
    else frame = { queries: new Map([[cte.ctename ?? "", columns]]), outer: frame };
  }
  for (const each of all) each();
  return { ...around, ctes: frame };
}

/**
 * Computes once. A query that is used during its own analysis is mutually recursive; its columns
 * are then unknown.
 */
function once(compute: () => Columns): () => Columns {
  let state: "new" | "busy" | "done" = "new";
  let columns: Columns;
  return () => {
    if (state === "new") {
      state = "busy";
      columns = compute();
      state = "done";
    }
    return state === "done" ? columns : undefined;
  };
}

function columnsOfWithQuery(
  cte: CommonTableExpr,
  scope: Scope,
  recursive: boolean,
  a: Analysis,
): Columns {
  const columns = recursive ? fixpoint(cte, scope, a) : a.query(cte.ctequery, scope).columns;
  return columns === undefined
    ? undefined
    : [...withListedNames(cte, columns), ...addedColumns(cte)];
}

function withListedNames(
  { aliascolnames }: CommonTableExpr,
  columns: readonly OutputColumn[],
): readonly OutputColumn[] {
  const names = namesIn(aliascolnames);
  return columns.map((each, place) => ({ ...each, name: names[place] ?? each.name }));
}

/** SEARCH and CYCLE add columns after those of the query. */
function addedColumns({ search_clause, cycle_clause }: CommonTableExpr): readonly OutputColumn[] {
  const names = [
    search_clause?.search_seq_column,
    cycle_clause?.cycle_mark_column,
    cycle_clause?.cycle_path_column,
  ];
  return names.flatMap((name) =>
    name === undefined ? [] : [{ name, value: UNKNOWN, aliased: true }],
  );
}

/**
 * Analyzes a recursive query. A fact holds for all rows if it holds for the first rows, and for
 * rows made from rows for which it holds. So facts are dropped until the result is stable.
 */
function fixpoint(cte: CommonTableExpr, scope: Scope, a: Analysis): Columns {
  const select = fieldsOf(cte.ctequery, "SelectStmt");
  if (select?.op !== "SETOP_UNION" || select.larg === undefined)
    return a.query(cte.ctequery, scope).columns;
  const name = cte.ctename ?? "";
  const within = (columns: Columns): Scope => ({
    ...scope,
    ctes: { queries: new Map([[name, () => withAdded(cte, columns)]]), outer: scope.ctes },
  });
  const around = withQueries(select.withClause, within(undefined), a);
  let current = a.query({ SelectStmt: select.larg }, around).columns;
  for (let rounds = (current?.length ?? 0) + 2; current !== undefined && rounds > 0; rounds--) {
    const next = a.query(cte.ctequery, within(current)).columns;
    const before: readonly OutputColumn[] = current;
    if (next?.length !== before.length) break;
    const less = before.map((each, place) => weaker(each, next[place]));
    if (less.every((each, place) => each.value === before[place]?.value)) return before;
    current = less;
  }
  return current?.map((each) => ({ ...each, value: { ...each.value, null: "maybe" } }));
}

function withAdded(cte: CommonTableExpr, columns: Columns): Columns {
  return columns === undefined
    ? undefined
    : [...withListedNames(cte, columns), ...addedColumns(cte)];
}

function weaker(column: OutputColumn, next: OutputColumn | undefined): OutputColumn {
  const same = column.value.null === next?.value.null || column.value.null === "maybe";
  return same ? column : { ...column, value: { ...column.value, null: "maybe" } };
}
