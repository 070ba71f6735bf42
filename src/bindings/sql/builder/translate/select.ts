/** Translates SELECT, VALUES and set operations. */
import type { Node, SelectStmt } from "@pgsql/types";
import {
  booleanType,
  call,
  type Chain,
  joinWords,
  lambda,
  list,
  mentions,
  name,
  neverType,
  template,
  typedCall,
  unknownType,
  type Words,
  words,
} from "../chain.js";
import { columnRef, NoWords } from "../nodes.js";
import {
  frameAt,
  type TranslationContext,
  type Query,
  type QueryStart,
  withBuilder,
} from "../place.js";
import { extend, isPlain } from "../scope.js";
import { writtenStars } from "../written-stars.js";
import { conditionCalls } from "./condition.js";
import { inParentheses } from "./fragment.js";
import { firstTables, joinCalls, readFrom, sourcesOf } from "./from.js";
import { endCalls, orderArguments, outputName } from "./order.js";
import { columnsType, hiddenRow } from "./table.js";
import { readTargets, SELECT } from "./targets.js";

/** Translates a SELECT without WITH and without set operations. */
export function simpleSelect(select: SelectStmt, start: QueryStart): Query {
  const base = placeInside(start);
  const from = readFrom(select.fromClause ?? [], base);
  const place = { ...base, frame: extend(base.frame, sourcesOf(from)) };
  const { windowClause = [], whereClause, havingClause } = select;
  // Kysely has no method for WINDOW, so its text follows the clause before it.
  const inFrom = whereClause === undefined && havingClause === undefined && !select.groupClause;
  const window = windowWords(windowClause, inFrom ? hidden(place) : place);
  const tables = firstTables(from, base, inFrom ? window : []);
  const begun = select.fromClause ? call(start.names.start, "selectFrom", tables) : undefined;
  if (begun === undefined) return selectNoFrom(select, place);
  const joined = joinCalls(begun, from, base, inFrom ? window : []);
  return finish(joined, select, place, inFrom ? [] : window);
}

function placeInside({ names, outer, seesOuter, depth, say }: QueryStart): TranslationContext {
  return { frame: frameAt(depth, outer, seesOuter), names, say };
}

/**
 * The context of a query that is a fragment. It has no expression builder of its own and uses the
 * one around it.
 */
function fragmentPlace(start: QueryStart): TranslationContext {
  const place = placeInside(start);
  const around = start.names.start;
  if (around.kind !== "name") throw new NoWords("SQL text after WITH");
  return { ...place, frame: { ...place.frame, eb: around.name } };
}

function selectNoFrom(select: SelectStmt, place: TranslationContext): Query {
  if (select.windowClause) throw new NoWords("WINDOW without FROM");
  const say = { ...SELECT, some: "selectNoFrom" };
  const targets = select.targetList ?? [];
  if (targets.length === 0) throw new NoWords("an empty SELECT");
  const { calls, columns } = readTargets(targets, say, place);
  return finishQuery(calls(place.names.start), select, place, [], columns);
}

function finish(on: Chain, select: SelectStmt, place: TranslationContext, window: Words): Query {
  const outputs = readTargets(targetsOf(select, place), SELECT, place);
  const distinct = distinctCalls(on, select.distinctClause, place);
  return finishQuery(outputs.calls(distinct), select, place, window, outputs.columns);
}

/**
 * In a query that sees outer tables, Kysely's `selectAll()` would include their columns, so the
 * star is written for each table.
 */
function targetsOf(
  { fromClause = [], targetList = [] }: SelectStmt,
  { frame }: TranslationContext,
): readonly Node[] {
  if (!frame.seesOuter) return targetList;
  const can = frame.sources.every(
    ({ absent, alias, key }) => !absent && alias === key && isPlain(key),
  );
  return (can ? writtenStars(targetList, fromClause) : undefined) ?? targetList;
}

function finishQuery(
  on: Chain,
  select: SelectStmt,
  inner: TranslationContext,
  window: Words,
  columns: Query["columns"],
): Query {
  const outputs = new Set(columns?.keys());
  const place = { ...inner, frame: { ...inner.frame, outputs } };
  const { whereClause, havingClause } = select;
  const groups = select.groupClause ?? [];
  const grouped = groups.length > 0 || select.groupDistinct === true;
  const filtered = conditionsThen(
    on,
    "where",
    whereClause,
    inner,
    grouped || havingClause ? [] : window,
  );
  const byGroup = groupCall(filtered, select, place, havingClause ? [] : window);
  const having = conditionsThen(byGroup, "having", havingClause, inner, window);
  const ordered = orderCalls(having, select.sortClause, place);
  return { chain: endCalls(ordered, select, inner), columns };
}

function conditionsThen(
  on: Chain,
  method: string,
  node: Node | undefined,
  place: TranslationContext,
  after: Words,
): Chain {
  if (node === undefined || after.length === 0) return conditionCalls(on, method, node, place);
  const whole = template(words`${place.say.condition(node, place)} ${after}`, booleanType);
  return call(on, method, withBuilder(whole, place));
}

function distinctCalls(
  on: Chain,
  clause: readonly Node[] | undefined,
  place: TranslationContext,
): Chain {
  if (clause === undefined) return on;
  // A plain DISTINCT is a list with one empty node.
  const expressions = clause.filter((each) => Object.keys(each).length > 0);
  if (expressions.length === 0) return call(on, "distinct");
  const chains = expressions.map((each) => place.say.operand(each, place));
  return call(on, "distinctOn", ...factories(chains, place));
}

/** Kysely takes a list of functions of the builder. */
function factories(chains: readonly Chain[], place: TranslationContext): readonly Chain[] {
  const items = chains.map((each) => withBuilder(each, place));
  const [only, ...others] = items;
  return only !== undefined && others.length === 0 ? [only] : [list(items)];
}

function groupCall(on: Chain, select: SelectStmt, place: TranslationContext, after: Words): Chain {
  const groups = select.groupClause ?? [];
  if (groups.length === 0) return on;
  const special = select.groupDistinct === true || after.length > 0;
  if (special) {
    const written = joinWords(
      groups.map((each) => place.say.words(each, place)),
      ", ",
    );
    const distinct = select.groupDistinct === true ? ["distinct "] : [];
    const rest = after.length > 0 ? [" ", ...after] : [];
    const whole = template([...distinct, ...written, ...rest]);
    return call(on, "groupBy", withBuilder(whole, place));
  }
  const chains = groups.map((each) => groupedName(each, place) ?? place.say.operand(each, place));
  return call(on, "groupBy", ...factories(chains, place));
}

/** In GROUP BY, a bare name refers to a column first, then to an output column. */
function groupedName(node: Node, place: TranslationContext): Chain | undefined {
  const ref = columnRef(node);
  if (ref === undefined) return undefined;
  const operand = place.say.operand(node, place);
  return operand.kind === "literal" ? operand : outputName(ref, place);
}

function orderCalls(
  on: Chain,
  clause: readonly Node[] | undefined,
  place: TranslationContext,
): Chain {
  return (clause ?? []).reduce<Chain>((chain, each) => {
    if (!("SortBy" in each)) throw new NoWords("an empty ORDER BY");
    return call(chain, "orderBy", ...orderArguments(each.SortBy, place));
  }, on);
}

/** Text after FROM is in no function of the builder, so names there are not checked. */
function hidden(place: TranslationContext): TranslationContext {
  const sources = place.frame.sources.map((source) => ({ ...source, types: "hidden" as const }));
  return { ...place, frame: { ...place.frame, sources } };
}

function windowWords(clause: readonly Node[], place: TranslationContext): Words {
  if (clause.length === 0) return [];
  const written = place.say.words(
    {
      SelectStmt: {
        windowClause: [...clause],
        limitOption: "LIMIT_OPTION_DEFAULT",
        op: "SETOP_NONE",
      },
    },
    place,
  );
  const [first = "", ...rest] = written;
  if (typeof first !== "string") throw new NoWords("WINDOW");
  const start = first.indexOf("WINDOW");
  if (start < 0) throw new NoWords("WINDOW");
  return [" ", first.slice(start), ...rest];
}

const METHODS: Readonly<Record<string, string>> = {
  SETOP_EXCEPT: "except",
  SETOP_INTERSECT: "intersect",
  SETOP_UNION: "union",
};

/** Translates UNION, INTERSECT and EXCEPT. */
export function setOperation(select: SelectStmt, start: QueryStart): Query {
  const { larg, rarg, op, all } = select;
  const word = METHODS[op ?? ""];
  if (larg === undefined || rarg === undefined || word === undefined)
    throw new NoWords("an incomplete set operation");
  const left = start.say.query(larg, start);
  const chain =
    standsOpen(larg, op) && left.chain.kind !== "template"
      ? call(left.chain, all ? `${word}All` : word, operand(rarg, start))
      : fragment(left, `${word}${all ? " all" : ""}`, rarg, start);
  return endOf({ ...left, chain }, select, start);
}

/** True if a query may be the left operand without parentheses. */
function standsOpen(left: SelectStmt, op: string | undefined): boolean {
  const ended = left.sortClause ?? left.limitCount ?? left.limitOffset ?? left.lockingClause;
  if (ended !== undefined || left.withClause !== undefined) return false;
  const tighter = op === "SETOP_INTERSECT";
  return left.op === "SETOP_NONE" || !tighter || left.op === "SETOP_INTERSECT";
}

/**
 * Translates the right operand. Kysely adds no parentheses there, so only a plain query needs none.
 */
function operand(right: SelectStmt, start: QueryStart): Chain {
  const eb = frameAt(start.depth, undefined, false).eb;
  const inner: QueryStart = {
    ...start,
    names: { ...start.names, start: name(eb) },
    seesOuter: false,
    depth: start.depth + 1,
  };
  const { chain } = start.say.query(right, inner);
  const plain = right.op === "SETOP_NONE" && standsOpen(right, undefined);
  // PostgreSQL matches columns by position, so types with names can't describe them.
  const typed =
    chain.kind !== "template" && plain
      ? typedCall(chain, "$castTo", [neverType])
      : template(words`${inParentheses(chain)}`, neverType);
  return mentions(typed, eb) ? lambda(eb, typed) : typed;
}

/** Makes a fragment if the left side needs parentheses. */
function fragment(left: Query, word: string, right: SelectStmt, start: QueryStart): Chain {
  fragmentPlace(start);
  const { chain } = start.say.query(right, start);
  const row = left.columns === undefined ? hiddenRow : columnsType(left.columns);
  return template(words`${inParentheses(left.chain)}${[` ${word} `]}${inParentheses(chain)}`, row);
}

function endOf(query: Query, select: SelectStmt, start: QueryStart): Query {
  const place = placeInside(start);
  const { sortClause, limitCount, limitOffset, lockingClause } = select;
  if (!(sortClause ?? limitCount ?? limitOffset ?? lockingClause)) return query;
  if (query.chain.kind === "template") return { ...query, chain: saidAtEnd(query, select, start) };
  const outputs = new Set(query.columns?.keys());
  const ordered = orderCalls(query.chain, sortClause, {
    ...place,
    frame: { ...place.frame, outputs },
  });
  return { ...query, chain: endCalls(ordered, select, place) };
}

/** ORDER BY and LIMIT after a fragment: the text of these clauses from a dummy query. */
function saidAtEnd({ chain, columns }: Query, select: SelectStmt, start: QueryStart): Chain {
  const place = fragmentPlace(start);
  const { sortClause, limitCount, limitOffset, limitOption, lockingClause } = select;
  const written = start.say.words(
    {
      SelectStmt: {
        targetList: [{ ResTarget: { val: { A_Const: { ival: { ival: 1 } } } } }],
        ...(sortClause && { sortClause }),
        ...(limitCount && { limitCount }),
        ...(limitOffset && { limitOffset }),
        ...(limitOption && { limitOption }),
        ...(lockingClause && { lockingClause }),
        op: "SETOP_NONE",
      },
    },
    place,
  );
  const [first = "", ...rest] = written;
  if (typeof first !== "string" || !first.startsWith("SELECT 1"))
    throw new NoWords("a clause after a set operation");
  const row = columns === undefined ? hiddenRow : columnsType(columns);
  return template([...words`${chain}`, first.slice("SELECT 1".length), ...rest], row);
}

/** VALUES as a query of its own, which Kysely can't express. */
export function valuesQuery(select: SelectStmt, start: QueryStart): Query {
  const { sortClause, limitCount, limitOffset } = select;
  if (sortClause ?? limitCount ?? limitOffset) throw new NoWords("VALUES with an order");
  const rows = select.valuesLists ?? [];
  const width = rows[0] !== undefined && "List" in rows[0] ? (rows[0].List.items?.length ?? 0) : 0;
  const columns = new Map(
    Array.from({ length: width }, (_, index) => [`column${index + 1}`, unknownType] as const),
  );
  const chain = template(valuesWords(rows, fragmentPlace(start)), columnsType(columns));
  return { chain, columns };
}

export function valuesWords(rows: readonly Node[], place: TranslationContext): Words {
  return words`values ${joinWords(
    rows.map((each) => rowWords(each, place)),
    ", ",
  )}`;
}

function rowWords(row: Node, place: TranslationContext): Words {
  if (!("List" in row)) throw new NoWords("a malformed row");
  const items = (row.List.items ?? []).map((each) => valueWords(each, place));
  return words`(${joinWords(items, ", ")})`;
}

function valueWords(node: Node, place: TranslationContext): Words {
  return "SetToDefault" in node ? ["default"] : place.say.words(node, place);
}
