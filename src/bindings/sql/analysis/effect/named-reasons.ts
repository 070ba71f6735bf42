import { getOwn } from "../../../../core/json.js";
import type { Operator, PgFunction } from "../../database/snapshot.js";
import type { Catalog } from "../../database/catalog.js";
import { unwrapDomain } from "../catalog/value-type.js";
import { type Fields, locationOf, namesIn } from "../node.js";
import { typeOfName } from "../nullability/type-name.js";
import type { Resolution } from "../resolution.js";
import type { EffectReason } from "./effect-reason.js";
import { READS_AS_TYPE, typeText } from "./evaluated.js";
import {
  actingBehind,
  type ActingBehind,
  isHarmless,
  type Listed,
  nameOf,
  remedyFor,
} from "./harmless.js";

/** What is known where a node is judged. */
export interface Known {
  readonly resolution: Resolution | undefined;
  readonly catalog: Catalog;
  readonly listed: Listed;
}

export function reason(kind: EffectReason["kind"], name: string, at: object): EffectReason {
  const location = locationOf(at);
  return { kind, name, ...(location === undefined ? {} : { location }) };
}

/** Every function that a call may mean must be harmless; one that is not known may do anything. */
export function functionReasons(
  call: Fields<"FuncCall">,
  { resolution, catalog, listed }: Known,
): readonly EffectReason[] {
  const path = namesIn(call.funcname);
  const chosen: readonly PgFunction[] = [...(resolution?.functions.get(call) ?? [])];
  const candidates = chosen.length > 0 ? chosen : catalog.functions(path);
  // `text(x)` is a cast to a type of PostgreSQL's own.
  const isCast = candidates.length === 0 && catalog.typeNamed(path)?.builtIn === true;
  if (READS_AS_TYPE.has(path.at(-1) ?? "") && typeText(call.args ?? []) === undefined)
    return [reason("function", path.join("."), call)];
  if (candidates.length === 0) return isCast ? [] : [reason("function", path.join("."), call)];
  return callReasons(path.join("."), call, candidates, listed);
}

function callReasons(
  name: string,
  node: object,
  candidates: readonly PgFunction[],
  listed: Listed,
): readonly EffectReason[] {
  const acting = candidates.filter((each) => !isHarmless(each, listed));
  if (acting.length === 0) return [];
  return [{ ...reason("function", name, node), ...remedyIn(acting, listed) }];
}

/** For a function that PostgreSQL calls unasked. */
export function functionReason(each: PgFunction, listed: Listed): EffectReason {
  return { kind: "function", name: nameOf(each), ...remedyIn([each], listed) };
}

function remedyIn(acting: readonly PgFunction[], listed: Listed): Pick<EffectReason, "remedy"> {
  const remedy = remedyFor(acting, listed);
  return remedy === undefined ? {} : { remedy };
}

/** `row.name` is `name(row)` where the row has no such column. */
export function notationReasons(
  name: string | undefined,
  node: object,
  { catalog, listed }: Known,
): readonly EffectReason[] {
  const called = catalog.functions([name ?? ""]).filter((each) => takesRow(each, catalog));
  return callReasons(name ?? "", node, called, listed);
}

function takesRow(
  { arguments: [first, ...others], defaults }: PgFunction,
  catalog: Catalog,
): boolean {
  const kind = first === undefined ? undefined : catalog.typeOf(first)?.kind;
  return (
    others.length <= defaults && (kind === "composite" || kind === "pseudo" || kind === "domain")
  );
}

const BETWEEN: Readonly<Record<string, readonly (readonly string[])[]>> = {
  AEXPR_BETWEEN: [[">="], ["<="]],
  AEXPR_BETWEEN_SYM: [[">="], ["<="]],
  AEXPR_NOT_BETWEEN: [["<"], [">"]],
  AEXPR_NOT_BETWEEN_SYM: [["<"], [">"]],
};

export function operatorsIn({
  kind = "AEXPR_OP",
  name,
}: Fields<"A_Expr">): readonly (readonly string[])[] {
  return getOwn(BETWEEN, kind) ?? [namesIn(name)];
}

export function operatorReasons(
  node: object,
  paths: readonly (readonly string[])[],
  { resolution, catalog, listed }: Known,
): readonly EffectReason[] {
  const chosen: readonly Operator[] = [...(resolution?.operators.get(node) ?? [])];
  return paths.flatMap((path) => {
    const named = chosen.filter(({ name }) => name === path.at(-1));
    const candidates = named.length > 0 ? named : catalog.operators(path);
    const oids = candidates.flatMap((each) => [each.function, ...(each.instead ?? [])]);
    return reasonBehind(
      reason("operator", path.join("."), node),
      actingBehind(catalog, oids, listed),
      listed,
    );
  });
}

/** The functions behind a written cast, of elements too. A literal is read by its type, without a cast. */
export function castReasons(
  cast: Fields<"TypeCast">,
  { resolution, catalog, listed }: Known,
): readonly EffectReason[] {
  const target = typeOfName(catalog, cast.typeName);
  const from = resolution?.casts.get(cast);
  if (target === undefined || from === "literal") return [];
  const elementOf = (oid: number) => catalog.typeOf(oid)?.element ?? oid;
  const to = unwrapDomain(catalog, target);
  const sources = typeof from === "number" ? new Set([from, elementOf(from)]) : undefined;
  const casts = [...catalog.castsTo(to), ...catalog.castsTo(elementOf(to))];
  const oids = casts
    .filter((each) => each.function !== 0 && (sources === undefined || sources.has(each.source)))
    .map((each) => each.function);
  const name = catalog.typeOf(target)?.name ?? "";
  return reasonBehind(reason("cast", name, cast), actingBehind(catalog, oids, listed), listed);
}

/** A reason, when there are functions for it. */
export function reasonBehind(
  reason: EffectReason,
  { functions, unknown }: ActingBehind,
  listed: Listed,
): readonly EffectReason[] {
  const names = [...new Set([...functions.map(nameOf), ...unknown])];
  if (names.length === 0) return [];
  const remedy = unknown.length === 0 ? remedyIn(functions, listed) : {};
  return [{ ...reason, functions: names, ...remedy }];
}
