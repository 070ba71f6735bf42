/**
 * Translates FROM: the first tables, then a method for each join. Joins in parentheses become a
 * fragment.
 */
import type { JoinExpr, Node } from "@pgsql/types";
import {
  booleanType,
  call,
  type Chain,
  lambda,
  list,
  literal,
  name,
  quoted,
  quotedList,
  template,
  type Words,
  words,
} from "../chain.js";
import { columnRef, namesOf, NoWords, operatorOf } from "../nodes.js";
import { type TranslationContext, withBuilder } from "../place.js";
import { extend, type Source } from "../scope.js";
import { conditionCalls } from "./condition.js";
import { resolveText } from "./reference.js";
import { hiddenRow, tableChain, type TableItem, tableItem } from "./table.js";

/** FROM split into its first items, separated by commas, and the joins to them, in order. */
interface FromList {
  readonly first: readonly TableItem[];
  readonly joins: readonly JoinStep[];
}

interface JoinStep {
  /** Kysely's method: `leftJoin`. */
  readonly method: string;
  readonly item: TableItem;
  readonly join: JoinExpr | undefined;
  /** True if NATURAL precedes the join. */
  readonly natural: boolean;
}

const METHODS: Readonly<Record<string, string>> = {
  JOIN_FULL: "fullJoin",
  JOIN_INNER: "innerJoin",
  JOIN_LEFT: "leftJoin",
  JOIN_RIGHT: "rightJoin",
};

/**
 * Reads the items of FROM in order of visibility. If Kysely can't list the items side by side, the
 * commas become cross joins, which are equivalent.
 */
export function readFrom(nodes: readonly Node[], place: TranslationContext): FromList {
  const simple = nodes.slice(0, -1).every((each) => !("JoinExpr" in each) && !isLateral(each));
  const last = nodes.at(-1);
  if (simple && last !== undefined && !isLateral(last)) return readSideBySide(nodes, last, place);
  return nodes.reduce<FromList>(
    (from, node, index) =>
      index === 0 ? readJoined(node, [], from, place) : crossed(node, from, place),
    { first: [], joins: [] },
  );
}

function readSideBySide(nodes: readonly Node[], last: Node, place: TranslationContext): FromList {
  const before = nodes.slice(0, -1).map((each) => tableItem(each, place));
  return readJoined(last, before, { first: [], joins: [] }, place);
}

/** True for items that see the items before them: functions implicitly, queries with LATERAL. */
function isLateral(node: Node): boolean {
  if ("RangeSubselect" in node) return node.RangeSubselect.lateral ?? false;
  return "RangeFunction" in node || "RangeTableFunc" in node || "JsonTable" in node;
}

function crossed(node: Node, from: FromList, place: TranslationContext): FromList {
  const seen = within(place, from);
  const item = "JoinExpr" in node ? joinedItem(node.JoinExpr, seen) : tableItem(node, seen);
  const method = item.lateral ? "crossJoinLateral" : "crossJoin";
  return { ...from, joins: [...from.joins, { method, item, join: undefined, natural: false }] };
}

/** Reads a chain of joins, each to the items on its left. */
function readJoined(
  node: Node,
  before: readonly TableItem[],
  from: FromList,
  place: TranslationContext,
): FromList {
  if (!("JoinExpr" in node) || node.JoinExpr.alias !== undefined) {
    const item = "JoinExpr" in node ? joinedItem(node.JoinExpr, place) : tableItem(node, place);
    return { ...from, first: [...before, item] };
  }
  const { larg, rarg } = node.JoinExpr;
  if (larg === undefined || rarg === undefined) throw new NoWords("an incomplete join");
  const left = readJoined(larg, before, from, place);
  // Items separated by a comma are not visible in a chain of joins.
  const seen = within(place, { ...left, first: left.first.slice(before.length) });
  const item = "JoinExpr" in rarg ? joinedItem(rarg.JoinExpr, seen) : tableItem(rarg, seen);
  return { ...left, joins: [...left.joins, joinStep(node.JoinExpr, item)] };
}

function joinStep(join: JoinExpr, item: TableItem): JoinStep {
  const natural = join.isNatural ?? false;
  const conditioned = join.quals !== undefined || join.usingClause !== undefined || natural;
  const word = METHODS[join.jointype ?? ""];
  if (word === undefined) throw new NoWords("this kind of join");
  const method = conditioned ? word : "crossJoin";
  if (!item.lateral) return { method, item, join, natural };
  if (method === "rightJoin" || method === "fullJoin") throw new NoWords("a lateral outer join");
  return { method: `${method}Lateral`, item, join, natural };
}

function within(place: TranslationContext, from: FromList): TranslationContext {
  return { ...place, frame: extend(place.frame, sourcesOf(from)) };
}

export function sourcesOf({ first, joins }: FromList): readonly Source[] {
  return [...first, ...joins.map(({ item }) => item)].flatMap(({ source, others = [] }) => [
    source,
    ...others,
  ]);
}

/**
 * Reads the items of UPDATE … FROM and DELETE … USING. There Kysely joins only to the last item and
 * has no cross joins, so other joins become fragments.
 */
export function readWritten(nodes: readonly Node[], place: TranslationContext): FromList {
  return nodes.reduce<FromList>(
    (from, node, index) => {
      const seen = within(place, from);
      if (index === nodes.length - 1) return readJoined(node, from.first, from, seen);
      const item = "JoinExpr" in node ? joinedItem(node.JoinExpr, seen) : tableItem(node, seen);
      return { first: [...from.first, item], joins: [] };
    },
    { first: [], joins: [] },
  );
}

/** The argument of `.selectFrom`. */
export function firstTables(from: FromList, place: TranslationContext, after: Words): Chain {
  const { first, joins } = from;
  const chains = first.map((item, index) => {
    const last = index === first.length - 1;
    const natural = last && joins[0]?.natural === true ? [" natural"] : [];
    const rest = last && joins.length === 0 ? after : [];
    return withBuilder(tableChain(item, [...natural, ...rest]), place);
  });
  const [only, ...others] = chains;
  return only !== undefined && others.length === 0 ? only : list(chains);
}

/** Emits `.innerJoin(…)` or a similar call for each join. */
export function joinCalls(
  on: Chain,
  from: FromList,
  place: TranslationContext,
  after: Words,
): Chain {
  const { first, joins } = from;
  return joins.reduce((chain, step, index) => {
    const sources = sourcesOf({ first, joins: joins.slice(0, index + 1) });
    const seen = { ...place, frame: extend(place.frame, sources) };
    const natural = joins[index + 1]?.natural === true ? [" natural"] : [];
    const rest = index === joins.length - 1 ? after : [];
    return joinCall(chain, step, seen, [...natural, ...rest]);
  }, on);
}

function joinCall(on: Chain, step: JoinStep, place: TranslationContext, after: Words): Chain {
  const { join, item, method } = step;
  if (method.startsWith("crossJoin"))
    return call(on, method, withBuilder(tableChain(item, after), place));
  const unconditioned = lambda("join", name("join"));
  if (join?.usingClause !== undefined || join?.quals === undefined) {
    const table = tableChain(item, [...usingWords(join), ...after]);
    return call(on, method, withBuilder(table, place), unconditioned);
  }
  const table = withBuilder(tableChain(item), place);
  return call(
    on,
    method,
    table,
    ...joinConditions(join.quals, place, after, table.kind !== "lambda"),
  );
}

function usingWords({ usingClause, join_using_alias: alias }: JoinExpr = {}): Words {
  if (usingClause === undefined) return [];
  const using = words` using (${quotedList(namesOf(usingClause))})`;
  return alias?.aliasname === undefined ? using : words`${using} as ${quoted(alias.aliasname)}`;
}

/**
 * Translates the condition of a join. `plain`: the table is not a function of the builder, for
 * which Kysely's types don't know the columns in the form with two column names.
 */
function joinConditions(
  quals: Node,
  place: TranslationContext,
  after: Words,
  plain: boolean,
): readonly Chain[] {
  const join = name("join");
  if (after.length > 0) {
    const condition = template(words`(${place.say.condition(quals, place)})${after}`, booleanType);
    return [lambda("join", call(join, "on", withBuilder(condition, place)))];
  }
  const keys = plain ? keyColumns(quals, place) : undefined;
  if (keys !== undefined) return keys;
  const isTrue = "A_Const" in quals && quals.A_Const.boolval?.boolval === true;
  if (isTrue) return [lambda("join", call(join, "onTrue"))];
  return [lambda("join", conditionCalls(join, "on", quals, place))];
}

/** Reads `c.id = o.customer_id`, which Kysely takes as two columns. */
function keyColumns(quals: Node, place: TranslationContext): readonly Chain[] | undefined {
  if (!("A_Expr" in quals) || quals.A_Expr.kind !== "AEXPR_OP") return undefined;
  if (operatorOf(quals.A_Expr.name) !== "=") return undefined;
  const sides = [quals.A_Expr.lexpr, quals.A_Expr.rexpr].map((each) => {
    const ref = columnRef(each);
    const found = ref === undefined ? undefined : resolveText(ref, place);
    return found?.frame.depth === place.frame.depth ? literal(found.text, found.sees) : undefined;
  });
  return sides.every((each) => each !== undefined) ? sides : undefined;
}

/** Emits `.from(…)` for each item; each may see those before it. */
export function writtenTables(
  on: Chain,
  method: string,
  from: FromList,
  place: TranslationContext,
): Chain {
  const begun = from.first.reduce((chain, item, index) => {
    const natural = index === from.first.length - 1 && from.joins[0]?.natural === true;
    const table = tableChain(sideBySide(item), natural ? [" natural"] : []);
    return call(chain, method, withBuilder(table, place));
  }, on);
  return joinCalls(begun, from, place, []);
}

/** Next to other items, a lateral query needs the keyword itself. */
function sideBySide(item: TableItem): TableItem {
  if (!item.lateral) return item;
  const { query: _, ...rest } = item;
  return { ...rest, head: words`lateral ${item.head}` };
}

/**
 * A join on the right side of another, or one with an alias. Kysely only joins tables to the items
 * on the left, so this join becomes one fragment with columns unknown to `tsc`. Kysely adds an
 * alias after every fragment: the first table's alias goes there, and the rest follows it.
 */
function joinedItem(join: JoinExpr, place: TranslationContext): TableItem {
  const flat = joinWords(join, place);
  const [first] = flat.items;
  if (first === undefined) throw new NoWords("an incomplete join");
  const hidden = flat.items.map(({ source }) => hide(source));
  const named = join.alias?.aliasname;
  const closing = named === undefined ? [")"] : words`) as ${quoted(named)}${columnNames(join)}`;
  const own = hide({ alias: named ?? "", key: named ?? "", types: "hidden" });
  return {
    source: { ...first.source, types: "hidden" },
    others: [...hidden.slice(1), ...(named === undefined ? [] : [own])],
    head: words`(${flat.opening}${first.head}`,
    tail: [...flat.rest, ...closing],
    row: hiddenRow,
    lateral: false,
  };
}

function hide(source: Source): Source {
  return { ...source, types: "hidden", absent: true };
}

function columnNames(join: JoinExpr): Words {
  const names = namesOf(join.alias?.colnames);
  return names.length === 0 ? [] : words`(${quotedList(names)})`;
}

interface FlatJoin {
  /** Text before the first item. */
  readonly opening: Words;
  readonly items: readonly TableItem[];
  /** Text after the first item's alias. */
  readonly rest: Words;
}

const JOINS: Readonly<Record<string, string>> = {
  JOIN_FULL: "full",
  JOIN_INNER: "inner",
  JOIN_LEFT: "left",
  JOIN_RIGHT: "right",
};

function flatten(node: Node, place: TranslationContext): FlatJoin {
  if ("JoinExpr" in node) {
    const inner = joinWords(node.JoinExpr, place);
    if (node.JoinExpr.alias !== undefined) throw new NoWords("an alias of a join");
    return { ...inner, opening: ["(", ...inner.opening], rest: [...inner.rest, ")"] };
  }
  const item = tableItem(node, place);
  return { opening: [], items: [item], rest: item.tail };
}

function joinWords(join: JoinExpr, place: TranslationContext): FlatJoin {
  const { larg, rarg, jointype, isNatural, quals, usingClause } = join;
  const kind = JOINS[jointype ?? ""];
  if (larg === undefined || rarg === undefined || kind === undefined)
    throw new NoWords("this kind of join");
  const left = flatten(larg, place);
  const right = flatten(rarg, see(place, left));
  const both = see(see(place, left), right);
  const bare = quals === undefined && usingClause === undefined && !isNatural;
  const word = bare ? "cross" : isNatural ? `natural ${kind}` : kind;
  const [first, ...others] = right.items;
  if (first === undefined) throw new NoWords("an incomplete join");
  const lateral = first.lateral ? ["lateral "] : [];
  const written = words`${right.opening}${lateral}${first.head} as ${quoted(first.source.alias)}${right.rest}`;
  const condition =
    quals === undefined ? usingWords(join) : words` on (${both.say.words(quals, both)})`;
  return {
    opening: left.opening,
    items: [...left.items, first, ...others],
    rest: words`${left.rest}${[` ${word} join `]}${written}${condition}`,
  };
}

/** Inside the fragment, `tsc` knows none of its tables. */
function see(place: TranslationContext, flat: FlatJoin): TranslationContext {
  const sources = flat.items.map(({ source }) => ({ ...source, types: "hidden" as const }));
  return { ...place, frame: extend(place.frame, sources) };
}
