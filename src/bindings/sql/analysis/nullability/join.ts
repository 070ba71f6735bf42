import type { JoinExpr } from "@pgsql/types";
import { namesIn } from "../node.js";
import { mayTurnNull } from "../catalog/value-type.js";
import { chooseOperators } from "./choose-operators.js";
import { allOf, hasValue, isValue, mayBeMissing, NO_FACTS, sideBySide } from "./facts.js";
import { makeItem, opaqueItem } from "./item.js";
import { lateralScope } from "./lateral.js";
import type { Analysis, Facts, Item, Rows, Scope, ScopeColumn } from "./model.js";

/** Two sides and what their join makes of them. */
export function joinRows(join: JoinExpr, around: Scope, beside: Rows, a: Analysis): Rows {
  if (join.larg === undefined || join.rarg === undefined)
    return { items: [opaqueItem(join.alias)], facts: NO_FACTS };
  const left = a.fromItem(join.larg, around, beside);
  const right = a.fromItem(join.rarg, around, sideBySide([beside, left]));
  const names = usedNames(join, left, right);
  const pairs = names.flatMap((name) => pairOf(name, left, right));
  const matched = allOf([matchedPairs(join, pairs, a), provenBy(join, around, left, right, a)]);
  const { sides, facts } = joined(join.jointype, left, right, matched, a);
  const merged = names.map((name) =>
    mergedColumn(name, join.jointype, sides, pairs, [left, right], a),
  );
  return { items: itemsOf(join, sides, names, merged), facts };
}

type Sides = readonly [left: Rows, right: Rows];
interface Pair {
  readonly name: string;
  readonly left: ScopeColumn;
  readonly right: ScopeColumn;
}

/** Names after USING; NATURAL uses those that both sides have, in the order of the left one. */
function usedNames(
  { isNatural, usingClause }: JoinExpr,
  left: Rows,
  right: Rows,
): readonly string[] {
  if (isNatural !== true) return namesIn(usingClause);
  const there = new Set(bareColumns(right)?.map(({ name }) => name));
  return (bareColumns(left) ?? []).map(({ name }) => name).filter((name) => there.has(name));
}

function bareColumns({ items }: Rows): readonly ScopeColumn[] | undefined {
  const lists = items.filter(({ bare }) => bare).map(({ columns }) => columns);
  return lists.includes(undefined) ? undefined : lists.flatMap((each) => each ?? []);
}

function pairOf(name: string, left: Rows, right: Rows): readonly Pair[] {
  const [one, other] = [columnIn(left, name), columnIn(right, name)];
  return one === undefined || other === undefined ? [] : [{ name, left: one, right: other }];
}

function columnIn(rows: Rows, name: string): ScopeColumn | undefined {
  const found = bareColumns(rows)?.filter((each) => each.name === name) ?? [];
  return found.length === 1 ? found[0] : undefined;
}

/** USING compares with `=`: equal columns are values. */
function matchedPairs(join: JoinExpr, pairs: readonly Pair[], a: Analysis): Facts {
  return allOf(
    pairs.flatMap(({ left, right }) => {
      for (const { origin } of [left, right])
        if (origin !== undefined) a.record.column(origin, "read");
      const { strict } = chooseOperators(a, { node: join, path: ["="] }, left.type, right.type);
      return strict ? [isValue(left), isValue(right)] : [];
    }),
  );
}

function provenBy({ quals }: JoinExpr, around: Scope, left: Rows, right: Rows, a: Analysis): Facts {
  const scope = lateralScope(around, sideBySide([left, right]));
  a.infer(quals, scope);
  return a.prove(quals, scope, "true");
}

/** A condition proves something of every row of an inner join; of an outer join, only of the side that may be missing, where it is not. */
function joined(
  type: JoinExpr["jointype"],
  left: Rows,
  right: Rows,
  matched: Facts,
  a: Analysis,
): { readonly sides: Sides; readonly facts: Facts } {
  const missing = (rows: Rows, facts: readonly Facts[]) =>
    mayBeMissing({ ...rows, facts: allOf([rows.facts, ...facts]) }, a.newGroup());
  switch (type) {
    case "JOIN_INNER":
      return { sides: [left, right], facts: allOf([left.facts, right.facts, matched]) };
    case "JOIN_LEFT":
      return { sides: [left, missing(right, [matched])], facts: left.facts };
    case "JOIN_RIGHT":
      return { sides: [missing(left, [matched]), right], facts: right.facts };
    default:
      return { sides: [missing(left, []), missing(right, [])], facts: NO_FACTS };
  }
}

/** The one column that USING makes of two: that of the side which is always there; in a full join, whichever is. */
function mergedColumn(
  name: string,
  type: JoinExpr["jointype"],
  sides: Sides,
  pairs: readonly Pair[],
  [left, right]: Sides,
  a: Analysis,
): ScopeColumn {
  const pair = pairs.find((each) => each.name === name);
  const unknown: ScopeColumn = { name, type: undefined, notNull: false, groups: [] };
  if (pair === undefined) return unknown;
  const changes = pair.left.type !== pair.right.type || pair.left.type === undefined;
  if (changes && [pair.left, pair.right].some((each) => mayTurnNull(a.catalog, each.type)))
    return unknown;
  const kept = type === "JOIN_RIGHT" ? columnIn(sides[1], name) : columnIn(sides[0], name);
  if (type === "JOIN_INNER" || type === "JOIN_LEFT" || type === "JOIN_RIGHT")
    return kept === undefined ? unknown : changes ? { ...kept, type: undefined } : kept;
  const notNull = hasValue(pair.left, left.facts) && hasValue(pair.right, right.facts);
  return { ...unknown, type: changes ? undefined : pair.left.type, notNull };
}

/** The sides can still be named, but a bare name or `*` now finds the join: merged columns first. An alias hides the sides. */
function itemsOf(
  { alias, join_using_alias }: JoinExpr,
  [left, right]: Sides,
  names: readonly string[],
  merged: readonly ScopeColumn[],
): readonly Item[] {
  const [one, other] = [bareColumns(left), bareColumns(right)];
  const rest = (columns: readonly ScopeColumn[]) =>
    columns.filter(({ name }) => !names.includes(name));
  const columns =
    one === undefined || other === undefined
      ? undefined
      : [...merged, ...rest(one), ...rest(other)];
  const item = makeItem(alias, columns);
  if (alias !== undefined) return [item];
  const using =
    join_using_alias === undefined ? [] : [{ ...makeItem(join_using_alias, merged), bare: false }];
  const sides = [...left.items, ...right.items].map((each) => ({ ...each, bare: false }));
  return [...sides, item, ...using];
}
