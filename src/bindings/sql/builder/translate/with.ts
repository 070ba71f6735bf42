import type { CommonTableExpr, Node, WithClause } from "@pgsql/types";
import { call, type Chain, lambda, literal, name, typedCall, unknownType } from "../chain.js";
import { namesOf, NoWords } from "../nodes.js";
import type { Cte, Names, Query, QueryStart } from "../place.js";
import { type Columns, isPlain } from "../scope.js";
import { quoted, quotedList, template, type Words, words } from "../words.js";
import { columnsType } from "./columns.js";
import { inParentheses } from "./fragment.js";

/** Translates a statement inside WITH. */
export type SayStatement = (node: Node, start: QueryStart) => Query;

/** The start for what follows WITH: `db.with("a", (db) => …)`. */
export function withQueries(
  clause: WithClause | undefined,
  start: QueryStart,
  say: SayStatement,
): QueryStart {
  if (clause === undefined) return start;
  const method = clause.recursive ? "withRecursive" : "with";
  const names = { ...start.names, start: name("db"), startKnows: start.names.dbKnows };
  const ctes = (clause.ctes ?? []).map(commonTable);
  return ctes.reduce<QueryStart>(
    (before, cte, index) => {
      const later = clause.recursive ? ctes.slice(index + 1) : [];
      if (later.some((each) => each.ctename === cte.ctename)) throw new NoWords("one name twice");
      return withQuery(before, cte, method, say);
    },
    { ...start, names, seesOuter: false },
  );
}

function commonTable(node: Node): CommonTableExpr {
  if (!("CommonTableExpr" in node)) throw new NoWords("a part of WITH that is none");
  return node.CommonTableExpr;
}

function withQuery(
  start: QueryStart,
  cte: CommonTableExpr,
  method: string,
  say: SayStatement,
): QueryStart {
  const { ctename = "", ctequery } = cte;
  const listed = namesOf(cte.aliascolnames);
  if (
    ctequery === undefined ||
    ![ctename, ...listed].every((each) => isPlain(each) && !/[,\s]/u.test(each))
  )
    throw new NoWords("a part of WITH whose name Kysely would take apart");
  const recursive = method === "withRecursive";
  const inside = insideWith(start, recursive ? { name: ctename, listed } : undefined);
  const query = say(ctequery, inside);
  const columns = listedColumns(query.columns, listed);
  const isDeep = start.names.ctes.size >= MOST_INFERRED;
  const body = lambda("db", bodyOf(query, cte, columns, isDeep));
  const named = nameOf(cte, listed);
  const chain = call(start.names.start, method, named, body);
  return {
    ...start,
    names: knowing({ ...start.names, start: chain }, ctename, {
      columns: extended(columns, cte),
      open: false,
    }),
  };
}

/** `db` of the query inside: it knows the queries before it, and itself when recursive. */
function insideWith(
  start: QueryStart,
  itself: { readonly name: string; readonly listed: readonly string[] } | undefined,
): QueryStart {
  const { names } = start;
  const known = { ...names, start: name("db"), dbKnows: names.startKnows };
  if (itself === undefined) return { ...start, names: known };
  const listed = itself.listed.length > 0;
  const columns = listed ? new Map(itself.listed.map((each) => [each, undefined])) : undefined;
  const inside = knowing(known, itself.name, { columns, open: !listed });
  return { ...start, names: { ...inside, dbKnows: inside.startKnows } };
}

function knowing(names: Names, ctename: string, cte: Cte): Names {
  return {
    ...names,
    ctes: new Map([...names.ctes, [ctename, cte]]),
    startKnows: new Set([...names.startKnows, ctename]),
  };
}

function listedColumns(
  columns: Columns | undefined,
  listed: readonly string[],
): Columns | undefined {
  if (listed.length === 0) return columns;
  const own = [...(columns ?? [])];
  const same =
    own.length >= listed.length && listed.every((each, index) => own[index]?.[0] === each);
  if (same) return columns;
  return new Map(listed.map((each) => [each, unknownType]));
}

function nameOf(cte: CommonTableExpr, listed: readonly string[]): Chain {
  const { ctename = "", ctematerialized } = cte;
  const text = listed.length === 0 ? ctename : `${ctename}(${listed.join(", ")})`;
  const word = MATERIALIZED[ctematerialized ?? ""];
  if (word === undefined) return literal(text);
  return lambda("cte", call({ kind: "apply", on: name("cte"), arguments: [literal(text)] }, word));
}

const MATERIALIZED: Readonly<Record<string, string>> = {
  CTEMaterializeAlways: "materialized",
  CTEMaterializeNever: "notMaterialized",
};

/** Each query's type is made of those before it, until TypeScript finds it too deep: from so many on, each says its own. */
const MOST_INFERRED = 12;

/** Kysely wants the columns of a list in the query's type; a fragment brings its own parentheses. */
function bodyOf(
  query: Query,
  cte: CommonTableExpr,
  columns: Columns | undefined,
  isDeep: boolean,
): Chain {
  const after = searchWords(cte);
  const row = columns === undefined ? unknownType : columnsType(extended(columns, cte) ?? columns);
  if (after.length > 0) return template(words`${inParentheses(query.chain)}${after}`, row);
  if (query.chain.kind === "template") return { ...inParentheses(query.chain), type: row } as Chain;
  const isSaid = columns !== undefined && (isDeep || columns !== query.columns);
  return isSaid ? typedCall(query.chain, "$castTo", [row]) : query.chain;
}

/** SEARCH and CYCLE, which Kysely has no words for. */
function searchWords({ search_clause: search, cycle_clause: cycle }: CommonTableExpr): Words {
  const searching = search
    ? words` search ${[search.search_breadth_first ? "breadth" : "depth"]} first by ${quotedList(
        namesOf(search.search_col_list),
      )} set ${quoted(search.search_seq_column ?? "")}`
    : [];
  if (cycle === undefined) return searching;
  if (!isPlainMark(cycle.cycle_mark_value) || !isPlainMark(cycle.cycle_mark_default))
    throw new NoWords("CYCLE with marks of its own");
  return words`${searching} cycle ${quotedList(namesOf(cycle.cycle_col_list))} set ${quoted(
    cycle.cycle_mark_column ?? "",
  )} using ${quoted(cycle.cycle_path_column ?? "")}`;
}

/** The marks that PostgreSQL takes when none are written. */
function isPlainMark(node: Node | undefined): boolean {
  return node === undefined || ("A_Const" in node && node.A_Const.boolval !== undefined);
}

/** SEARCH and CYCLE add columns. */
function extended(columns: Columns | undefined, cte: CommonTableExpr): Columns | undefined {
  const added = [
    cte.search_clause?.search_seq_column,
    cte.cycle_clause?.cycle_mark_column,
    cte.cycle_clause?.cycle_path_column,
  ].filter((each) => each !== undefined);
  if (columns === undefined || added.length === 0) return columns;
  return new Map([...columns, ...added.map((each) => [each, unknownType] as const)]);
}
