import type { Alias, Node, RangeFunction, RangeSubselect, RangeTableSample } from "@pgsql/types";
import { nodeOf } from "../../statement/tree.js";
import { queryTypes } from "../catalog.js";
import { NoWords } from "../nodes.js";
import { type Place, type Query, startInside } from "../place.js";
import type { Source } from "../scope.js";
import { type Words, words } from "../words.js";
import { columnList, columnsType, hiddenRow, renamed } from "./columns.js";
import type { TableItem } from "./item.js";
import { relationItem } from "./relation.js";
import { functionWords } from "./table-function.js";

/** One item of FROM; `place` has the tables that a lateral item may see. */
export function tableItem(node: Node, place: Place): TableItem {
  if ("RangeVar" in node) return relationItem(node.RangeVar, place);
  if ("RangeSubselect" in node) return subqueryItem(node.RangeSubselect, place);
  if ("RangeFunction" in node) return functionItem(node.RangeFunction, place);
  if ("RangeTableSample" in node) return sampleItem(node.RangeTableSample, place);
  return otherItem(node, place);
}

/** The name that PostgreSQL gives a query in FROM that has none. */
export const UNNAMED = "unnamed_subquery";

function subqueryItem(range: RangeSubselect, place: Place): TableItem {
  if (range.subquery === undefined || !("SelectStmt" in range.subquery))
    throw new NoWords("a query in FROM that is no SELECT");
  const inside = startInside(place);
  const { frame } = place;
  const start = range.lateral
    ? inside
    : { ...inside, outer: frame.outer, seesOuter: frame.seesOuter };
  const query = place.say.query(range.subquery.SelectStmt, start);
  return queryItem(query, range.alias, range.lateral ?? false, place);
}

function queryItem(
  query: Query,
  alias: Alias | undefined,
  lateral: boolean,
  { names: { facts } }: Place,
): TableItem {
  const named = alias?.aliasname ?? UNNAMED;
  const columns = renamed(query.columns, alias);
  const hidden = columns === undefined && alias?.colnames !== undefined;
  const source: Source = {
    alias: named,
    key: named,
    types: hidden ? "hidden" : queryTypes(columns, facts),
    columns,
  };
  const raw = query.chain.kind === "template";
  const row = columns === undefined ? hiddenRow : columnsType(columns);
  const whole = { source, tail: columnList(alias), row, lateral };
  if (raw) return { ...whole, head: words`(${query.chain})` };
  const head = words`${query.chain}`;
  return whole.tail.length === 0 ? { ...whole, head, query: query.chain } : { ...whole, head };
}

function functionItem(range: RangeFunction, place: Place): TableItem {
  const { head, alias, tail, columns, partial } = functionWords(range, place);
  const types = columns === undefined ? "hidden" : "checked";
  const source: Source = { alias, key: alias, types, columns, partial };
  return { source, head, tail, row: columns ? columnsType(columns) : hiddenRow, lateral: false };
}

/** `TABLESAMPLE` stands behind the table's alias. */
function sampleItem(sample: RangeTableSample, place: Place): TableItem {
  if (sample.relation === undefined || !("RangeVar" in sample.relation))
    throw new NoWords("a sample of what is no table");
  const { text: _, ...item } = relationItem(sample.relation.RangeVar, place);
  const said = place.say.words(
    {
      RangeTableSample: {
        ...sample,
        relation: { RangeVar: { relname: "t", inh: true, relpersistence: "p" } },
      },
    },
    place,
  );
  return { ...item, tail: [...item.tail, ...withoutFirst(said, "t")] };
}

function withoutFirst(said: Words, start: string): Words {
  const [first = "", ...rest] = said;
  if (typeof first !== "string" || !first.startsWith(start))
    throw new NoWords("a part of FROM that can't be taken apart");
  return [first.slice(start.length), ...rest];
}

function otherItem(node: Node, place: Place): TableItem {
  const fields: unknown = Object.values(node)[0];
  const alias = aliasIn(fields);
  if (alias?.aliasname === undefined) throw new NoWords("a part of FROM without an alias");
  // The same node without its alias, which is said by itself.
  const bare = nodeOf(Object.keys(node)[0] ?? "", { ...Object(fields), alias: undefined });
  const source: Source = { alias: alias.aliasname, key: alias.aliasname, types: "hidden" };
  const head = place.say.words(bare, place);
  return { source, head, tail: columnList(alias), row: hiddenRow, lateral: false };
}

function aliasIn(fields: unknown): Alias | undefined {
  if (typeof fields !== "object" || fields === null || !("alias" in fields)) return undefined;
  // Where a node of FROM has an alias, it is one of these.
  return fields.alias as Alias;
}
