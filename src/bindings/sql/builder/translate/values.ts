import type { Node, SelectStmt } from "@pgsql/types";
import { unknownType } from "../chain.js";
import { NoWords } from "../nodes.js";
import type { Place, Query, QueryStart } from "../place.js";
import { joinWords, template, type Words, words } from "../words.js";
import { columnsType } from "./columns.js";
import { fragmentPlace } from "./select.js";

/** VALUES as a query of its own: Kysely has no word for it. */
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

export function valuesWords(rows: readonly Node[], place: Place): Words {
  return words`values ${joinWords(
    rows.map((each) => rowWords(each, place)),
    ", ",
  )}`;
}

function rowWords(row: Node, place: Place): Words {
  if (!("List" in row)) throw new NoWords("a row that is none");
  const items = (row.List.items ?? []).map((each) => valueWords(each, place));
  return words`(${joinWords(items, ", ")})`;
}

export function valueWords(node: Node, place: Place): Words {
  return "SetToDefault" in node ? ["default"] : place.say.words(node, place);
}
