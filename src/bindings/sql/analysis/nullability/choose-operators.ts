import { operatorCandidates } from "../catalog/candidates.js";
import { isStrict, isTotal } from "../catalog/never-null.js";
import { mayTurnNull, type ValueType, valueTypeOf } from "../catalog/value-type.js";
import type { Analysis } from "./model.js";

/** What all operators have in common that PostgreSQL may choose for a place. */
export interface Chosen {
  /** NULL whenever a side is. */
  readonly strict: boolean;
  /** A value whenever both sides are. */
  readonly total: boolean;
  readonly type: ValueType;
}

/** `node` is the body of the node that asks for the operator; `left` is `"none"` for a prefix operator. */
export function chooseOperators(
  a: Analysis,
  { node, path }: { readonly node: object; readonly path: readonly string[] },
  left: ValueType | "none",
  right: ValueType,
): Chosen {
  const { catalog } = a;
  const candidates = operatorCandidates(catalog, path, left, right);
  a.record.operators(node, path.join("."), candidates);
  const direct = !(left !== "none" && mayTurnNull(catalog, left)) && !mayTurnNull(catalog, right);
  const sure = direct && candidates.length > 0;
  const types = new Set(candidates.map((each) => valueTypeOf(catalog, each.result)));
  return {
    strict: sure && candidates.every((each) => isStrict(catalog, each)),
    total: sure && candidates.every((each) => isTotal(catalog, each)),
    type: types.size === 1 ? [...types][0] : undefined,
  };
}
