/**
 * Proves that function calls are not NULL: plain functions by the lists of never-null.ts,
 * aggregates and window functions by their groups.
 */
import type { Node } from "@pgsql/types";
import type { PgFunction } from "../../database/snapshot.js";
import { type Fields, fieldsOf, namesIn, walk } from "../../statement/tree.js";
import { functionCandidates, resultType } from "../candidates.js";
import { COUNTING, needsOf, TAKES_NULLS, VALUE_FOR_ONE_ROW, WINDOW_VALUE } from "../never-null.js";
import { castKeepsValues, mayTurnNull, type ValueType, valueTypeOf } from "../value-type.js";
import {
  type Analysis,
  certain,
  columnNamed,
  possible,
  type Scope,
  type Value,
  whenAll,
} from "./model.js";

/** Infers the value of a call: of a plain function, an aggregate, or a window function. */
export function inferCall(call: Fields<"FuncCall">, scope: Scope, a: Analysis): Value {
  const given = (call.args ?? []).map((each) => a.infer(each, scope));
  inferAround(call, scope, a);
  const candidates = candidatesOf(
    call,
    given.map(({ type }) => type),
    a,
  );
  const type = resultType(
    a.pgCatalog,
    candidates,
    given.map((each) => each.type),
  );
  if (candidates.some((each) => each.returnsSet)) return possible(type);
  const sure = given.every((each) => !mayTurnNull(a.pgCatalog, each.type));
  const all = (kind: PgFunction["kind"]) => candidates.every((each) => each.kind === kind);
  if (call.over !== undefined) return inferWindow({ call, candidates, given, type, sure }, scope);
  if (candidates.length > 0 && all("aggregate"))
    return inferAggregate({ call, candidates, given, type, sure }, scope);
  if (isPathOfTime(call)) return sure ? whenAll(type, given) : possible(type);
  return inferPlain(call, candidates, given, type, sure, a);
}

/** The functions that a call may refer to. */
export function candidatesOf(
  call: Fields<"FuncCall">,
  given: readonly ValueType[],
  a: Analysis,
): readonly PgFunction[] {
  const candidates = functionCandidates(a.pgCatalog, {
    path: namesIn(call.funcname),
    arguments:
      call.agg_within_group === true
        ? [...given, ...(call.agg_order ?? []).map(() => undefined)]
        : given,
    variadic: call.func_variadic === true,
    named: (call.args ?? []).some((each) => fieldsOf(each, "NamedArgExpr") !== undefined),
  });
  a.record.functions(call, candidates);
  return candidates;
}

function inferAround(call: Fields<"FuncCall">, scope: Scope, a: Analysis): void {
  const { partitionClause = [], orderClause = [], startOffset, endOffset } = call.over ?? {};
  const sorts = [...(call.agg_order ?? []), ...orderClause].map(
    (each) => fieldsOf(each, "SortBy")?.node,
  );
  const parts: readonly (Node | undefined)[] = [
    call.agg_filter,
    ...sorts,
    ...partitionClause,
    startOffset,
    endOffset,
  ];
  for (const each of parts) a.infer(each, scope);
}

function inferPlain(
  call: Fields<"FuncCall">,
  candidates: readonly PgFunction[],
  given: readonly Value[],
  type: ValueType,
  sure: boolean,
  a: Analysis,
): Value {
  const asCast = inferAsCast(call, given, a);
  if (asCast !== undefined && candidates.length === 0) return asCast;
  // PostgreSQL reads `date(x)` as the function if the types fit, and as a cast otherwise.
  if (asCast !== undefined) return { ...asCast, type: type === asCast.type ? type : undefined };
  if (candidates.length === 0 || call.func_variadic === true) return possible(type);
  const needs = new Set(candidates.map((each) => needsOf(a.pgCatalog, each)));
  if (needs.has("unproven")) return possible(type);
  if (needs.has("all")) return sure ? whenAll(type, given) : possible(type);
  if (needs.has("first")) return sure ? whenAll(type, given.slice(0, 1)) : possible(type);
  return certain(type);
}

/** Infers `date(x)`, `text(x)`: a type's name in place of a function's. */
function inferAsCast(
  { funcname, args = [] }: Fields<"FuncCall">,
  given: readonly Value[],
  { pgCatalog }: Analysis,
): Value | undefined {
  const [only, ...others] = given;
  const target = pgCatalog.typeNamed(namesIn(funcname));
  if (only === undefined || others.length > 0 || target === undefined || args.length !== 1)
    return undefined;
  const type = valueTypeOf(pgCatalog, target.oid);
  // A function of pg_catalog with the name of a type is a cast to the type.
  const own = pgCatalog.functions(namesIn(funcname)).every(({ schema }) => schema === "pg_catalog");
  return own && castKeepsValues(pgCatalog, only.type, target.oid)
    ? whenAll(type, given)
    : possible(type);
}

const TIME_FIELDS: ReadonlySet<string> = new Set(
  "year decade century millennium isoyear julian epoch".split(" "),
);

/**
 * True for `extract(year from …)` with a field that is infinite for an infinite time. Other fields,
 * such as `hour`, are NULL for it.
 */
function isPathOfTime({ funcname, args = [] }: Fields<"FuncCall">): boolean {
  const [schema, name] = namesIn(funcname);
  const field = fieldsOf(args[0], "A_Const")?.sval?.sval;
  return (
    schema === "pg_catalog" &&
    name === "extract" &&
    field !== undefined &&
    TIME_FIELDS.has(field.toLowerCase())
  );
}

interface Resolved {
  readonly call: Fields<"FuncCall">;
  readonly candidates: readonly PgFunction[];
  readonly given: readonly Value[];
  readonly type: ValueType;
  /** True if no argument may become NULL through an implicit cast. */
  readonly sure: boolean;
}

/**
 * Infers an aggregate. It is a value if at least one row gives it one, which needs a GROUP BY and
 * no FILTER.
 */
function inferAggregate(resolved: Resolved, scope: Scope): Value {
  const { call, type } = resolved;
  if (isOneOf(COUNTING, resolved)) return certain(type);
  const fed =
    scope.grouped &&
    call.agg_filter === undefined &&
    call.agg_within_group !== true &&
    belongsHere(call, scope);
  return fed && isFedValues(resolved) ? certain(type) : possible(type);
}

/** Infers a window function, or an aggregate over a frame that includes the current row. */
function inferWindow(resolved: Resolved, scope: Scope): Value {
  const { call, candidates, given, sure, type } = resolved;
  if (candidates.length === 0) return possible(type);
  if (isOneOf(COUNTING, resolved)) return certain(type);
  if (isOneOf(WINDOW_VALUE, resolved))
    return sure && given.every((each) => each.null === "never") ? certain(type) : possible(type);
  const fed = call.agg_filter === undefined && holdsRow(frameOf(call, scope));
  return fed && isFedValues(resolved) ? certain(type) : possible(type);
}

function isOneOf(names: ReadonlySet<string>, { candidates }: Resolved): boolean {
  return (
    candidates.length > 0 &&
    candidates.every((each) => each.schema === "pg_catalog" && names.has(each.name))
  );
}

/**
 * `string_agg` may have a NULL separator. Only the first argument counts: the collected value, or
 * the key of an object, which is never NULL.
 */
function isFedValues(resolved: Resolved): boolean {
  if (!isOneOf(VALUE_FOR_ONE_ROW, resolved)) return false;
  if (isOneOf(TAKES_NULLS, resolved)) return true;
  return resolved.sure && resolved.given[0]?.null === "never";
}

function frameOf({ over }: Fields<"FuncCall">, { windows }: Scope): number | undefined {
  // `OVER w` uses the frame of the window's definition; `OVER (w …)` has a frame of its own.
  return over?.name === undefined ? over?.frameOptions : windows.get(over.name);
}

// PostgreSQL's FRAMEOPTION_ bits.
const STARTS_BEFORE = 0x20 | 0x200 | 0x800;
const ENDS_AFTER = 0x100 | 0x400 | 0x4000;
const EXCLUDES = 0x8000 | 0x10000 | 0x20000;

/**
 * True if a frame starts at or before the current row, ends at or after it, and excludes nothing.
 */
function holdsRow(options: number | undefined): boolean {
  return (
    options !== undefined &&
    (options & STARTS_BEFORE) !== 0 &&
    (options & ENDS_AFTER) !== 0 &&
    (options & EXCLUDES) === 0
  );
}

/** True if every function of the call's name is an aggregate. */
export function isAggregate(
  { funcname, over }: Fields<"FuncCall">,
  { pgCatalog }: Analysis,
): boolean {
  const named = pgCatalog.functions(namesIn(funcname));
  return over === undefined && named.length > 0 && named.every(({ kind }) => kind === "aggregate");
}

/**
 * True if an aggregate belongs to the query that contains it. If all columns in its arguments come
 * from an outer query, it belongs to that query and proves nothing about the rows here.
 */
export function belongsHere(call: Fields<"FuncCall">, scope: Scope): boolean {
  const parts = [
    ...(call.args ?? []),
    ...(call.agg_order ?? []),
    ...(call.agg_filter === undefined ? [] : [call.agg_filter]),
  ];
  const references = parts.flatMap((each) => referencesIn(each));
  if (references.includes("unclear")) return false;
  const own = { ...scope, outer: undefined };
  return (
    references.length === 0 ||
    references.some((each) => each !== "unclear" && columnNamed(each.fields, own) !== undefined)
  );
}

/** Columns in an expression; `"unclear"` stands for a subquery, which has names of its own. */
function referencesIn(node: Node): readonly (Fields<"ColumnRef"> | "unclear")[] {
  const found: (Fields<"ColumnRef"> | "unclear")[] = [];
  walk(node, (each) => {
    const reference = fieldsOf(each, "ColumnRef");
    if (reference !== undefined) found.push(reference);
    if (fieldsOf(each, "SubLink") !== undefined) found.push("unclear");
  });
  return found;
}
