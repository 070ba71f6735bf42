import type { SelectStmt } from "@pgsql/types";
import { itemsOf } from "../node.js";
import type { Analysis, Columns, Output, OutputColumn, Scope } from "./model.js";
import { oneOf } from "./value.js";

/** `VALUES (…), (…)`: a column is not NULL when it is not in any row. */
export function queryValues(
  { valuesLists = [], limitCount, limitOffset }: SelectStmt,
  around: Scope,
  a: Analysis,
): Output {
  const scope: Scope = { ...around, items: [], outer: around, grouped: false, windows: new Map() };
  const rows = valuesLists.map((each) => itemsOf(each).map((item) => a.infer(item, scope)));
  const [first = []] = rows;
  const columns = first.map((_, place): OutputColumn => ({
    name: `column${place + 1}`,
    value: oneOf(
      a.catalog,
      rows.flatMap((row) => row[place] ?? []),
    ),
    aliased: false,
  }));
  return {
    columns: rows.every(({ length }) => length === first.length) ? columns : undefined,
    oneRow: rows.length === 1 && limitCount === undefined && limitOffset === undefined,
  };
}

/** UNION, INTERSECT, EXCEPT: names come from the left side. */
export function querySetOperation(select: SelectStmt, around: Scope, a: Analysis): Output {
  const { op, larg, rarg } = select;
  const left = larg === undefined ? undefined : a.query({ SelectStmt: larg }, around).columns;
  const right = rarg === undefined ? undefined : a.query({ SelectStmt: rarg }, around).columns;
  return { columns: combine(op, left, right, a), oneRow: false };
}

function combine(
  op: SelectStmt["op"],
  left: Columns,
  right: Columns,
  { catalog }: Analysis,
): Columns {
  if (left === undefined) return undefined;
  return left.map((each, place): OutputColumn => {
    const other = right?.length === left.length ? right[place] : undefined;
    const { origin: _, ...column } = each;
    if (other === undefined) return { ...column, value: { type: undefined, null: "maybe" } };
    const value = oneOf(catalog, [each.value, other.value]);
    // What EXCEPT leaves comes from the left; what INTERSECT leaves is in both.
    const either =
      op === "SETOP_EXCEPT" ? each.value : op === "SETOP_INTERSECT" ? other.value : value;
    const never =
      either.null === "never" || (op === "SETOP_INTERSECT" && each.value.null === "never");
    const kept = never && value.type !== undefined;
    return { ...column, value: kept ? { ...value, null: "never" } : value };
  });
}
