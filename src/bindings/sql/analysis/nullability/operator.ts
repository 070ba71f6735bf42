import type { Node } from "@pgsql/types";
import { elementOf } from "../catalog/result-type.js";
import { OID, type ValueType } from "../catalog/value-type.js";
import { type Fields, fieldsOf, itemsOf, namesIn } from "../node.js";
import { type Chosen, chooseOperators } from "./choose-operators.js";
import { type Analysis, type Scope, UNKNOWN, type Value } from "./model.js";
import { possible, TRUTH, whenAll } from "./value.js";

type Expr = Fields<"A_Expr">;

/** What is proven of `left operator right`, of any kind. */
export function inferOperator(expr: Expr, scope: Scope, a: Analysis): Value {
  switch (expr.kind) {
    case "AEXPR_OP":
    case "AEXPR_LIKE":
    case "AEXPR_ILIKE":
    case "AEXPR_SIMILAR":
      return inferPlain(expr, scope, a);
    case "AEXPR_IN":
    case "AEXPR_BETWEEN":
    case "AEXPR_NOT_BETWEEN":
    case "AEXPR_BETWEEN_SYM":
    case "AEXPR_NOT_BETWEEN_SYM":
      return inferAgainstList(expr, scope, a);
    case "AEXPR_DISTINCT":
    case "AEXPR_NOT_DISTINCT":
      return comparedTo(expr, [expr.rexpr], scope, a).total ? TRUTH : possible(OID.bool);
    case "AEXPR_OP_ANY":
    case "AEXPR_OP_ALL":
      return inferAgainstArray(expr, scope, a);
    case "AEXPR_NULLIF":
      comparedTo(expr, [expr.rexpr], scope, a);
      return possible(a.infer(expr.lexpr, scope).type);
    default:
      a.infer(expr.lexpr, scope);
      a.infer(expr.rexpr, scope);
      return UNKNOWN;
  }
}

function inferPlain(expr: Expr, scope: Scope, a: Analysis): Value {
  const left = expr.lexpr === undefined ? undefined : a.infer(expr.lexpr, scope);
  const right = a.infer(expr.rexpr, scope);
  if (left !== undefined && (isRow(expr.lexpr) || isRow(expr.rexpr)))
    return inferAgainstList(
      { ...expr, rexpr: { List: { items: expr.rexpr === undefined ? [] : [expr.rexpr] } } },
      scope,
      a,
      expr,
    );
  const chosen = chooseOperators(
    a,
    { node: expr, path: namesIn(expr.name) },
    left === undefined ? "none" : left.type,
    right.type,
  );
  const sides = left === undefined ? [right] : [left, right];
  if (chosen.strict && sides.some((each) => each.null === "always"))
    return { type: chosen.type, null: "always" };
  return chosen.total ? whenAll(chosen.type, sides) : possible(chosen.type);
}

/** IN and BETWEEN: a value when the left side and every item is one; rows, when all their fields are. */
function inferAgainstList(expr: Expr, scope: Scope, a: Analysis, node: Expr = expr): Value {
  const items = itemsOf(expr.rexpr);
  const { total } = comparedTo(expr, items, scope, a, node);
  const fields = [expr.lexpr, ...items].flatMap((each) => fieldsOfRow(each));
  const values = fields.map((each) => a.infer(each, scope));
  return total && items.length > 0 ? whenAll(OID.bool, values) : possible(OID.bool);
}

/** `= ANY (array)`: an array may hold NULLs, unless its elements are written here. */
function inferAgainstArray(expr: Expr, scope: Scope, a: Analysis): Value {
  const elements = fieldsOf(expr.rexpr, "A_ArrayExpr")?.elements;
  const { total } = chooseForElements(expr, scope, a);
  if (elements === undefined || !total || isRow(expr.lexpr)) return possible(OID.bool);
  return whenAll(
    OID.bool,
    [expr.lexpr, ...elements].map((each) => a.infer(each, scope)),
  );
}

/** The operators between the left side and the elements of the array on the right. */
export function chooseForElements(expr: Expr, scope: Scope, a: Analysis): Chosen {
  const left = a.infer(expr.lexpr, scope).type;
  const right = a.infer(expr.rexpr, scope).type;
  const element = right === "literal" ? right : elementOf(a.catalog, right);
  return chooseOperators(a, { node: expr, path: namesIn(expr.name) }, left, element);
}

/** The operators by which the left side is compared with each of some others. */
export function comparedTo(
  expr: Expr,
  others: readonly (Node | undefined)[],
  scope: Scope,
  a: Analysis,
  node: Expr = expr,
): Pick<Chosen, "strict" | "total"> {
  const left = fieldsOfRow(expr.lexpr);
  const chosen = others.flatMap((other) => {
    const right = fieldsOfRow(other);
    const fit =
      isRow(expr.lexpr) === isRow(other) && left.length === right.length && left.length > 0;
    const pairs = left.map(
      (each, place) => [typeIn(each, scope, a), typeIn(right[place], scope, a)] as const,
    );
    return pairs.flatMap(([one, another]) =>
      operatorsOf(expr).map((path) => ({
        ...chooseOperators(a, { node, path }, fit ? one : undefined, fit ? another : undefined),
        fit,
      })),
    );
  });
  return {
    strict: chosen.every((each) => each.strict && each.fit),
    total: chosen.every((each) => each.total && each.fit),
  };
}

function typeIn(node: Node | undefined, scope: Scope, a: Analysis): ValueType {
  return node === undefined ? undefined : a.infer(node, scope).type;
}

const BETWEEN = [[">="], ["<="]];
const NOT_BETWEEN = [["<"], [">"]];

function operatorsOf({ kind, name }: Expr): readonly (readonly string[])[] {
  if (kind === "AEXPR_BETWEEN" || kind === "AEXPR_BETWEEN_SYM") return BETWEEN;
  if (kind === "AEXPR_NOT_BETWEEN" || kind === "AEXPR_NOT_BETWEEN_SYM") return NOT_BETWEEN;
  return [namesIn(name)];
}

export function isRow(node: Node | undefined): boolean {
  return fieldsOf(node, "RowExpr") !== undefined;
}

/** The fields of a written row; anything else is its own only field. */
export function fieldsOfRow(node: Node | undefined): readonly Node[] {
  if (node === undefined) return [];
  return fieldsOf(node, "RowExpr")?.args ?? [node];
}
