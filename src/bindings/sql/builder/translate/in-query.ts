import type { SubLink } from "@pgsql/types";
import { type ChainType, typedCall } from "../chain.js";
import { type Place, startInside } from "../place.js";
import { isSame } from "../type-relations.js";
import { inParentheses } from "./fragment.js";
import { type Comparison, leftSide } from "./sides.js";

/** `IN (SELECT …)`. */
export function inQuery(link: SubLink, operator: string, place: Place): Comparison | undefined {
  const { testexpr, subselect, subLinkType, operName } = link;
  if (subLinkType !== "ANY_SUBLINK" || operName !== undefined) return undefined;
  if (testexpr === undefined || subselect === undefined || !("SelectStmt" in subselect))
    return undefined;
  const left = leftSide(testexpr, place);
  if (left?.type === undefined) return undefined;
  const { chain, columns } = place.say.query(subselect.SelectStmt, startInside(place));
  const [column, ...others] = [...(columns ?? [])];
  if (column === undefined || others.length > 0) return undefined;
  const [named, given] = column;
  const row: ChainType = { kind: "columns", of: [[named, left.type]] };
  const query = inParentheses(chain);
  const right =
    query.kind === "template"
      ? { ...query, type: left.type }
      : isSame(given, left.type)
        ? query
        : typedCall(query, "$castTo", [row]);
  return { left: left.chain, operator, right, references: false };
}
