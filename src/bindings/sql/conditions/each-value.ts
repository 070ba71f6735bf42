import type { Node } from "@pgsql/types";
import { fieldsOf, walk } from "../statement/tree.js";
import type { Catalog } from "../database/catalog.js";
import type { Column } from "../database/snapshot.js";
import type { FixedColumn, TargetRows } from "./assumed.js";
import { FALSE, TRUE } from "./truth.js";
import { columnName } from "./values.js";

/** More constants than an author compares one column with to no end: `status <> 'a' OR status <> 'b'` has two. */
const mostConstants = 24;

/**
 * Whether a condition is true whichever value one column has: `id > 5 OR id <= 5`, `status <> 'open' OR status <> 'paid'`. Values that are named and those between them are tried in
 * turn, which are all there are to a comparison. A row where it is NULL is not counted, as everywhere.
 */
export function isTrueOfEachValue(
  condition: Node,
  { relation }: TargetRows,
  catalog: Catalog,
  truthWith: (fixed: FixedColumn) => number,
): boolean {
  const names = new Set<string>();
  const numbers: number[] = [];
  const texts: string[] = [];
  walk(condition, (node) => {
    if ("ColumnRef" in node) names.add(columnName(node) ?? "");
    const constant = fieldsOf(node, "A_Const");
    if (constant?.ival !== undefined) numbers.push(constant.ival.ival ?? 0);
    if (constant?.fval !== undefined) numbers.push(Number(constant.fval.fval));
    if (constant?.sval !== undefined) texts.push(constant.sval.sval ?? "");
  });
  if (numbers.length + texts.length > mostConstants) return false;
  return relation.columns
    .filter(({ name }) => names.has(name))
    .some((column) => {
      const values = valuesOf(column, catalog, { numbers, texts });
      if (values === undefined || values.length === 0) return false;
      if (!column.notNull && truthWith({ name: column.name, value: null }) & FALSE) return false;
      return values.every((value) => truthWith({ name: column.name, value }) === TRUE);
    });
}

type Value = string | number | boolean;

/** Undefined for a type whose values can't be told from how they are written. */
function valuesOf(
  { type }: Column,
  catalog: Catalog,
  { numbers, texts }: { readonly numbers: readonly number[]; readonly texts: readonly string[] },
): readonly Value[] | undefined {
  const { kind, labels, name = "" } = catalog.typeOf(type) ?? {};
  if (kind === "enum") return labels;
  if (name === "bool") return [true, false];
  if (name === "text" || name === "varchar") return [...texts, `${texts.join("")}x`];
  if (/^int[248]$/.test(name)) return numbers.flatMap((each) => [each - 1, each, each + 1]);
  return /^(?:numeric|float[48])$/.test(name) ? withMiddles(numbers) : undefined;
}

function withMiddles(numbers: readonly number[]): readonly number[] {
  const sorted = [...numbers].toSorted((a, b) => a - b);
  const [first = 0] = sorted;
  return [
    first - 1,
    ...sorted.flatMap((each, at) => [each, (each + (sorted[at + 1] ?? each + 2)) / 2]),
  ];
}
