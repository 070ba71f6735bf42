import type { Node } from "@pgsql/types";
import { fieldsOf, namesIn } from "../statement/tree.js";
import type { Assumed } from "./assumed.js";
import { literalIn, simplified, uncast } from "./values.js";

/** Whether an expression is a list, or a JSON value, with nothing in it. */
export function isEmptyList(node: Node | undefined, assumed: Assumed): boolean {
  const value = uncast(simplified(uncast(node), assumed));
  const array = fieldsOf(value, "A_ArrayExpr");
  if (array !== undefined) return (array.elements ?? []).length === 0;
  if (isEmptyParameter(value, assumed)) return true;
  return ["{}", "[]"].includes(fieldsOf(value, "A_Const")?.sval?.sval?.replace(/\s/g, "") ?? "");
}

/** Whether an expression is a parameter that is taken for an empty text. */
export function isEmptyText(node: Node | undefined, assumed: Assumed): boolean {
  return isEmptyParameter(uncast(simplified(uncast(node), assumed)), assumed);
}

function isEmptyParameter(node: Node | undefined, assumed: Assumed): boolean {
  const number = fieldsOf(node, "ParamRef")?.number;
  return number !== undefined && assumed.isEmptyParameter(number);
}

const RANGES: ReadonlySet<string> = new Set(
  "int4range int8range numrange tsrange tstzrange daterange".split(" "),
);

/** Whether an expression is a range without limits: `daterange(NULL, NULL)`, `'(,)'`. */
export function isWholeRange(node: Node | undefined, assumed: Assumed): boolean {
  const value = simplified(uncast(node), assumed);
  const call = fieldsOf(value, "FuncCall");
  const [low, high] = call?.args ?? [];
  if (call !== undefined && RANGES.has(namesIn(call.funcname).at(-1) ?? ""))
    return isOpen(low, "-infinity", assumed) && isOpen(high, "infinity", assumed);
  return /^[[(],[\])]$/.test(literalIn(value, assumed)?.replace(/\s/g, "") ?? "");
}

function isOpen(limit: Node | undefined, infinity: string, assumed: Assumed): boolean {
  return assumed.isNull(limit) || literalIn(limit, assumed) === infinity;
}
