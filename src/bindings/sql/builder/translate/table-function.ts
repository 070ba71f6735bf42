import type { Node, RangeFunction } from "@pgsql/types";
import { catalogOf } from "../../database/catalog.js";
import { unknownType } from "../chain.js";
import { namesOf, NoWords } from "../nodes.js";
import type { Place } from "../place.js";
import type { Columns } from "../scope.js";
import { joinWords, quoted, type Words, words } from "../words.js";
import { outputName } from "../../statement/output-name.js";
import { columnList } from "./columns.js";

export interface TableFunction {
  readonly head: Words;
  readonly alias: string;
  /** Behind the alias: names or definitions of columns. */
  readonly tail: Words;
  /** Undefined where only the function's own definition says them. */
  readonly columns?: Columns | undefined;
  /** There may be others. */
  readonly partial: boolean;
}

/** A function in FROM, with its ordinality and column definitions. */
export function functionWords(range: RangeFunction, place: Place): TableFunction {
  const calls = (range.functions ?? []).map((each) => callWords(each, place));
  const [first] = calls;
  if (first === undefined) throw new NoWords("a function in FROM that is none");
  const one = range.is_rowsfrom ? words`rows from (${joinWords(calls, ", ")})` : first;
  const head = range.ordinality ? words`${one} with ordinality` : one;
  const alias = range.alias?.aliasname ?? functionAlias(range);
  const defined = (range.coldeflist ?? []).map((each) => columnDefinition(each, place));
  const tail = defined.length > 0 ? words`(${joinWords(defined, ", ")})` : columnList(range.alias);
  const listed = defined.length > 0 ? definedNames(range) : namesOf(range.alias?.colnames);
  const known = listed.length > 0 ? listed : knownColumns(range, alias, place);
  const columns = new Map(known.map((each) => [each, unknownType]));
  return { head, alias, tail, columns, partial: defined.length === 0 };
}

/** What a function gives: the columns of its composite type, or one that is called like the alias. */
function knownColumns(range: RangeFunction, alias: string, place: Place): readonly string[] {
  const { snapshot } = place.names.facts;
  const named = range.is_rowsfrom ? undefined : functionAlias(range);
  const overloads = snapshot?.functions.filter((each) => each.name === named) ?? [];
  const [only, ...others] = overloads;
  const type = snapshot && only && catalogOf(snapshot).typeOf(only.returns);
  const fields = others.length === 0 ? type?.fields?.map((each) => each.name) : undefined;
  return fields ?? (named === undefined ? undefined : ROW_COLUMNS[named]) ?? [alias];
}

/** PostgreSQL's own functions whose rows have columns with names of their own. */
const ROW_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  json_each: ["key", "value"],
  json_each_text: ["key", "value"],
  jsonb_each: ["key", "value"],
  jsonb_each_text: ["key", "value"],
};

/** The name that PostgreSQL gives a function in FROM that has none: the function's. */
export function functionAlias({ functions }: RangeFunction): string {
  const [first] = functions ?? [];
  const items = first !== undefined && "List" in first ? (first.List.items ?? []) : [];
  const [call] = items;
  const named = call === undefined ? undefined : outputName({ val: call });
  if (named === undefined || named === "?column?") throw new NoWords("a function without a name");
  return named;
}

function callWords(node: Node, place: Place): Words {
  const [call, definitions] = "List" in node ? (node.List.items ?? []) : [];
  if (call === undefined) throw new NoWords("a function in FROM that is none");
  const said = place.say.words(call, place);
  const columns =
    definitions !== undefined && "List" in definitions ? (definitions.List.items ?? []) : [];
  if (columns.length === 0) return said;
  const defined = columns.map((each) => columnDefinition(each, place));
  return words`${said} as (${joinWords(defined, ", ")})`;
}

function columnDefinition(node: Node, place: Place): Words {
  if (!("ColumnDef" in node)) throw new NoWords("a column that is none");
  const { colname = "", typeName, collClause } = node.ColumnDef;
  if (typeName === undefined || collClause !== undefined) throw new NoWords("a column definition");
  return words`${quoted(colname)} ${place.say.words({ TypeName: typeName }, place)}`;
}

function definedNames({ coldeflist = [] }: RangeFunction): readonly string[] {
  return coldeflist.map((each) => ("ColumnDef" in each ? (each.ColumnDef.colname ?? "") : ""));
}
