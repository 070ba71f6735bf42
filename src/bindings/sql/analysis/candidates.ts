/**
 * Finds the functions and operators that PostgreSQL may choose for a call, and their result types.
 */
import type { PgCatalog } from "../database/pg-catalog.js";
import type { Operator, PgFunction, PgType } from "../database/snapshot.js";
import { OID, unwrapDomain, type ValueType, valueTypeOf } from "./value-type.js";

interface Call {
  readonly path: readonly string[];
  readonly arguments: readonly ValueType[];
  /** True for `f(VARIADIC array)`. */
  readonly variadic: boolean;
  /** True for `f(name => value)`. Positions of arguments then don't matter. */
  readonly named: boolean;
}

/**
 * Finds the functions that PostgreSQL may choose for a call; exactly one if the types determine it.
 */
export function functionCandidates(pgCatalog: PgCatalog, call: Call): readonly PgFunction[] {
  const fitting = pgCatalog
    .functions(call.path)
    .filter((each) => takes(each, call) && (call.named || fits(pgCatalog, each, call)));
  if (call.named || call.variadic) return fitting;
  const exact = (types: readonly ValueType[]) =>
    fitting.find((each) => each.arguments.length === types.length && same(each.arguments, types));
  // PostgreSQL reads a literal as text if a candidate declares text there and fits exactly
  // otherwise.
  const one = exact(call.arguments) ?? exact(call.arguments.map(textForLiteral));
  return one === undefined ? fitting : [one];
}

function takes(each: PgFunction, { arguments: given, variadic }: Call): boolean {
  const most = each.arguments.length;
  if (each.variadic && !variadic) return given.length >= most - 1 - each.defaults;
  return given.length <= most && given.length >= most - each.defaults;
}

function fits(
  pgCatalog: PgCatalog,
  each: PgFunction,
  { arguments: given, variadic }: Call,
): boolean {
  return given.every((type, place) => {
    const declared = declaredAt(pgCatalog, each, place, variadic);
    return declared === undefined || mayCoerce(pgCatalog, type, declared);
  });
}

/** The declared type of an argument; undefined if any type fits. */
function declaredAt(
  pgCatalog: PgCatalog,
  each: PgFunction,
  place: number,
  variadic: boolean,
): number | undefined {
  const last = each.arguments.length - 1;
  if (!each.variadic || variadic || place < last) return each.arguments[place];
  return pgCatalog.typeOf(each.arguments[last] ?? 0)?.element;
}

/** Finds the operators that PostgreSQL may choose; `left` is `"none"` for a prefix operator. */
export function operatorCandidates(
  pgCatalog: PgCatalog,
  path: readonly string[],
  left: ValueType | "none",
  right: ValueType,
): readonly Operator[] {
  const fitting = pgCatalog
    .operators(path)
    .filter(
      (each) =>
        (left === "none"
          ? each.left === 0
          : each.left !== 0 && mayCoerce(pgCatalog, left, each.left)) &&
        mayCoerce(pgCatalog, right, each.right),
    );
  const exact = (left: ValueType | "none", right: ValueType) =>
    fitting.find((each) => (left === "none" || each.left === left) && each.right === right);
  // PostgreSQL first gives a literal the type of the other side, then text.
  const one =
    left === "none"
      ? exact(left, right)
      : (exact(left === "literal" ? right : left, right === "literal" ? left : right) ??
        exact(textForLiteral(left), textForLiteral(right)));
  return one === undefined ? fitting : [one];
}

function textForLiteral(type: ValueType): ValueType {
  return type === "literal" ? OID.text : type;
}

function same(declared: readonly number[], given: readonly ValueType[]): boolean {
  return declared.every((type, place) => type === given[place]);
}

/**
 * True if PostgreSQL may convert one type to another implicitly. Also true if that is uncertain: an
 * extra candidate only makes the result more cautious.
 */
function mayCoerce(pgCatalog: PgCatalog, from: ValueType, declared: number): boolean {
  if (from === undefined || from === "literal" || from === declared) return true;
  const [source, target] = [pgCatalog.typeOf(from), pgCatalog.typeOf(declared)];
  if (source === undefined || target === undefined) return true;
  if (target.kind === "pseudo") return fitsPseudo(source, target.name);
  if (target.kind === "domain" && unwrapDomain(pgCatalog, declared) === from) return true;
  if (source.kind === "composite" && target.kind === "composite") return true;
  if (source.kind === "array" && target.kind === "array")
    return mayCoerce(pgCatalog, source.element, target.element ?? 0);
  return pgCatalog
    .castsFrom(from)
    .some((each) => each.target === declared && each.context === "implicit");
}

function fitsPseudo(source: PgType, pseudo: string): boolean {
  switch (pseudo) {
    case "anyarray":
    case "anycompatiblearray":
      return source.kind === "array" || source.name === "oidvector" || source.name === "int2vector";
    case "anynonarray":
    case "anycompatiblenonarray":
      return source.kind !== "array";
    case "anyenum":
      return source.kind === "enum";
    case "anyrange":
    case "anycompatiblerange":
      return source.kind === "range";
    case "anymultirange":
    case "anycompatiblemultirange":
      return source.kind === "multirange";
    case "record":
      return source.kind === "composite" || source.kind === "pseudo";
    case "_record":
    case "record[]":
      return source.kind === "array" || source.kind === "pseudo";
    case "any":
    case "anyelement":
    case "anycompatible":
      return true;
    // Internal and trigger arguments: no SQL value has such a type.
    default:
      return false;
  }
}

/**
 * The type that all candidates of a call return; undefined if they differ, or if the arguments
 * don't determine it.
 */
export function resultType(
  pgCatalog: PgCatalog,
  candidates: readonly PgFunction[],
  given: readonly ValueType[],
): ValueType {
  const types = new Set(candidates.map((each) => typeGivenBy(pgCatalog, each, given)));
  return types.size === 1 ? [...types][0] : undefined;
}

function typeGivenBy(
  pgCatalog: PgCatalog,
  each: PgFunction,
  given: readonly ValueType[],
): ValueType {
  const declared = pgCatalog.typeOf(each.returns);
  if (declared?.kind !== "pseudo") return valueTypeOf(pgCatalog, each.returns);
  const stands = (name: string): ValueType => {
    const place = each.arguments.findIndex((oid) => pgCatalog.typeOf(oid)?.name === name);
    const type = place < 0 ? undefined : given[place];
    return type === "literal" ? undefined : type;
  };
  if (declared.name === "anyelement")
    return stands("anyelement") ?? elementOf(pgCatalog, stands("anyarray"));
  if (declared.name === "anyarray")
    return (
      stands("anyarray") ?? arrayOver(pgCatalog, stands("anynonarray") ?? stands("anyelement"))
    );
  return undefined;
}

/** The type of an array's elements. */
export function elementOf(pgCatalog: PgCatalog, type: ValueType): ValueType {
  if (typeof type !== "number") return undefined;
  const { kind, element } = pgCatalog.typeOf(type) ?? {};
  return kind === "array" && element !== undefined ? unwrapDomain(pgCatalog, element) : undefined;
}

/** The array type over a type. */
export function arrayOver(pgCatalog: PgCatalog, type: ValueType): ValueType {
  return typeof type === "number" ? pgCatalog.arrayOf(type)?.oid : undefined;
}
