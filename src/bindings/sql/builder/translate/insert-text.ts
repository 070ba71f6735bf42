import type { InsertStmt, Node } from "@pgsql/types";
import type { Chain } from "../chain.js";
import { NoWords } from "../nodes.js";
import { type Place, startInside } from "../place.js";
import { joinWords, quoted, template, type Words, words } from "../words.js";
import { valuesWords } from "./values.js";
import { columnPath } from "./written-column.js";

/** The values of an INSERT see no columns of the table. */
export function outside(place: Place): Place {
  return { ...place, frame: { ...place.frame, sources: [] } };
}

const OVERRIDES: Readonly<Record<string, string>> = {
  OVERRIDING_SYSTEM_VALUE: "overriding system value ",
  OVERRIDING_USER_VALUE: "overriding user value ",
};

/** What follows the table's name, word by word. */
export function insertText(insert: InsertStmt, place: Place): Chain {
  const { cols = [], selectStmt, override, relation } = insert;
  const alias = relation?.alias?.aliasname;
  const named: Words = alias === undefined ? [] : words`as ${quoted(alias)} `;
  const columns = cols.map((each) => {
    if (!("ResTarget" in each)) throw new NoWords("a column that is none");
    return columnPath(each.ResTarget, place);
  });
  const listed = columns.length === 0 ? [] : words`(${joinWords(columns, ", ")}) `;
  const overriding = [OVERRIDES[override ?? ""] ?? ""];
  return template(words`${named}${listed}${overriding}${sourceWords(selectStmt, place)}`);
}

function sourceWords(source: Node | undefined, place: Place): Words {
  if (source === undefined) return ["default values"];
  if (!("SelectStmt" in source)) throw new NoWords("INSERT of what is no query");
  const { valuesLists, withClause, sortClause, limitCount } = source.SelectStmt;
  const plain = !(withClause ?? sortClause ?? limitCount);
  if (valuesLists !== undefined && plain) return valuesWords(valuesLists, outside(place));
  const inside = startInside(place);
  const start = { ...inside, outer: place.frame.outer, seesOuter: place.frame.seesOuter };
  return words`${place.say.query(source.SelectStmt, start).chain}`;
}
