/**
 * Translates PostgreSQL's tree to Kysely code: statements and their WITH clauses. The parts call
 * each other through `place.say`, which `createTranslator` makes:
 *
 * - `select.ts`, `insert.ts`, `modify.ts`: kinds of statements
 * - `from.ts`: FROM and its joins; `table.ts`: one item of it
 * - `targets.ts`: result columns, also of RETURNING; `assignments.ts`: written columns
 * - `condition.ts`: WHERE and similar clauses; `value.ts`: expressions; `reference.ts`: columns and
 *   parameters
 * - `order.ts`: ORDER BY, LIMIT and FETCH
 * - `fragment.ts`: SQL text for all that Kysely can't express
 */
import type { CommonTableExpr, Node, SelectStmt, WithClause } from "@pgsql/types";
import {
  call,
  type Chain,
  lambda,
  literal,
  name,
  quoted,
  quotedList,
  template,
  typedCall,
  unknownType,
  type Words,
  words,
} from "../chain.js";
import { constructName, namesOf, NoWords } from "../nodes.js";
import type { Cte, Names, Query, QueryStart, Translator } from "../place.js";
import { type Columns, isPlain } from "../scope.js";
import { conditionOf } from "./condition.js";
import { fragmentWords, inParentheses } from "./fragment.js";
import { insertQuery } from "./insert.js";
import { deleteQuery, mergeQuery, updateQuery } from "./modify.js";
import { setOperation, simpleSelect, valuesQuery } from "./select.js";
import { columnsType } from "./table.js";
import { coercedValue, operandOf, translateValue } from "./value.js";

/** Translates a statement, or a query inside one. */
export function statementQuery(node: Node, start: QueryStart): Query {
  if ("SelectStmt" in node) return selectQuery(node.SelectStmt, start);
  if ("InsertStmt" in node)
    return insertQuery(
      node.InsertStmt,
      withQueries(node.InsertStmt.withClause, start, statementQuery),
    );
  if ("UpdateStmt" in node)
    return updateQuery(
      node.UpdateStmt,
      withQueries(node.UpdateStmt.withClause, start, statementQuery),
    );
  if ("DeleteStmt" in node)
    return deleteQuery(
      node.DeleteStmt,
      withQueries(node.DeleteStmt.withClause, start, statementQuery),
    );
  if ("MergeStmt" in node)
    return mergeQuery(
      node.MergeStmt,
      withQueries(node.MergeStmt.withClause, start, statementQuery),
    );
  throw new NoWords(constructName(node));
}

function selectQuery(select: SelectStmt, outside: QueryStart): Query {
  if (select.intoClause !== undefined) throw new NoWords("SELECT INTO");
  const start = withQueries(select.withClause, fromDatabase(select, outside), statementQuery);
  if (select.op !== undefined && select.op !== "SETOP_NONE") return setOperation(select, start);
  return select.valuesLists === undefined
    ? simpleSelect(select, start)
    : valuesQuery(select, start);
}

/** An expression builder can't begin WITH or a SELECT without FROM; these begin at `db`. */
function fromDatabase(select: SelectStmt, start: QueryStart): QueryStart {
  const plain = select.op === undefined || select.op === "SETOP_NONE";
  const noFrom = plain && select.fromClause === undefined && select.valuesLists === undefined;
  const { names } = start;
  const begun = names.start.kind !== "name" || names.start.name === "db";
  if (begun || !(noFrom || select.withClause !== undefined)) return start;
  const atDatabase = {
    ...names,
    start: { kind: "name", name: "db" } as const,
    startKnows: names.dbKnows,
  };
  return { ...start, names: atDatabase, seesOuter: false };
}

/**
 * Connects the parts of the translation. A part that fails in one form is tried in another, which
 * could take exponential time in deeply nested queries. So the translation gives up after a number
 * of steps.
 */
export function createTranslator(steps = MAX_STEPS): Translator {
  let taken = 0;
  const counted =
    <Args extends readonly unknown[], Result>(part: (...args: Args) => Result) =>
    (...args: Args): Result => {
      taken++;
      if (taken > steps) throw new NoWords("such a large statement");
      return part(...args);
    };
  return {
    value: counted(translateValue),
    operand: counted(operandOf),
    coerced: counted(coercedValue),
    condition: counted(conditionOf),
    words: counted(fragmentWords),
    query: counted(selectQuery),
  };
}

/** Handwritten statements take a few hundred steps. */
const MAX_STEPS = 20_000;

/** Translates a statement inside WITH. */
type SayStatement = (node: Node, start: QueryStart) => Query;

/** The start of a query after WITH: `db.with("a", (db) => …)`. */
function withQueries(
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
      if (later.some((each) => each.ctename === cte.ctename)) throw new NoWords("a repeated name");
      return withQuery(before, cte, method, say);
    },
    { ...start, names, seesOuter: false },
  );
}

function commonTable(node: Node): CommonTableExpr {
  if (!("CommonTableExpr" in node)) throw new NoWords("a malformed part of WITH");
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
    throw new NoWords("a part of WITH whose name Kysely would split");
  const recursive = method === "withRecursive";
  const inside = insideWith(start, recursive ? { name: ctename, listed } : undefined);
  const query = say(ctequery, inside);
  const columns = columnsUnderNames(query.columns, listed);
  const isDeep = start.names.ctes.size >= MOST_INFERRED;
  const body = lambda("db", bodyOf(query, cte, columns, isDeep));
  const named = withQueryName(cte, listed);
  const chain = call(start.names.start, method, named, body);
  return {
    ...start,
    names: knowing({ ...start.names, start: chain }, ctename, {
      columns: extended(columns, cte),
      open: false,
    }),
  };
}

/**
 * The context of a query inside WITH. Its `db` knows the queries before it, and itself if it is
 * recursive.
 */
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

function columnsUnderNames(
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

function withQueryName(cte: CommonTableExpr, listed: readonly string[]): Chain {
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

/**
 * The type of each query contains those of the queries before it, until TypeScript rejects it as
 * too deep. From this number on, each query states its own type.
 */
const MOST_INFERRED = 12;

/**
 * Kysely requires the listed columns in the query's type; a fragment contains its own parentheses.
 */
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

/** SEARCH and CYCLE, which Kysely can't express. */
function searchWords({ search_clause: search, cycle_clause: cycle }: CommonTableExpr): Words {
  const searching = search
    ? words` search ${[search.search_breadth_first ? "breadth" : "depth"]} first by ${quotedList(
        namesOf(search.search_col_list),
      )} set ${quoted(search.search_seq_column ?? "")}`
    : [];
  if (cycle === undefined) return searching;
  if (!isPlainMark(cycle.cycle_mark_value) || !isPlainMark(cycle.cycle_mark_default))
    throw new NoWords("CYCLE with custom marks");
  return words`${searching} cycle ${quotedList(namesOf(cycle.cycle_col_list))} set ${quoted(
    cycle.cycle_mark_column ?? "",
  )} using ${quoted(cycle.cycle_path_column ?? "")}`;
}

/** True for the marks that PostgreSQL uses by default. */
function isPlainMark(node: Node | undefined): boolean {
  return node === undefined || ("A_Const" in node && node.A_Const.boolval !== undefined);
}

/** Adds the columns of SEARCH and CYCLE. */
function extended(columns: Columns | undefined, cte: CommonTableExpr): Columns | undefined {
  const added = [
    cte.search_clause?.search_seq_column,
    cte.cycle_clause?.cycle_mark_column,
    cte.cycle_clause?.cycle_path_column,
  ].filter((each) => each !== undefined);
  if (columns === undefined || added.length === 0) return columns;
  return new Map([...columns, ...added.map((each) => [each, unknownType] as const)]);
}
