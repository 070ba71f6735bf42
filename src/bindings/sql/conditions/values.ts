/** Evaluates expressions as far as possible, and finds those that are NULL. */
import type { Node } from "@pgsql/types";
import { type Fields, fieldsOf, namesIn, walk } from "../statement/tree.js";
import { type Assumed, FALSE, NULL, TRUE } from "./assumed.js";

/**
 * Simplifies an expression under the assumptions: `coalesce(:id, id)` is `id` while `:id` is NULL.
 */
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

/** True if two expressions are equal in every row in which they are not NULL. */
export function isSameValue(
  left: Node | undefined,
  right: Node | undefined,
  assumed: Assumed,
): boolean {
  const [one, other] = [simplified(left, assumed), simplified(right, assumed)];
  if (one === undefined || other === undefined || !isSteady(one, assumed)) return false;
  return spelled(one, assumed) === spelled(other, assumed);
}

/** Spells an expression without positions. Columns of the chosen rows lose their table. */
function spelled(node: Node, assumed: Assumed): string {
  return JSON.stringify(node, (key, value: unknown) => {
    if (PLACES.has(key)) return undefined;
    // The parser made the value under this key.
    const reference = key === "ColumnRef" ? { ColumnRef: value as Fields<"ColumnRef"> } : undefined;
    return isOwnColumn(reference, assumed) ? columnName(reference) : value;
  });
}

const PLACES: ReadonlySet<string> = new Set(["location", "list_start", "list_end"]);

/**
 * True if an expression has exactly one value for each row. Volatile functions and queries have
 * not.
 */
function isSteady(node: Node, { pgCatalog }: Assumed): boolean {
  let steady = true;
  walk(node, (each) => {
    const call = fieldsOf(each, "FuncCall");
    if (call !== undefined)
      steady &&= pgCatalog
        .functions(namesIn(call.funcname))
        .every(({ volatility }) => volatility !== "volatile");
    if ("SubLink" in each) steady = false;
    return steady;
  });
  return steady;
}

/**
 * Evaluates a number: a literal, a calculation with literals, or the assumed value of a column.
 * Undefined if a double can't hold the number exactly.
 */
export function numberIn(node: Node | undefined, assumed: Assumed): number | undefined {
  const fixed = fixedValue(node, assumed);
  if (fixed !== undefined) return typeof fixed === "number" ? fixed : undefined;
  const value = simplified(node, assumed);
  const constant = fieldsOf(value, "A_Const");
  if (constant?.ival !== undefined) return constant.ival.ival ?? 0;
  const digits = constant?.fval?.fval;
  if (digits !== undefined) return digits.length <= 15 ? Number(digits) : undefined;
  const sum = fieldsOf(value, "A_Expr");
  if (sum?.kind === "AEXPR_OP") return calculated(sum, { ...assumed, fixed: undefined });
  const cast = fieldsOf(value, "TypeCast");
  const type = namesIn(cast?.typeName?.names).at(-1) ?? "";
  // Only casts that keep every digit.
  return ["int4", "int8", "numeric"].includes(type) && cast?.typeName?.typmods === undefined
    ? integerIn(numberIn(cast?.arg, assumed))
    : undefined;
}

/** Calculates with integers only, because each type rounds other results in its own way. */
function calculated(
  { lexpr, name, rexpr }: Fields<"A_Expr">,
  assumed: Assumed,
): number | undefined {
  const [one, other] = [
    lexpr === undefined ? 0 : integerIn(numberIn(lexpr, assumed)),
    integerIn(numberIn(rexpr, assumed)),
  ];
  if (one === undefined || other === undefined) return undefined;
  const operator = namesIn(name).at(-1);
  if (operator === "+") return integerIn(one + other);
  if (operator === "-") return integerIn(one - other);
  return operator === "*" && lexpr !== undefined ? integerIn(one * other) : undefined;
}

function integerIn(number: number | undefined): number | undefined {
  return Number.isSafeInteger(number) ? number : undefined;
}

/** Evaluates a text: a literal, or a concatenation of literals. */
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
  const args = call?.args ?? [];
  switch (namesIn(call?.funcname).join(".")) {
    case "concat":
      return joined(args.map((each) => (assumed.isNull(each) ? "" : textIn(each, assumed))));
    case "concat_ws":
      return joinedWith(args, assumed);
    case "format":
      return formatted(args, assumed);
    default:
      return undefined;
  }
}

/** Evaluates `concat_ws('', '%', :x, '%')`, which skips NULLs and their separators. */
function joinedWith([first, ...others]: readonly Node[], assumed: Assumed): string | undefined {
  const separator = textIn(first, assumed);
  const texts = others.filter((each) => !assumed.isNull(each)).map((each) => textIn(each, assumed));
  return separator === undefined || texts.includes(undefined) ? undefined : texts.join(separator);
}

/** Evaluates `format('%%%s%%', :x)` if the pattern has only `%s` and `%%`. */
function formatted([first, ...others]: readonly Node[], assumed: Assumed): string | undefined {
  const pattern = textIn(first, assumed);
  if (pattern === undefined || /%[^%s]|%$/.test(pattern.replaceAll(/%[%s]/g, ""))) return undefined;
  const texts = others.map((each) => (assumed.isNull(each) ? "" : textIn(each, assumed)));
  if (texts.includes(undefined)) return undefined;
  let next = 0;
  return pattern.replaceAll(/%([%s])/g, (_, sign) => (sign === "%" ? "%" : (texts[next++] ?? "")));
}

function joined(parts: readonly (string | undefined)[]): string | undefined {
  return parts.every((each) => each !== undefined) ? parts.join("") : undefined;
}

/** The assumed value of a column; undefined if none is assumed. */
export function fixedValue(
  node: Node | undefined,
  assumed: Assumed,
): string | number | boolean | null | undefined {
  const { fixed } = assumed;
  if (fixed === undefined || columnName(uncast(node)) !== fixed.name) return undefined;
  return isOwnColumn(uncast(node), assumed) ? fixed.value : undefined;
}

/** Evaluates `true`, `'yes'`, or the assumed value of a column. */
export function boolIn(node: Node | undefined, assumed: Assumed): boolean | undefined {
  const fixed = fixedValue(node, assumed);
  if (typeof fixed === "boolean") return fixed;
  const truth = assumed.truthOf(node);
  return truth === TRUE ? true : truth === FALSE ? false : undefined;
}

/** Text of a quoted literal, whatever its cast. */
export function literalIn(node: Node | undefined, assumed: Assumed): string | undefined {
  const value = uncast(simplified(uncast(node), assumed));
  return fieldsOf(value, "A_Const")?.sval === undefined
    ? undefined
    : (fieldsOf(value, "A_Const")?.sval?.sval ?? "");
}

/** Removes the casts around an expression. */
export function uncast(node: Node | undefined): Node | undefined {
  const cast = fieldsOf(node, "TypeCast");
  return cast === undefined ? node : uncast(cast.arg);
}

const NUMBERS: ReadonlySet<string> = new Set(
  "int2 int4 int8 numeric float4 float8 date".split(" "),
);

/** True for a column of the chosen rows that has a numeric or date type. */
export function isNumberColumn(node: Node | undefined, assumed: Assumed): boolean {
  if (!isOwnColumn(node, assumed)) return false;
  const name = columnName(node);
  const column = assumed.target?.relation.columns.find((each) => each.name === name);
  return NUMBERS.has(assumed.pgCatalog.typeOf(column?.type ?? 0)?.name ?? "");
}

/** True for a column of the chosen rows. */
export function isOwnColumn(node: Node | undefined, { target }: Assumed): boolean {
  const path = namesIn(fieldsOf(node, "ColumnRef")?.fields);
  const [name = ""] = path.slice(-1);
  if (target === undefined || (path.length > 1 && path.at(-2) !== target.name)) return false;
  return target.relation.columns.some((each) => each.name === name);
}

/** Name of a column without its table. */
export function columnName(node: Node | undefined): string | undefined {
  return namesIn(fieldsOf(node, "ColumnRef")?.fields).at(-1);
}

/** True if an expression is certainly NULL. */
export function isNull(node: Node | undefined, assumed: Assumed): boolean {
  if (node === undefined) return false;
  const found = assumed.nulls.get(node) ?? findNull(node, assumed);
  assumed.nulls.set(node, found);
  return found;
}

function findNull(node: Node, assumed: Assumed): boolean {
  if ("ParamRef" in node) return assumed.isNullParameter(node.ParamRef.number ?? 0);
  if ("A_Const" in node) return node.A_Const.isnull === true;
  if ("ColumnRef" in node) return fixedValue(node, assumed) === null;
  if ("TypeCast" in node) return isNull(node.TypeCast.arg, assumed);
  if ("CollateClause" in node) return isNull(node.CollateClause.arg, assumed);
  if ("A_Indirection" in node) return isNull(node.A_Indirection.arg, assumed);
  if ("CoalesceExpr" in node) return areAllNull(node.CoalesceExpr.args, assumed);
  if ("MinMaxExpr" in node) return areAllNull(node.MinMaxExpr.args, assumed);
  if ("BoolExpr" in node) return assumed.truthOf(node) === NULL;
  if ("FuncCall" in node) return isNullCall(node.FuncCall, assumed);
  return "A_Expr" in node && isNullOperation(node.A_Expr, assumed);
}

function areAllNull(nodes: readonly Node[] = [], assumed: Assumed): boolean {
  return nodes.length > 0 && nodes.every((each) => isNull(each, assumed));
}

function isNullCall(
  { funcname, args = [], ...call }: Fields<"FuncCall">,
  assumed: Assumed,
): boolean {
  if (call.over !== undefined || !args.some((each) => isNull(each, assumed))) return false;
  const called = assumed.pgCatalog.functions(namesIn(funcname));
  return called.length > 0 && called.every(({ kind, strict }) => kind === "function" && strict);
}

const OPERATIONS: ReadonlySet<string> = new Set([
  "AEXPR_OP",
  "AEXPR_LIKE",
  "AEXPR_ILIKE",
  "AEXPR_SIMILAR",
]);

function isNullOperation(expr: Fields<"A_Expr">, assumed: Assumed): boolean {
  const { pgCatalog } = assumed;
  const { kind = "AEXPR_OP", lexpr, name, rexpr } = expr;
  const sides = [lexpr, rexpr];
  // NULLIF is also NULL if both sides are equal.
  if (kind === "AEXPR_NULLIF")
    return isNull(lexpr, assumed) || assumed.truthOf(equality(lexpr, rexpr)) === TRUE;
  if (!OPERATIONS.has(kind) || !sides.some((each) => isNull(each, assumed))) return false;
  // For an array operand, a NULL is appended as one more element.
  if (namesIn(name).at(-1) === "||") return sides.some(isText);
  const called = pgCatalog.operators(namesIn(name));
  return (
    called.length > 0 &&
    called.every((each) => pgCatalog.functionOf(each.function)?.strict === true)
  );
}

function equality(lexpr: Node | undefined, rexpr: Node | undefined): Node {
  const name = [{ String: { sval: "=" } }];
  return { A_Expr: { kind: "AEXPR_OP", name, ...(lexpr && { lexpr }), ...(rexpr && { rexpr }) } };
}

/** True for a text literal, or a concatenation with one. */
function isText(node: Node | undefined): boolean {
  const expr = fieldsOf(node, "A_Expr");
  if (expr !== undefined && namesIn(expr.name).at(-1) === "||")
    return isText(expr.lexpr) || isText(expr.rexpr);
  return fieldsOf(node, "A_Const")?.sval !== undefined;
}

/** True if an expression certainly has a value. */
export function isNeverNull(node: Node | undefined, assumed: Assumed): boolean {
  if (node === undefined) return false;
  if ("ParamRef" in node) return assumed.hasValue(node.ParamRef.number ?? 0);
  if ("A_Const" in node) return node.A_Const.isnull !== true;
  if ("TypeCast" in node) return isNeverNull(node.TypeCast.arg, assumed);
  if ("CoalesceExpr" in node)
    return (node.CoalesceExpr.args ?? []).some((each) => isNeverNull(each, assumed));
  if (typeof (fixedValue(node, assumed) ?? undefined) !== "undefined") return true;
  const name = columnName(node);
  const column = assumed.target?.relation.columns.find((each) => each.name === name);
  return isOwnColumn(node, assumed) && column?.notNull === true;
}

/**
 * True if an expression can be treated as never NULL. For chosen rows, those with a NULL are
 * ignored.
 */
export function isValued(node: Node | undefined, assumed: Assumed): boolean {
  return assumed.target !== undefined || isNeverNull(node, assumed);
}
