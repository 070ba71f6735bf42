import type { Node } from "@pgsql/types";
import { fieldsOf, namesIn } from "../statement/tree.js";
import type { Assumed } from "./assumed.js";
import { columnName, isNumberColumn, numberIn } from "./values.js";

/** A sum: how often each column and parameter counts, and a number. */
interface Sum {
  readonly terms: ReadonlyMap<string, number>;
  readonly constant: number;
}

/** What `left - right` is for every row: 1 for `id + 1` and `id`. Undefined where it depends on the row. */
export function fixedDifference(
  left: Node | undefined,
  right: Node | undefined,
  assumed: Assumed,
): number | undefined {
  const one = sumOf(left, assumed);
  const other = one && sumOf(right, assumed);
  if (one === undefined || other === undefined) return undefined;
  const { constant, terms } = added(one, times(other, -1));
  return [...terms.values()].every((count) => count === 0) ? constant : undefined;
}

function sumOf(node: Node | undefined, assumed: Assumed): Sum | undefined {
  const number = numberIn(node, { ...assumed, fixed: undefined });
  if (number !== undefined) return { terms: new Map(), constant: number };
  const parameter = fieldsOf(node, "ParamRef")?.number;
  if (parameter !== undefined) return { terms: new Map([[`$${parameter}`, 1]]), constant: 0 };
  if (isNumberColumn(node, assumed))
    return { terms: new Map([[columnName(node) ?? "", 1]]), constant: 0 };
  const { kind, lexpr, name, rexpr } = fieldsOf(node, "A_Expr") ?? {};
  return kind === "AEXPR_OP"
    ? operated(namesIn(name).at(-1), sumOf(lexpr, assumed), sumOf(rexpr, assumed))
    : undefined;
}

function operated(
  operator: string | undefined,
  one: Sum | undefined,
  other: Sum | undefined,
): Sum | undefined {
  if (one === undefined || other === undefined) return undefined;
  if (operator === "+") return added(one, other);
  if (operator === "-") return added(one, times(other, -1));
  if (operator !== "*") return undefined;
  if (one.terms.size === 0) return times(other, one.constant);
  return other.terms.size === 0 ? times(one, other.constant) : undefined;
}

function added(one: Sum, other: Sum): Sum {
  const terms = new Map(one.terms);
  for (const [name, count] of other.terms) terms.set(name, (terms.get(name) ?? 0) + count);
  return { terms, constant: one.constant + other.constant };
}

function times({ constant, terms }: Sum, factor: number): Sum {
  return {
    terms: new Map([...terms].map(([name, count]) => [name, count * factor])),
    constant: constant * factor,
  };
}
