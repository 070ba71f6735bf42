import type { Node } from "@pgsql/types";
import { type Fields, fieldsOf, itemsOf, namesIn } from "../statement/tree.js";

/** The fields of two rows, each with the one that it is compared with; undefined where a side is no written row. */
export type RowPairs =
  readonly (readonly [left: Node | undefined, right: Node | undefined])[] | undefined;

/** What must be equal in `(a, b) = (c, d)`, and for each row of `(a, b) IN (…)`; undefined for any other comparison. */
export function rowPairs({
  kind = "AEXPR_OP",
  lexpr,
  name,
  rexpr,
}: Fields<"A_Expr">): readonly RowPairs[] | undefined {
  const left = fieldsOf(lexpr, "RowExpr")?.args;
  if (left === undefined || namesIn(name).at(-1) !== "=") return undefined;
  if (kind !== "AEXPR_OP" && kind !== "AEXPR_IN") return undefined;
  const rows = kind === "AEXPR_IN" ? itemsOf(rexpr) : [rexpr];
  return rows.map((each) => {
    const right = fieldsOf(each, "RowExpr")?.args;
    return right && left.map((field, index) => [field, right[index]] as const);
  });
}
