import type { JoinExpr, Node } from "@pgsql/types";
import { NoWords } from "../nodes.js";
import type { Place } from "../place.js";
import { extend, type Source } from "../scope.js";
import type { TableItem } from "./item.js";
import { joinedItem } from "./nested-join.js";
import { tableItem } from "./table.js";

/** FROM taken apart: what comes first, by commas, and what is joined to it, in order. */
export interface FromList {
  readonly first: readonly TableItem[];
  readonly joins: readonly JoinStep[];
}

export interface JoinStep {
  /** Kysely's word: `leftJoin`. */
  readonly method: string;
  readonly item: TableItem;
  readonly join: JoinExpr | undefined;
  /** Said before the join's own words: NATURAL. */
  readonly natural: boolean;
}

const METHODS: Readonly<Record<string, string>> = {
  JOIN_FULL: "fullJoin",
  JOIN_INNER: "innerJoin",
  JOIN_LEFT: "leftJoin",
  JOIN_RIGHT: "rightJoin",
};

/**
 * The items of FROM, in the order in which they come into sight. A list whose items Kysely can't set side by side becomes cross joins, which is what
 * a comma means.
 */
export function readFrom(nodes: readonly Node[], place: Place): FromList {
  const simple = nodes.slice(0, -1).every((each) => !("JoinExpr" in each) && !isLateral(each));
  const last = nodes.at(-1);
  if (simple && last !== undefined && !isLateral(last)) return readSideBySide(nodes, last, place);
  return nodes.reduce<FromList>(
    (from, node, index) =>
      index === 0 ? readJoined(node, [], from, place) : crossed(node, from, place),
    { first: [], joins: [] },
  );
}

function readSideBySide(nodes: readonly Node[], last: Node, place: Place): FromList {
  const before = nodes.slice(0, -1).map((each) => tableItem(each, place));
  return readJoined(last, before, { first: [], joins: [] }, place);
}

/** Functions see what is before them without a word; queries say LATERAL. */
function isLateral(node: Node): boolean {
  if ("RangeSubselect" in node) return node.RangeSubselect.lateral ?? false;
  return "RangeFunction" in node || "RangeTableFunc" in node || "JsonTable" in node;
}

function crossed(node: Node, from: FromList, place: Place): FromList {
  const seen = within(place, from);
  const item = "JoinExpr" in node ? joinedItem(node.JoinExpr, seen) : tableItem(node, seen);
  const method = item.lateral ? "crossJoinLateral" : "crossJoin";
  return { ...from, joins: [...from.joins, { method, item, join: undefined, natural: false }] };
}

/** A chain of joins, each to what is left of it. */
function readJoined(
  node: Node,
  before: readonly TableItem[],
  from: FromList,
  place: Place,
): FromList {
  if (!("JoinExpr" in node) || node.JoinExpr.alias !== undefined) {
    const item = "JoinExpr" in node ? joinedItem(node.JoinExpr, place) : tableItem(node, place);
    return { ...from, first: [...before, item] };
  }
  const { larg, rarg } = node.JoinExpr;
  if (larg === undefined || rarg === undefined) throw new NoWords("a join of nothing");
  const left = readJoined(larg, before, from, place);
  // What is set beside a chain of joins by a comma is out of its sight.
  const seen = within(place, { ...left, first: left.first.slice(before.length) });
  const item = "JoinExpr" in rarg ? joinedItem(rarg.JoinExpr, seen) : tableItem(rarg, seen);
  return { ...left, joins: [...left.joins, joinStep(node.JoinExpr, item)] };
}

function joinStep(join: JoinExpr, item: TableItem): JoinStep {
  const natural = join.isNatural ?? false;
  const conditioned = join.quals !== undefined || join.usingClause !== undefined || natural;
  const word = METHODS[join.jointype ?? ""];
  if (word === undefined) throw new NoWords("a join of that kind");
  const method = conditioned ? word : "crossJoin";
  if (!item.lateral) return { method, item, join, natural };
  if (method === "rightJoin" || method === "fullJoin") throw new NoWords("a lateral outer join");
  return { method: `${method}Lateral`, item, join, natural };
}

function within(place: Place, from: FromList): Place {
  return { ...place, frame: extend(place.frame, sourcesOf(from)) };
}

export function sourcesOf({ first, joins }: FromList): readonly Source[] {
  return [...first, ...joins.map(({ item }) => item)].flatMap(({ source, others = [] }) => [
    source,
    ...others,
  ]);
}

/**
 * The items of UPDATE … FROM and DELETE … USING. Kysely joins to the last one only, and has no cross joins there: other joins are fragments.
 */
export function readWritten(nodes: readonly Node[], place: Place): FromList {
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
