/** Finds the node at the position of an error, and the tables that are visible there. */
import type { Alias, CommonTableExpr, Node, RangeVar } from "@pgsql/types";
import type { SqlError } from "../database/engine.js";
import { type PgCatalog, relationOf } from "../database/pg-catalog.js";
import { columnNameOf } from "../statement/output-name.js";
import { parseSql } from "../statement/parse.js";
import {
  bodyOf,
  childrenOf,
  fieldsOf,
  type Kind,
  nodeKind,
  locationOf,
  namesIn,
} from "../statement/tree.js";

/** A table, query or function with columns. */
export interface TableInSight {
  /** Its name in the statement. */
  readonly alias: string;
  /** Its own name; empty if it has none. */
  readonly name: string;
  /** Known columns, with the OIDs of their types if these are known. */
  readonly columns: readonly ColumnInSight[];
}

interface ColumnInSight {
  readonly name: string;
  readonly type?: number;
}

/**
 * Finds the tables in FROM, and the targets, of the statements around a position, innermost first.
 *
 * @param around the nodes around it, outermost first
 */
export function tablesInSight(
  around: readonly Node[],
  pgCatalog: PgCatalog,
): readonly (readonly TableInSight[])[] {
  return around
    .flatMap((node, at) => {
      const read = (item: Node) => tablesOfFromItem(item, around.slice(0, at + 1), pgCatalog);
      const items = fromItemsOf(node);
      return items.length === 0 ? [] : [items.flatMap(read)];
    })
    .toReversed();
}

function fromItemsOf(node: Node): readonly Node[] {
  const table = (relation: RangeVar | undefined): readonly Node[] =>
    relation === undefined ? [] : [{ RangeVar: relation }];
  if ("SelectStmt" in node) return node.SelectStmt.fromClause ?? [];
  if ("InsertStmt" in node) return table(node.InsertStmt.relation);
  if ("UpdateStmt" in node)
    return [...table(node.UpdateStmt.relation), ...(node.UpdateStmt.fromClause ?? [])];
  if ("DeleteStmt" in node)
    return [...table(node.DeleteStmt.relation), ...(node.DeleteStmt.usingClause ?? [])];
  if (!("MergeStmt" in node)) return [];
  const { relation, sourceRelation } = node.MergeStmt;
  return [...table(relation), ...(sourceRelation === undefined ? [] : [sourceRelation])];
}

function tablesOfFromItem(
  item: Node,
  around: readonly Node[],
  pgCatalog: PgCatalog,
): readonly TableInSight[] {
  if ("JoinExpr" in item)
    return [item.JoinExpr.larg, item.JoinExpr.rarg].flatMap((each) =>
      each === undefined ? [] : tablesOfFromItem(each, around, pgCatalog),
    );
  if ("RangeVar" in item) {
    const { alias, relname: name = "" } = item.RangeVar;
    const columns = columnsOfRange(item.RangeVar, around, pgCatalog);
    return [{ alias: alias?.aliasname ?? name, name, columns: withAliasNames(columns, alias) }];
  }
  if ("RangeSubselect" in item) {
    const { alias, subquery } = item.RangeSubselect;
    return [
      {
        alias: alias?.aliasname ?? "",
        name: "",
        columns: withAliasNames(outputsOf(subquery), alias),
      },
    ];
  }
  const alias = fieldsOf(item, "RangeFunction")?.alias;
  return alias === undefined
    ? []
    : [{ alias: alias.aliasname ?? "", name: "", columns: withAliasNames([], alias) }];
}

function columnsOfRange(
  range: RangeVar,
  around: readonly Node[],
  pgCatalog: PgCatalog,
): readonly ColumnInSight[] {
  const query = range.schemaname === undefined ? queryNamed(range.relname, around) : undefined;
  if (query === undefined) return relationOf(range, pgCatalog)?.columns ?? [];
  const listed = namesIn(query.aliascolnames).map((name) => ({ name }));
  return listed.length > 0 ? listed : outputsOf(query.ctequery);
}

/** The common table expression of that name in the innermost WITH that has one. */
function queryNamed(
  name: string | undefined,
  around: readonly Node[],
): CommonTableExpr | undefined {
  const queries = around.flatMap((node) => {
    const fields: unknown = Object.values(node)[0];
    // In any node, this field is a WITH clause.
    const clause: { readonly ctes?: readonly Node[] } = Object(Object(fields).withClause);
    return clause.ctes ?? [];
  });
  return queries
    .map((each) => fieldsOf(each, "CommonTableExpr"))
    .findLast((each) => each?.ctename === name);
}

/** The output columns of a query, except those of `*`. */
function outputsOf(query: Node | undefined): readonly ColumnInSight[] {
  if (query === undefined || nodeKind(query) !== "SelectStmt") return [];
  let select = fieldsOf(query, "SelectStmt");
  while (select?.larg !== undefined) select = select.larg;
  return (select?.targetList ?? []).flatMap((each) => {
    const target = fieldsOf(each, "ResTarget");
    return target === undefined ? [] : [{ name: target.name ?? columnNameOf(target.val) }];
  });
}

/** Renames columns by an alias' list. */
function withAliasNames(
  columns: readonly ColumnInSight[],
  alias: Alias | undefined,
): readonly ColumnInSight[] {
  const names = namesIn(alias?.colnames);
  const own = columns.map((column, at) => ({ ...column, name: names[at] ?? column.name }));
  return [...own, ...names.slice(columns.length).map((name) => ({ name }))];
}

/** The node at an error's position, and those around it, outermost first. */
export interface NodeAtError {
  readonly node: Node;
  readonly around: readonly Node[];
}

/**
 * Finds the node at the position of an error. If several nodes begin there, the first of the given
 * kinds is chosen. The tree is used because the error's message may be in any language.
 *
 * @param sql the rejected statement
 */
export function nodeAtError(
  { position }: SqlError,
  sql: string,
  ...kinds: readonly Kind[]
): NodeAtError | undefined {
  const parsed = position === undefined ? undefined : parseSql(sql);
  const root = parsed?.kind === "parsed" ? parsed.statements[0]?.stmt : undefined;
  if (root === undefined || position === undefined) return undefined;
  const byte = Buffer.byteLength([...sql].slice(0, position - 1).join(""));
  for (const kind of kinds) {
    const found = find(
      root,
      [],
      (node) => nodeKind(node) === kind && (locationOf(bodyOf(node)) ?? 0) === byte,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

function find(
  node: Node,
  around: readonly Node[],
  isIt: (node: Node) => boolean,
): NodeAtError | undefined {
  if (isIt(node)) return { node, around };
  for (const child of childrenOf(node)) {
    const found = find(child, [...around, node], isIt);
    if (found !== undefined) return found;
  }
  return undefined;
}
