/** Finds columns that can't be NULL because a condition is true, or false. */
import type { Node } from "@pgsql/types";
import {
  type Fields,
  fieldsOf,
  itemsOf,
  type Kind,
  nodeKind,
  namesIn,
} from "../../statement/tree.js";
import { functionCandidates } from "../candidates.js";
import { castKeepsNull, mayTurnNull, OID, typeOfName } from "../value-type.js";
import {
  chooseForElements,
  chooseOperators,
  comparedTo,
  fieldsOfRow,
  isRow,
} from "./expression.js";
import {
  allOf,
  type Analysis,
  anyOf,
  columnNamed,
  type Facts,
  isValue,
  NO_FACTS,
  type Scope,
} from "./model.js";

/** Known outcome of an expression. `"known"`: not NULL. */
type When = "true" | "false" | "known";

type Rule<K extends Kind> = (fields: Fields<K>, when: When, scope: Scope, a: Analysis) => Facts;

/**
 * Rules that find columns which can't be NULL, given the outcome of an expression. Any other kind
 * of node proves nothing.
 */
const RULES: { readonly [K in Kind]?: Rule<K> } = {
  ColumnRef: ({ fields }, _, scope) => {
    const column = columnNamed(fields, scope);
    return column === undefined ? NO_FACTS : isValue(column);
  },
  BoolExpr: proveBoolean,
  // A row IS NOT NULL if all its fields are, and IS NULL if all fields are NULL. For the row
  // itself, both prove as much as for a plain value.
  NullTest: ({ arg, nulltesttype }, when, scope, a) => {
    const saysValue = when === (nulltesttype === "IS_NOT_NULL" ? "true" : "false");
    return saysValue ? a.prove(arg, scope, "known") : NO_FACTS;
  },
  BooleanTest: ({ arg, booltesttype }, when, scope, a) => {
    const [test, found] = TRUTH_TESTS[booltesttype ?? ""] ?? [];
    return test !== undefined && found === when ? a.prove(arg, scope, test) : NO_FACTS;
  },
  A_Expr: proveOperator,
  FuncCall: proveCall,
  // `x IN (SELECT …)` compares nothing if there are no rows: the result is then false, and that of
  // `x = ALL (SELECT …)` is true.
  SubLink: ({ subLinkType, testexpr, operName }, when, scope, a) =>
    subLinkType === "ANY_SUBLINK" &&
    when === "true" &&
    !isRow(testexpr) &&
    comparesStrictly(a, namesIn(operName))
      ? a.prove(testexpr, scope, "known")
      : NO_FACTS,
  TypeCast: ({ arg, typeName }, _, scope, a) => {
    const target = typeOfName(a.pgCatalog, typeName);
    return target !== undefined && castKeepsNull(a.pgCatalog, a.infer(arg, scope).type, target)
      ? a.prove(arg, scope, "known")
      : NO_FACTS;
  },
  CollateClause: ({ arg }, when, scope, a) => a.prove(arg, scope, when),
  // A part of NULL is never a value. Types of extensions may define subscripts differently.
  A_Indirection: ({ arg, indirection = [] }, _, scope, a) => {
    const { type } = a.infer(arg, scope);
    const kind = typeof type === "number" ? a.pgCatalog.typeOf(type)?.kind : undefined;
    const plain = kind === "array" || type === OID.jsonb;
    return plain && indirection.length === 1 ? a.prove(arg, scope, "known") : NO_FACTS;
  },
};

const TRUTH_TESTS: Readonly<Record<string, readonly [test: When, found: When]>> = {
  IS_TRUE: ["true", "true"],
  IS_NOT_TRUE: ["true", "false"],
  IS_FALSE: ["false", "true"],
  IS_NOT_FALSE: ["false", "false"],
  IS_UNKNOWN: ["known", "false"],
  IS_NOT_UNKNOWN: ["known", "true"],
};

/** Facts that follow from the outcome of an expression. */
export function proveExpression(
  node: Node | undefined,
  scope: Scope,
  when: When,
  a: Analysis,
): Facts {
  const kind = nodeKind(node);
  return kind === undefined ? NO_FACTS : proveAs(kind, node, scope, when, a);
}

function proveAs<K extends Kind>(
  kind: K,
  node: Node | undefined,
  scope: Scope,
  when: When,
  a: Analysis,
): Facts {
  const [rule, fields]: [Rule<K> | undefined, Fields<K> | undefined] = [
    RULES[kind],
    fieldsOf(node, kind),
  ];
  return rule === undefined || fields === undefined ? NO_FACTS : rule(fields, when, scope, a);
}

/**
 * NULL AND FALSE is FALSE, and NULL OR TRUE is TRUE. Only the other outcome depends on every part.
 */
function proveBoolean(
  { boolop, args = [] }: Fields<"BoolExpr">,
  when: When,
  scope: Scope,
  a: Analysis,
): Facts {
  const each = (when: When) => args.map((arg) => a.prove(arg, scope, when));
  if (boolop === "NOT_EXPR") return allOf(each(OPPOSITE[when]));
  const [every, some]: [When, When] = boolop === "AND_EXPR" ? ["true", "false"] : ["false", "true"];
  if (when === every) return allOf(each(every));
  if (when === some) return anyOf(each(some));
  return anyOf([allOf(each(every)), anyOf(each(some))]);
}

const OPPOSITE = { true: "false", false: "true", known: "known" } as const;

/**
 * A strict function returns a value only if its arguments are values. Elements of a VARIADIC array
 * may still be NULL.
 */
function proveCall(call: Fields<"FuncCall">, _: When, scope: Scope, a: Analysis): Facts {
  const { args = [], over, func_variadic } = call;
  if (over !== undefined || args.some((each) => fieldsOf(each, "NamedArgExpr") !== undefined))
    return NO_FACTS;
  const types = args.map((each) => a.infer(each, scope).type);
  if (types.some((each) => mayTurnNull(a.pgCatalog, each))) return NO_FACTS;
  const candidates = functionCandidates(a.pgCatalog, {
    path: namesIn(call.funcname),
    arguments: types,
    variadic: func_variadic === true,
    named: false,
  });
  const strict = candidates.every(
    (each) => each.strict && each.kind === "function" && !each.returnsSet,
  );
  // A type's name may stand for a cast.
  if (
    candidates.length === 0 ||
    !strict ||
    a.pgCatalog.typeNamed(namesIn(call.funcname)) !== undefined
  )
    return NO_FACTS;
  const places = Math.min(
    ...candidates.map((each) =>
      each.variadic && func_variadic !== true ? each.arguments.length - 1 : args.length,
    ),
  );
  return allOf(args.slice(0, places).map((each) => a.prove(each, scope, "known")));
}

/** Types are not considered here, so every operator of that name must be strict. */
function comparesStrictly({ pgCatalog }: Analysis, name: readonly string[]): boolean {
  return (
    pgCatalog.foreignImplicitCasts.length === 0 &&
    pgCatalog
      .operators(name.length === 0 ? ["="] : name)
      .every((each) => pgCatalog.functionOf(each.function)?.strict === true)
  );
}

type Expr = Fields<"A_Expr">;

/** Facts about the sides of an operator that follow from its outcome. */
function proveOperator(
  expr: Expr,
  when: "true" | "false" | "known",
  scope: Scope,
  a: Analysis,
): Facts {
  const { lexpr, rexpr } = expr;
  const known = (...nodes: readonly (Node | undefined)[]) =>
    allOf(nodes.map((each) => a.prove(each, scope, "known")));
  const items = itemsOf(rexpr);
  switch (expr.kind) {
    case "AEXPR_OP":
      if (isRow(lexpr) || isRow(rexpr)) return proveRows(expr, when, scope, a);
      return strictly(expr, scope, a) ? known(lexpr, rexpr) : NO_FACTS;
    case "AEXPR_LIKE":
    case "AEXPR_ILIKE":
    case "AEXPR_SIMILAR":
      return strictly(expr, scope, a) ? known(lexpr, rexpr) : NO_FACTS;
    case "AEXPR_IN":
    case "AEXPR_BETWEEN":
    case "AEXPR_NOT_BETWEEN":
    case "AEXPR_BETWEEN_SYM":
    case "AEXPR_NOT_BETWEEN_SYM": {
      // One field may decide the comparison of two rows while the next field is NULL.
      if (isRow(lexpr) || !comparedTo(expr, items, scope, a).strict) return NO_FACTS;
      return when === BOUNDED[expr.kind] ? known(lexpr, ...items) : known(lexpr);
    }
    case "AEXPR_OP_ANY":
    case "AEXPR_OP_ALL":
      return proveArray(expr, when, scope, a);
    case "AEXPR_DISTINCT":
    case "AEXPR_NOT_DISTINCT":
      return proveDistinct(expr, when, scope, a);
    case "AEXPR_NULLIF":
      return known(lexpr);
    default:
      return NO_FACTS;
  }
}

/** The outcome for which both bounds were compared and neither was NULL. */
const BOUNDED: Readonly<Record<string, string>> = {
  AEXPR_BETWEEN: "true",
  AEXPR_BETWEEN_SYM: "true",
  AEXPR_NOT_BETWEEN: "false",
  AEXPR_NOT_BETWEEN_SYM: "false",
};

function strictly(expr: Expr, scope: Scope, a: Analysis): boolean {
  const left = expr.lexpr === undefined ? "none" : a.infer(expr.lexpr, scope).type;
  const right = a.infer(expr.rexpr, scope).type;
  return chooseOperators(a, { node: expr, path: namesIn(expr.name) }, left, right).strict;
}

/**
 * `(a, b) = (c, d)` is true only if all fields are equal. Its false outcome, and `<>`, `<` and
 * others, may be decided by one field.
 */
function proveRows(expr: Expr, when: string, scope: Scope, a: Analysis): Facts {
  const { lexpr, rexpr } = expr;
  if (when !== "true" || namesIn(expr.name).at(-1) !== "=" || !isRow(lexpr) || !isRow(rexpr))
    return NO_FACTS;
  if (!comparedTo(expr, [rexpr], scope, a).strict) return NO_FACTS;
  const fields = [...fieldsOfRow(lexpr), ...fieldsOfRow(rexpr)];
  return allOf(fields.map((each) => a.prove(each, scope, "known")));
}

/**
 * For an empty array, `= ANY` is false and `= ALL` true, whatever the left side. The other outcome
 * needs a comparison with an element.
 */
function proveArray(expr: Expr, when: string, scope: Scope, a: Analysis): Facts {
  const array = a.prove(expr.rexpr, scope, "known");
  const compared = when === (expr.kind === "AEXPR_OP_ANY" ? "true" : "false");
  if (!compared || isRow(expr.lexpr)) return array;
  const { strict } = chooseForElements(expr, scope, a);
  return strict ? allOf([array, a.prove(expr.lexpr, scope, "known")]) : array;
}

/** A side that is distinct from NULL, or not distinct from a value, is a value. */
function proveDistinct(expr: Expr, when: string, scope: Scope, a: Analysis): Facts {
  const differs = when === (expr.kind === "AEXPR_DISTINCT" ? "true" : "false");
  const same = when === (expr.kind === "AEXPR_DISTINCT" ? "false" : "true");
  const side = (node: Node | undefined, other: Node | undefined): Facts => {
    const provesValue =
      (differs && fieldsOf(other, "A_Const")?.isnull === true) ||
      (same &&
        a.infer(other, scope).null === "never" &&
        comparedTo(expr, [expr.rexpr], scope, a).total);
    return provesValue && !isRow(node) ? a.prove(node, scope, "known") : NO_FACTS;
  };
  return allOf([side(expr.lexpr, expr.rexpr), side(expr.rexpr, expr.lexpr)]);
}
