/**
 * Translates expressions: constants, CASE and calls, or fragments for all that Kysely can't
 * express.
 */
import type {
  A_Const,
  CaseExpr,
  CoalesceExpr,
  FuncCall,
  Node,
  SortBy,
  SubLink,
  WindowDef,
} from "@pgsql/types";
import {
  call,
  type Chain,
  type ChainType,
  isSame,
  lambda,
  list,
  literal,
  member,
  name,
  neverType,
  sql,
  stringType,
  template,
  typedCall,
  unknownType,
} from "../chain.js";
import { columnRef, constantOf, namesOf, namesOfReference } from "../nodes.js";
import { builder, type TranslationContext, type Typed } from "../place.js";
import { resolveReference } from "../scope.js";
import { subqueryChain } from "./fragment.js";
import { orderArguments } from "./order.js";
import { parameterAs, parameterValue, referenceText, referenceValue } from "./reference.js";

/** Translates an expression, as a fragment if Kysely can't express it. */
export function translateValue(node: Node, place: TranslationContext): Typed {
  if ("ColumnRef" in node) return referenceValue(node.ColumnRef, place);
  if ("ParamRef" in node) return { chain: parameterValue(node.ParamRef, place) };
  if ("A_Const" in node) return constantValue(node.A_Const, node, place);
  if ("BoolExpr" in node || isExists(node)) return { chain: place.say.condition(node, place) };
  const worded = wordedValue(node, place);
  return worded ?? { chain: template(place.say.words(node, place)) };
}

function wordedValue(node: Node, place: TranslationContext): Typed | undefined {
  if ("SubLink" in node) return subqueryValue(node.SubLink, place);
  if ("FuncCall" in node) return functionValue(node.FuncCall, place);
  if ("CaseExpr" in node) return caseValue(node.CaseExpr, place);
  if ("CoalesceExpr" in node) return coalesceValue(node.CoalesceExpr, place);
  return undefined;
}

/** A column's name if Kysely accepts one, or else an expression. */
export function operandOf(node: Node, place: TranslationContext): Chain {
  const ref = columnRef(node);
  const text = ref === undefined ? undefined : referenceText(ref, place);
  return text ?? place.say.value(node, place).chain;
}

/**
 * Translates an expression where Kysely expects a type. PostgreSQL accepts more than Kysely's types
 * do, so a cast may be needed.
 */
export function coercedValue(
  node: Node,
  place: TranslationContext,
  wanted: ChainType | undefined,
): Chain {
  const type = wanted ?? neverType;
  if ("ParamRef" in node) return parameterAs(node.ParamRef, place, type);
  if ("A_Const" in node) return constantAs(node.A_Const, type) ?? fragmentAs(node, place, type);
  const { chain, type: own } = place.say.value(node, place);
  if (chain.kind === "template") return { ...chain, type };
  if (chain.kind === "apply" && isSame(chain.types?.[0], unknownType))
    return { ...chain, types: [type] };
  return isSame(own, type) ? chain : typedCall(chain, "$castTo", [type]);
}

/** The same for methods whose types reject null, though PostgreSQL accepts NULL for each row. */
export function coercedWithoutNull(
  node: Node,
  place: TranslationContext,
  wanted: ChainType | undefined,
): Chain {
  const chain = place.say.coerced(node, place, wanted);
  if ("A_Const" in node && node.A_Const.isnull === true)
    return typedCall(chain, "$castTo", [wanted ?? neverType]);
  const ref = columnRef(node);
  if (ref === undefined || chain.kind !== "call" || chain.method !== "ref") return chain;
  const found = resolveReference(place.frame, namesOfReference(ref).names);
  return found.kind === "typed" && !found.notNull ? call(chain, "$notNull") : chain;
}

function fragmentAs(node: Node, place: TranslationContext, type: ChainType): Chain {
  return template(place.say.words(node, place), type);
}

function constantValue(constant: A_Const, node: Node, place: TranslationContext): Typed {
  const found = constantOf(constant);
  if (found.kind !== "value") return { chain: template(place.say.words(node, place)) };
  return { chain: call(sql, "lit", literal(found.value)) };
}

function constantAs(constant: A_Const, type: ChainType): Chain | undefined {
  const found = constantOf(constant);
  if (found.kind !== "value") return undefined;
  const { value } = found;
  const lit = literal(value);
  if (value === null) return call(sql, "lit", lit);
  if (type.kind === "keyword" && type.name === typeof value) return call(sql, "lit", lit);
  if (type.kind === "labels" && typeof value === "string" && type.of.includes(value))
    return typedCall(sql, "lit", [{ kind: "labels", of: [value] }], lit);
  return undefined;
}

function isExists(node: Node): boolean {
  return "SubLink" in node && node.SubLink.subLinkType === "EXISTS_SUBLINK";
}

function subqueryValue(link: SubLink, place: TranslationContext): Typed | undefined {
  return link.subLinkType === "EXPR_SUBLINK" ? { chain: subqueryChain(link, place) } : undefined;
}

/** Kysely has types for this number of arguments. */
const MOST_ARGUMENTS = 5;

function coalesceValue({ args = [] }: CoalesceExpr, place: TranslationContext): Typed | undefined {
  if (args.length > MOST_ARGUMENTS) return undefined;
  const chains = args.map((each) => place.say.operand(each, place));
  return { chain: call(member(builder(place), "fn"), "coalesce", ...chains) };
}

/**
 * Translates `CASE WHEN … THEN … END`; undefined for the form that compares one value, because
 * Kysely's types are too narrow for it.
 */
function caseValue(
  { arg, args = [], defresult }: CaseExpr,
  place: TranslationContext,
): Typed | undefined {
  if (arg !== undefined) return undefined;
  const whens = args.map((each) => branchOf(each, place));
  if (!whens.every((each) => each !== undefined)) return undefined;
  const begun = whens.reduce<Chain>(
    (chain, { condition, value }) => call(call(chain, "when", condition), "then", value),
    call(builder(place), "case"),
  );
  const whole = defresult === undefined ? begun : call(begun, "else", result(defresult, place));
  return { chain: call(whole, "end") };
}

function branchOf(
  node: Node,
  place: TranslationContext,
): { readonly condition: Chain; readonly value: Chain } | undefined {
  if (!("CaseWhen" in node)) return undefined;
  const { expr, result: then } = node.CaseWhen;
  if (expr === undefined || then === undefined) return undefined;
  return { condition: place.say.condition(expr, place), value: result(then, place) };
}

/** Always an expression, because Kysely would write a bare value into the SQL. */
function result(node: Node, place: TranslationContext): Chain {
  return place.say.value(node, place).chain;
}

/**
 * Translates a call; undefined for forms that Kysely can't express (VARIADIC, named arguments,
 * window frames, SQL's own syntax…).
 */
function functionValue(fn: FuncCall, place: TranslationContext): Typed | undefined {
  const [only, ...others] = namesOf(fn.funcname);
  if (only === undefined || others.length > 0 || !callable.test(only) || KEYWORDS.has(only))
    return undefined;
  if (fn.funcformat === "COERCE_SQL_SYNTAX" || fn.func_variadic || hasNamedArguments(fn))
    return undefined;
  return isAggregate(fn, only) ? aggregateCall(fn, only, place) : plainCall(fn, only, place);
}

/** Names that need no quotes in a call. */
const callable = /^[a-z_][a-z0-9_]*$/;

/** Words that have a special meaning before a parenthesis, or can't be called without quotes. */
const KEYWORDS: ReadonlySet<string> = new Set(
  `all analyse analyze and any array as asc asymmetric between bigint bit boolean both case cast char character check
  coalesce collate column constraint create current_date current_role current_time current_timestamp current_user dec
  decimal default deferrable desc distinct do else end except exists extract false fetch float for foreign from grant
  greatest group grouping having in initially inout int integer intersect interval into json json_array json_arrayagg
  json_exists json_object json_objectagg json_query json_scalar json_serialize json_table json_value lateral leading
  least limit localtime localtimestamp merge_action national nchar none normalize not null nullif numeric offset on only
  or order out overlay placing position precision primary real references returning row select session_user setof
  smallint some substring symmetric system_user table then time timestamp to trailing treat trim true union unique user
  using values varchar variadic when where window with xmlattributes xmlconcat xmlelement xmlexists xmlforest
  xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable`.split(/\s+/),
);

function hasNamedArguments({ args = [] }: FuncCall): boolean {
  return args.some((each) => "NamedArgExpr" in each);
}

/** Aggregates with a method in Kysely, and their types. */
const AGGREGATES: Readonly<Record<string, ChainType | undefined>> = {
  avg: undefined,
  count: stringType,
  max: undefined,
  min: undefined,
  sum: undefined,
};

function isAggregate(fn: FuncCall, named: string): boolean {
  const marked = fn.agg_star || fn.agg_distinct || fn.agg_order || fn.agg_filter || fn.over;
  return Boolean(marked) || (Object.hasOwn(AGGREGATES, named) && fn.args?.length === 1);
}

function plainCall({ args = [] }: FuncCall, named: string, place: TranslationContext): Typed {
  const fn = member(builder(place), "fn");
  const chains = args.map((each) => place.say.operand(each, place));
  const rest = chains.length === 0 ? [] : [list(chains)];
  return {
    chain: { kind: "apply", on: fn, arguments: [literal(named), ...rest], types: [unknownType] },
    type: unknownType,
  };
}

function aggregateCall(fn: FuncCall, named: string, place: TranslationContext): Typed | undefined {
  const begun = beginAggregate(fn, named, place);
  if (begun === undefined) return undefined;
  const distinct = fn.agg_distinct ? call(begun.chain, "distinct") : begun.chain;
  const ordered = orderedBy(distinct, fn, place);
  const filtered =
    fn.agg_filter === undefined
      ? ordered
      : call(ordered, "filterWhere", place.say.condition(fn.agg_filter, place));
  const chain = fn.over === undefined ? filtered : overWindow(filtered, fn.over, place);
  return chain === undefined ? undefined : { ...begun, chain };
}

function beginAggregate(fn: FuncCall, named: string, place: TranslationContext): Typed | undefined {
  const on = member(builder(place), "fn");
  const args = (fn.args ?? []).map((each) => place.say.operand(each, place));
  const [only, ...others] = args;
  if (fn.agg_star)
    return named === "count"
      ? { chain: typedCall(on, "countAll", [stringType]), type: stringType }
      : undefined;
  if (Object.hasOwn(AGGREGATES, named) && only !== undefined && others.length === 0)
    return named === "count"
      ? { chain: typedCall(on, "count", [stringType], only), type: stringType }
      : { chain: call(on, named, only) };
  const rest = args.length === 0 ? [] : [list(args)];
  return {
    chain: typedCall(on, "agg", [unknownType], literal(named), ...rest),
    type: unknownType,
  };
}

function orderedBy(chain: Chain, fn: FuncCall, place: TranslationContext): Chain {
  const method = fn.agg_within_group ? "withinGroupOrderBy" : "orderBy";
  return (fn.agg_order ?? []).reduce<Chain>(
    (on, each) => ("SortBy" in each ? orderStep(on, method, each.SortBy, place) : on),
    chain,
  );
}

function orderStep(on: Chain, method: string, by: SortBy, place: TranslationContext): Chain {
  const inside = { ...place, frame: { ...place.frame, outputs: new Set<string>() } };
  return call(on, method, ...orderArguments(by, inside));
}

/** PostgreSQL's default frame. */
const DEFAULT_FRAME = 1058;

function overWindow(on: Chain, over: WindowDef, place: TranslationContext): Chain | undefined {
  const named = over.name !== undefined || over.refname !== undefined;
  if (named || over.frameOptions !== DEFAULT_FRAME) return undefined;
  const parts = partitions(over.partitionClause ?? [], place);
  if (parts === undefined) return undefined;
  const window = name("over");
  const partitioned = parts.length === 0 ? window : call(window, "partitionBy", list(parts));
  const whole = (over.orderClause ?? []).reduce<Chain>(
    (chain, each) => ("SortBy" in each ? orderStep(chain, "orderBy", each.SortBy, place) : chain),
    partitioned,
  );
  return whole === window ? call(on, "over") : call(on, "over", lambda("over", whole));
}

/** Kysely partitions by columns only. */
function partitions(
  nodes: readonly Node[],
  place: TranslationContext,
): readonly Chain[] | undefined {
  const refs = nodes.map((each) => {
    const ref = columnRef(each);
    return ref === undefined ? undefined : referenceText(ref, place);
  });
  return refs.every((each) => each !== undefined) ? refs : undefined;
}
