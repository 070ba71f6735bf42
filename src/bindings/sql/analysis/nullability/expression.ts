import type { Node } from "@pgsql/types";
import { childrenOf } from "../../statement/tree.js";
import { castKeepsValues } from "../catalog/cast.js";
import { arrayOver } from "../catalog/result-type.js";
import { commonType, OID, valueTypeOf } from "../catalog/value-type.js";
import { type Fields, fieldsOf, type Kind, kindOf, namesIn } from "../node.js";
import { inferCall } from "./call.js";
import { inferCase } from "./case.js";
import { inferConstant, inferValueFunction } from "./constant.js";
import { hasValue } from "./facts.js";
import { type Analysis, type Scope, UNKNOWN, type Value } from "./model.js";
import { columnNamed, itemNamed, starColumns } from "./names.js";
import { inferOperator } from "./operator.js";
import { inferPart } from "./part.js";
import { inferSubquery } from "./subquery.js";
import { typeOfName } from "./type-name.js";
import { certain, firstOf, possible, TRUTH, whenAll } from "./value.js";

type Rule<K extends Kind> = (fields: Fields<K>, scope: Scope, a: Analysis) => Value;

/** What is proven of an expression. What is not listed here may be NULL. */
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
      a.catalog,
      args.map((each) => a.infer(each, scope)),
    ),
  // They leave NULLs out.
  MinMaxExpr: ({ args = [] }, scope, a) =>
    firstOf(
      a.catalog,
      args.map((each) => a.infer(each, scope)),
    ),
  A_ArrayExpr: ({ elements = [] }, scope, a) => {
    const type = commonType(elements.map((each) => a.infer(each, scope).type));
    return certain(arrayOver(a.catalog, type));
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

/** Nodes that are values whatever stands in them. `JSON_ARRAY(SELECT …)` is none: it is NULL for no rows. */
const VALUES: ReadonlySet<Kind> = new Set(["JsonObjectConstructor", "JsonArrayConstructor"]);

const QUERIES: ReadonlySet<Kind> = new Set([
  "SelectStmt",
  "InsertStmt",
  "UpdateStmt",
  "DeleteStmt",
  "MergeStmt",
]);

/** What is proven of an expression where it stands. */
export function inferExpression(node: Node | undefined, scope: Scope, a: Analysis): Value {
  const kind = kindOf(node);
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
  const target = typeOfName(a.catalog, cast.typeName);
  if (target === undefined) return UNKNOWN;
  const type = valueTypeOf(a.catalog, target);
  const isNull = value.null === "always" && value.type === "literal";
  if (isNull) return { type, null: "always" };
  return value.null === "never" && castKeepsValues(a.catalog, value.type, target)
    ? certain(type)
    : possible(type);
}
