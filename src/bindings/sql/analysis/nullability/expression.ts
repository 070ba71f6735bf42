/**
 * Proves that expressions are not NULL, by the kind of their node: operators, CASE, constants,
 * subqueries, parts of values.
 */
import type { Node } from "@pgsql/types";
import {
  bodyOf,
  childrenOf,
  type Fields,
  fieldsOf,
  itemsOf,
  type Kind,
  nodeKind,
  namesIn,
} from "../../statement/tree.js";
import { arrayOver, elementOf, operatorCandidates } from "../candidates.js";
import { isStrict, isTotal } from "../never-null.js";
import {
  castKeepsValues,
  commonType,
  mayTurnNull,
  OID,
  typeOfName,
  type ValueType,
  valueTypeOf,
} from "../value-type.js";
import { inferCall } from "./call.js";
import {
  allOf,
  type Analysis,
  certain,
  columnNamed,
  firstOf,
  hasValue,
  itemNamed,
  oneOf,
  possible,
  type Scope,
  starColumns,
  TRUTH,
  UNKNOWN,
  type Value,
  whenAll,
} from "./model.js";

type Rule<K extends Kind> = (fields: Fields<K>, scope: Scope, a: Analysis) => Value;

/** Inference rules by kind. An expression of any other kind may be NULL. */
const RULES: { readonly [K in Kind]?: Rule<K> } = {
  A_Const: inferConstant,
  ParamRef: ({ number = 0 }, _, a) =>
    a.hasValue(number) ? certain("literal") : possible("literal"),
  ColumnRef: inferColumn,
  FuncCall: inferCall,
  A_Expr: inferOperator,
  SubLink: inferSubquery,
  TypeCast: inferCast,
  CollateClause: ({ arg }, scope, a) => a.infer(arg, scope),
  NamedArgExpr: ({ arg }, scope, a) => a.infer(arg, scope),
  BoolExpr: ({ args = [] }, scope, a) =>
    whenAll(
      OID.bool,
      args.map((each) => a.infer(each, scope)),
    ),
  NullTest: ({ arg }, scope, a) => (a.infer(arg, scope), TRUTH),
  BooleanTest: ({ arg }, scope, a) => (a.infer(arg, scope), TRUTH),
  JsonIsPredicate: ({ expr }, scope, a) => whenAll(OID.bool, [a.infer(expr, scope)]),
  CaseExpr: inferCase,
  CoalesceExpr: ({ args = [] }, scope, a) =>
    firstOf(
      a.pgCatalog,
      args.map((each) => a.infer(each, scope)),
    ),
  // GREATEST and LEAST ignore NULLs.
  MinMaxExpr: ({ args = [] }, scope, a) =>
    firstOf(
      a.pgCatalog,
      args.map((each) => a.infer(each, scope)),
    ),
  A_ArrayExpr: ({ elements = [] }, scope, a) => {
    const type = commonType(elements.map((each) => a.infer(each, scope).type));
    return certain(arrayOver(a.pgCatalog, type));
  },
  RowExpr: ({ args = [] }, scope, a) => {
    for (const each of args) a.infer(each, scope);
    return certain(undefined);
  },
  A_Indirection: inferPart,
  SQLValueFunction: inferValueFunction,
  GroupingFunc: () => certain(OID.int4),
  MergeSupportFunc: () => certain(OID.text),
};

/**
 * Nodes that are never NULL. `JSON_ARRAY(SELECT …)` is not listed, because it is NULL for no rows.
 */
const VALUES: ReadonlySet<Kind> = new Set(["JsonObjectConstructor", "JsonArrayConstructor"]);

const QUERIES: ReadonlySet<Kind> = new Set([
  "SelectStmt",
  "InsertStmt",
  "UpdateStmt",
  "DeleteStmt",
  "MergeStmt",
]);

/** Infers the value of an expression in its scope. */
export function inferExpression(node: Node | undefined, scope: Scope, a: Analysis): Value {
  const kind = nodeKind(node);
  if (node === undefined || kind === undefined) return UNKNOWN;
  if (Object.hasOwn(RULES, kind)) return inferAs(kind, node, scope, a);
  if (QUERIES.has(kind)) a.query(node, scope);
  else for (const each of childrenOf(node)) a.infer(each, scope);
  return VALUES.has(kind) ? certain(undefined) : UNKNOWN;
}

function inferAs<K extends Kind>(kind: K, node: Node, scope: Scope, a: Analysis): Value {
  const [rule, fields]: [Rule<K> | undefined, Fields<K> | undefined] = [
    RULES[kind],
    fieldsOf(node, kind),
  ];
  return rule === undefined || fields === undefined ? UNKNOWN : rule(fields, scope, a);
}

function inferColumn(reference: Fields<"ColumnRef">, scope: Scope, a: Analysis): Value {
  const { fields = [] } = reference;
  const isStar = fieldsOf(fields.at(-1), "A_Star") !== undefined;
  const column = isStar ? undefined : columnNamed(fields, scope);
  const item = itemNamed(namesIn(fields), scope);
  const whole = isStar || (item !== undefined && column === item.row);
  const named = isStar ? starColumns(fields, scope) : whole ? item?.columns : column && [column];
  for (const { origin } of named ?? []) if (origin !== undefined) a.record.column(origin, "read");
  if (column === undefined) return UNKNOWN;
  a.record.reference(reference);
  return { type: column.type, null: hasValue(column, scope.facts) ? "never" : "maybe" };
}

function inferCast(cast: Fields<"TypeCast">, scope: Scope, a: Analysis): Value {
  const value = a.infer(cast.arg, scope);
  a.record.cast(cast, value.type);
  const target = typeOfName(a.pgCatalog, cast.typeName);
  if (target === undefined) return UNKNOWN;
  const type = valueTypeOf(a.pgCatalog, target);
  const isNull = value.null === "always" && value.type === "literal";
  if (isNull) return { type, null: "always" };
  return value.null === "never" && castKeepsValues(a.pgCatalog, value.type, target)
    ? certain(type)
    : possible(type);
}

/**
 * Infers CASE. Each branch uses the facts that its condition proves, and those that the earlier
 * conditions prove by not being true.
 */
function inferCase(
  { arg, args = [], defresult }: Fields<"CaseExpr">,
  scope: Scope,
  a: Analysis,
): Value {
  const compared = arg === undefined ? undefined : a.infer(arg, scope);
  const values: Value[] = [];
  let reached = scope;
  for (const each of args) {
    const { expr, result } = fieldsOf(each, "CaseWhen") ?? {};
    const condition = a.infer(expr, reached);
    if (compared !== undefined)
      chooseOperators(a, { node: bodyOf(each), path: ["="] }, compared.type, condition.type);
    const when = (truth: "true" | "false") =>
      compared === undefined ? withFacts(reached, a, expr, truth) : reached;
    values.push(a.infer(result, when("true")));
    // A condition that is not true is false only if it can't be NULL.
    if (condition.null === "never") reached = when("false");
  }
  const otherwise: Value =
    defresult === undefined ? { type: "literal", null: "always" } : a.infer(defresult, reached);
  return oneOf(a.pgCatalog, [...values, otherwise]);
}

function withFacts(
  scope: Scope,
  a: Analysis,
  expr: Node | undefined,
  when: "true" | "false",
): Scope {
  return { ...scope, facts: allOf([scope.facts, a.prove(expr, scope, when)]) };
}

type Expr = Fields<"A_Expr">;

/** Infers `left operator right`, of any kind. */
function inferOperator(expr: Expr, scope: Scope, a: Analysis): Value {
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

/**
 * Infers IN and BETWEEN: a value if the left side and every item is one. For rows, all their fields
 * must be values.
 */
function inferAgainstList(expr: Expr, scope: Scope, a: Analysis, node: Expr = expr): Value {
  const items = itemsOf(expr.rexpr);
  const { total } = comparedTo(expr, items, scope, a, node);
  const fields = [expr.lexpr, ...items].flatMap((each) => fieldsOfRow(each));
  const values = fields.map((each) => a.infer(each, scope));
  return total && items.length > 0 ? whenAll(OID.bool, values) : possible(OID.bool);
}

/**
 * Infers `= ANY (array)`. An array may contain NULLs, unless its elements are written in the
 * statement.
 */
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
  const element = right === "literal" ? right : elementOf(a.pgCatalog, right);
  return chooseOperators(a, { node: expr, path: namesIn(expr.name) }, left, element);
}

/** The operators that compare the left side with each of the others. */
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

/** The fields of a row expression; any other node is its own only field. */
export function fieldsOfRow(node: Node | undefined): readonly Node[] {
  if (node === undefined) return [];
  return fieldsOf(node, "RowExpr")?.args ?? [node];
}

/** Properties shared by all operators that PostgreSQL may choose. */
interface Chosen {
  /** True if the result is NULL whenever a side is. */
  readonly strict: boolean;
  /** True if the result is a value whenever both sides are. */
  readonly total: boolean;
  readonly type: ValueType;
}

/**
 * Finds the operators for a node. `node` is the body of the node. `left` is `"none"` for a prefix
 * operator.
 */
export function chooseOperators(
  a: Analysis,
  { node, path }: { readonly node: object; readonly path: readonly string[] },
  left: ValueType | "none",
  right: ValueType,
): Chosen {
  const { pgCatalog } = a;
  const candidates = operatorCandidates(pgCatalog, path, left, right);
  a.record.operators(node, path.join("."), candidates);
  const direct =
    !(left !== "none" && mayTurnNull(pgCatalog, left)) && !mayTurnNull(pgCatalog, right);
  const sure = direct && candidates.length > 0;
  const types = new Set(candidates.map((each) => valueTypeOf(pgCatalog, each.result)));
  return {
    strict: sure && candidates.every((each) => isStrict(pgCatalog, each)),
    total: sure && candidates.every((each) => isTotal(pgCatalog, each)),
    type: types.size === 1 ? [...types][0] : undefined,
  };
}

/** Infers a constant. A quoted text takes its type from its context. */
function inferConstant({ isnull, ival, fval, boolval, bsval }: Fields<"A_Const">): Value {
  if (isnull === true) return { type: "literal", null: "always" };
  if (ival !== undefined) return certain(OID.int4);
  if (fval !== undefined) return certain(typeOfNumber(fval.fval ?? ""));
  if (boolval !== undefined) return certain(OID.bool);
  return certain(bsval === undefined ? "literal" : OID.bit);
}

/** A number too large for int4 is int8 or numeric. */
function typeOfNumber(text: string): ValueType {
  const whole = /^\d+$/.test(text.replaceAll("_", ""));
  return whole && text.length < 20 && BigInt(text.replaceAll("_", "")) < 2n ** 63n
    ? OID.int8
    : OID.numeric;
}

/** Infers functions without parentheses, such as `CURRENT_DATE`. */
function inferValueFunction(
  { op }: Fields<"SQLValueFunction">,
  _: Scope,
  { pgCatalog }: Analysis,
): Value {
  const oid = pgCatalog.typeNamed(["pg_catalog", VALUE_FUNCTIONS[op ?? ""] ?? ""])?.oid;
  // NULL if no schema of the search path exists.
  return op === "SVFOP_CURRENT_SCHEMA" ? possible(oid) : certain(oid);
}

const VALUE_FUNCTIONS: Readonly<Record<string, string>> = {
  SVFOP_CURRENT_DATE: "date",
  SVFOP_CURRENT_TIME: "timetz",
  SVFOP_CURRENT_TIME_N: "timetz",
  SVFOP_CURRENT_TIMESTAMP: "timestamptz",
  SVFOP_CURRENT_TIMESTAMP_N: "timestamptz",
  SVFOP_LOCALTIME: "time",
  SVFOP_LOCALTIME_N: "time",
  SVFOP_LOCALTIMESTAMP: "timestamp",
  SVFOP_LOCALTIMESTAMP_N: "timestamp",
  SVFOP_CURRENT_ROLE: "name",
  SVFOP_CURRENT_USER: "name",
  SVFOP_USER: "name",
  SVFOP_SESSION_USER: "name",
  SVFOP_CURRENT_CATALOG: "name",
  SVFOP_CURRENT_SCHEMA: "name",
};

/** Infers a subquery in an expression. */
function inferSubquery(link: Fields<"SubLink">, scope: Scope, a: Analysis): Value {
  const { columns, oneRow } = a.query(link.subselect, scope);
  const [first, ...others] = columns ?? [];
  const single = first !== undefined && others.length === 0 ? first.value : UNKNOWN;
  switch (link.subLinkType) {
    case "EXISTS_SUBLINK":
      return TRUTH;
    case "ARRAY_SUBLINK":
      return certain(arrayOver(a.pgCatalog, single.type === "literal" ? OID.text : single.type));
    case "EXPR_SUBLINK":
      // A subquery without rows is NULL.
      return single.null === "never" && oneRow ? single : possible(single.type);
    case "ANY_SUBLINK":
    case "ALL_SUBLINK": {
      const left = a.infer(link.testexpr, scope);
      const path = link.operName === undefined ? ["="] : namesIn(link.operName);
      const { total } = chooseOperators(a, { node: link, path }, left.type, single.type);
      const plain = fieldsOf(link.testexpr, "RowExpr") === undefined;
      return total && plain ? whenAll(OID.bool, [left, single]) : possible(OID.bool);
    }
    default:
      a.infer(link.testexpr, scope);
      return UNKNOWN;
  }
}

/** Infers an element, a slice or a field, any of which may be missing. */
function inferPart(
  { arg, indirection = [] }: Fields<"A_Indirection">,
  scope: Scope,
  a: Analysis,
): Value {
  const { type } = a.infer(arg, scope);
  for (const each of indirection) {
    const { lidx, uidx } = fieldsOf(each, "A_Indices") ?? {};
    a.infer(lidx, scope);
    a.infer(uidx, scope);
  }
  const [first, ...others] = indirection;
  const subscript = fieldsOf(first, "A_Indices");
  if (first === undefined || others.length > 0) return UNKNOWN;
  if (subscript !== undefined)
    return possible(subscript.is_slice === true ? type : elementOf(a.pgCatalog, type));
  const field = namesIn([first])[0];
  const found =
    typeof type === "number"
      ? a.pgCatalog.typeOf(type)?.fields?.find(({ name }) => name === field)
      : undefined;
  return possible(found === undefined ? undefined : valueTypeOf(a.pgCatalog, found.type));
}
