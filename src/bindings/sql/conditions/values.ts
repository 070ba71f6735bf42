import type { Node } from "@pgsql/types";
import { type Fields, fieldsOf, namesIn } from "../analysis/node.js";
import { walk } from "../statement/tree.js";
import type { Assumed } from "./assumed.js";
import { TRUE } from "./truth.js";

/** What an expression comes to as far as that can be read off it: `coalesce(:id, id)` is `id` while `:id` is NULL. */
export function simplified(node: Node | undefined, assumed: Assumed): Node | undefined {
  const coalesced = fieldsOf(node, "CoalesceExpr") ?? fieldsOf(node, "MinMaxExpr");
  if (coalesced !== undefined) {
    const args = (coalesced.args ?? []).filter((each) => !assumed.isNull(each));
    return args.length === 1 ? simplified(args[0], assumed) : node;
  }
  const choice = fieldsOf(node, "CaseExpr");
  return choice === undefined || choice.arg !== undefined ? node : chosenArm(choice, node, assumed);
}

function chosenArm(
  { args = [], defresult }: Fields<"CaseExpr">,
  whole: Node | undefined,
  assumed: Assumed,
): Node | undefined {
  for (const each of args) {
    const { expr, result } = fieldsOf(each, "CaseWhen") ?? {};
    const when = assumed.truthOf(expr);
    if (when === TRUE) return simplified(result, assumed);
    if (when & TRUE) return whole;
  }
  return defresult === undefined ? whole : simplified(defresult, assumed);
}

/** Whether two expressions are the same for every row, but where they are NULL. */
export function isSameValue(
  left: Node | undefined,
  right: Node | undefined,
  assumed: Assumed,
): boolean {
  const [one, other] = [simplified(left, assumed), simplified(right, assumed)];
  if (one === undefined || other === undefined || !isSteady(one, assumed)) return false;
  return spelled(one, assumed) === spelled(other, assumed);
}

/** Without the places; columns of the rows that are chosen without their table. */
function spelled(node: Node, assumed: Assumed): string {
  return JSON.stringify(node, (key, value: unknown) => {
    if (PLACES.has(key)) return undefined;
    // The value under this key is the parser's.
    const reference = key === "ColumnRef" ? { ColumnRef: value as Fields<"ColumnRef"> } : undefined;
    return isOwnColumn(reference, assumed) ? columnName(reference) : value;
  });
}

const PLACES: ReadonlySet<string> = new Set(["location", "list_start", "list_end"]);

/** Whether an expression has one value for a row: no chance, and no query of its own. */
function isSteady(node: Node, { catalog }: Assumed): boolean {
  let steady = true;
  walk(node, (each) => {
    const call = fieldsOf(each, "FuncCall");
    if (call !== undefined)
      steady &&= catalog
        .functions(namesIn(call.funcname))
        .every(({ volatility }) => volatility !== "volatile");
    if ("SubLink" in each) steady = false;
    return steady;
  });
  return steady;
}

/** A number that is written out, as long as a double holds it. */
export function numberIn(node: Node | undefined, assumed: Assumed): number | undefined {
  const value = simplified(node, assumed);
  const constant = fieldsOf(value, "A_Const");
  if (constant?.ival !== undefined) return constant.ival.ival ?? 0;
  const digits = constant?.fval?.fval;
  if (digits !== undefined) return digits.length <= 15 ? Number(digits) : undefined;
  const cast = fieldsOf(value, "TypeCast");
  const type = namesIn(cast?.typeName?.names).at(-1) ?? "";
  // Only what keeps every digit.
  return ["int4", "int8", "numeric"].includes(type) && cast?.typeName?.typmods === undefined
    ? integerIn(numberIn(cast?.arg, assumed))
    : undefined;
}

function integerIn(number: number | undefined): number | undefined {
  return Number.isSafeInteger(number) ? number : undefined;
}

/** A text that is written out, or put together from such. */
export function textIn(node: Node | undefined, assumed: Assumed): string | undefined {
  const value = simplified(node, assumed);
  const constant = fieldsOf(value, "A_Const")?.sval;
  if (constant !== undefined) return constant.sval ?? "";
  const cast = fieldsOf(value, "TypeCast");
  if (cast !== undefined) {
    const isText = namesIn(cast.typeName?.names).at(-1) === "text" && !cast.typeName?.arrayBounds;
    return isText ? textIn(cast.arg, assumed) : undefined;
  }
  const expr = fieldsOf(value, "A_Expr");
  if (expr?.kind === "AEXPR_OP" && namesIn(expr.name).at(-1) === "||")
    return joined([textIn(expr.lexpr, assumed), textIn(expr.rexpr, assumed)]);
  const call = fieldsOf(value, "FuncCall");
  if (call === undefined || namesIn(call.funcname).join(".") !== "concat") return undefined;
  return joined(
    (call.args ?? []).map((each) => (assumed.isNull(each) ? "" : textIn(each, assumed))),
  );
}

function joined(parts: readonly (string | undefined)[]): string | undefined {
  return parts.every((each) => each !== undefined) ? parts.join("") : undefined;
}

/** Whether a node is a column of the rows that are chosen. */
export function isOwnColumn(node: Node | undefined, { target }: Assumed): boolean {
  const path = namesIn(fieldsOf(node, "ColumnRef")?.fields);
  const [name = ""] = path.slice(-1);
  if (target === undefined || (path.length > 1 && path.at(-2) !== target.name)) return false;
  return target.relation.columns.some((each) => each.name === name);
}

/** Without the table. */
export function columnName(node: Node | undefined): string | undefined {
  return namesIn(fieldsOf(node, "ColumnRef")?.fields).at(-1);
}
