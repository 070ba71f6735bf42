import type { Node } from "@pgsql/types";
import type { PgFunction } from "../../database/snapshot.js";
import { functionCandidates } from "../catalog/candidates.js";
import { castKeepsValues } from "../catalog/cast.js";
import { needsOf } from "../catalog/never-null.js";
import { resultType } from "../catalog/result-type.js";
import { mayTurnNull, type ValueType, valueTypeOf } from "../catalog/value-type.js";
import { type Fields, fieldsOf, namesIn } from "../node.js";
import { inferAggregate, inferWindow } from "./aggregate.js";
import type { Analysis, Scope, Value } from "./model.js";
import { certain, possible, whenAll } from "./value.js";

/** What is proven of a function call: a plain function, an aggregate, a window function. */
export function inferCall(call: Fields<"FuncCall">, scope: Scope, a: Analysis): Value {
  const given = (call.args ?? []).map((each) => a.infer(each, scope));
  inferAround(call, scope, a);
  const candidates = candidatesOf(
    call,
    given.map(({ type }) => type),
    a,
  );
  const type = resultType(
    a.catalog,
    candidates,
    given.map((each) => each.type),
  );
  if (candidates.some((each) => each.returnsSet)) return possible(type);
  const sure = given.every((each) => !mayTurnNull(a.catalog, each.type));
  const all = (kind: PgFunction["kind"]) => candidates.every((each) => each.kind === kind);
  if (call.over !== undefined) return inferWindow({ call, candidates, given, type, sure }, scope);
  if (candidates.length > 0 && all("aggregate"))
    return inferAggregate({ call, candidates, given, type, sure }, scope);
  if (isPathOfTime(call)) return sure ? whenAll(type, given) : possible(type);
  return inferPlain(call, candidates, given, type, sure, a);
}

/** The functions that a call may mean. */
export function candidatesOf(
  call: Fields<"FuncCall">,
  given: readonly ValueType[],
  a: Analysis,
): readonly PgFunction[] {
  const candidates = functionCandidates(a.catalog, {
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
  // `date(x)` is the function where the types ask for it, and a cast otherwise.
  if (asCast !== undefined) return { ...asCast, type: type === asCast.type ? type : undefined };
  if (candidates.length === 0 || call.func_variadic === true) return possible(type);
  const needs = new Set(candidates.map((each) => needsOf(a.catalog, each)));
  if (needs.has("unproven")) return possible(type);
  if (needs.has("all")) return sure ? whenAll(type, given) : possible(type);
  if (needs.has("first")) return sure ? whenAll(type, given.slice(0, 1)) : possible(type);
  return certain(type);
}

/** `date(x)`, `text(x)`: a type's name in place of a function's. */
function inferAsCast(
  { funcname, args = [] }: Fields<"FuncCall">,
  given: readonly Value[],
  { catalog }: Analysis,
): Value | undefined {
  const [only, ...others] = given;
  const target = catalog.typeNamed(namesIn(funcname));
  if (only === undefined || others.length > 0 || target === undefined || args.length !== 1)
    return undefined;
  const type = valueTypeOf(catalog, target.oid);
  // Functions of pg_catalog that are named like a type are its casts.
  const own = catalog.functions(namesIn(funcname)).every(({ schema }) => schema === "pg_catalog");
  return own && castKeepsValues(catalog, only.type, target.oid)
    ? whenAll(type, given)
    : possible(type);
}

const TIME_FIELDS: ReadonlySet<string> = new Set(
  "year decade century millennium isoyear julian epoch".split(" "),
);

/** `extract(year from …)`: of the fields of a time, these are infinite for an infinite time; the others, such as `hour`, are NULL. */
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
