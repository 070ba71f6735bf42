import type { JoinExpr, Node } from "@pgsql/types";
import { namesOf, NoWords } from "../nodes.js";
import type { Place } from "../place.js";
import { extend, type Source } from "../scope.js";
import { quoted, quotedList, type Words, words } from "../words.js";
import { hiddenRow } from "./columns.js";
import type { TableItem } from "./item.js";
import { tableItem } from "./table.js";

/**
 * A join on the right of another, or one with an alias of its own: Kysely only joins tables to what is left of them. The whole is one fragment, of
 * whose columns `tsc` knows nothing. Kysely puts an alias behind every fragment: the first table's alias stands there, the rest behind it.
 */
export function joinedItem(join: JoinExpr, place: Place): TableItem {
  const flat = joinWords(join, place);
  const [first] = flat.items;
  if (first === undefined) throw new NoWords("a join of nothing");
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
  /** What stands before the first item. */
  readonly opening: Words;
  readonly items: readonly TableItem[];
  /** What stands behind the first item's alias. */
  readonly rest: Words;
}

const JOINS: Readonly<Record<string, string>> = {
  JOIN_FULL: "full",
  JOIN_INNER: "inner",
  JOIN_LEFT: "left",
  JOIN_RIGHT: "right",
};

function flatten(node: Node, place: Place): FlatJoin {
  if ("JoinExpr" in node) {
    const inner = joinWords(node.JoinExpr, place);
    if (node.JoinExpr.alias !== undefined) throw new NoWords("an alias of a join");
    return { ...inner, opening: ["(", ...inner.opening], rest: [...inner.rest, ")"] };
  }
  const item = tableItem(node, place);
  return { opening: [], items: [item], rest: item.tail };
}

function joinWords(join: JoinExpr, place: Place): FlatJoin {
  const { larg, rarg, jointype, isNatural, quals, usingClause } = join;
  const kind = JOINS[jointype ?? ""];
  if (larg === undefined || rarg === undefined || kind === undefined)
    throw new NoWords("a join of that kind");
  const left = flatten(larg, place);
  const right = flatten(rarg, see(place, left));
  const both = see(see(place, left), right);
  const bare = quals === undefined && usingClause === undefined && !isNatural;
  const word = bare ? "cross" : isNatural ? `natural ${kind}` : kind;
  const [first, ...others] = right.items;
  if (first === undefined) throw new NoWords("a join of nothing");
  const lateral = first.lateral ? ["lateral "] : [];
  const said = words`${right.opening}${lateral}${first.head} as ${quoted(first.source.alias)}${right.rest}`;
  const condition =
    quals === undefined ? usingWords(join) : words` on (${both.say.words(quals, both)})`;
  return {
    opening: left.opening,
    items: [...left.items, first, ...others],
    rest: words`${left.rest}${[` ${word} join `]}${said}${condition}`,
  };
}

function usingWords({ usingClause, join_using_alias: alias }: JoinExpr): Words {
  if (usingClause === undefined) return [];
  const using = words` using (${quotedList(namesOf(usingClause))})`;
  return alias?.aliasname === undefined ? using : words`${using} as ${quoted(alias.aliasname)}`;
}

/** Inside the fragment, `tsc` knows none of its tables. */
function see(place: Place, flat: FlatJoin): Place {
  const sources = flat.items.map(({ source }) => ({ ...source, types: "hidden" as const }));
  return { ...place, frame: extend(place.frame, sources) };
}
