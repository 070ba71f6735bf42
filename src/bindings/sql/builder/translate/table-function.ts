import type { Node, RangeFunction } from "@pgsql/types";
import { unknownType } from "../chain.js";
import { NoWords } from "../nodes.js";
import type { Place } from "../place.js";
import type { Columns } from "../scope.js";
import { joinWords, quoted, type Words, words } from "../words.js";
import { columnList } from "./columns.js";
import { functionAlias, functionColumns } from "./function-columns.js";

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
  const { names, partial } = functionColumns(range, alias, place);
  const columns = new Map(names.map((each) => [each, unknownType]));
  return { head, alias, tail, columns, partial };
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
