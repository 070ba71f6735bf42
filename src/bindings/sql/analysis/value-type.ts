/** Types of expressions, as far as they are known, and properties of casts. */
import type { TypeName } from "@pgsql/types";
import type { PgCatalog } from "../database/pg-catalog.js";
import type { PgType } from "../database/snapshot.js";
import { namesIn } from "../statement/tree.js";

/**
 * The type of an expression: an OID with domains unwrapped; `"literal"` for a text or parameter
 * that takes its type from the context (PostgreSQL's `unknown`); undefined if it could be any.
 */
export type ValueType = number | "literal" | undefined;

/** OIDs that are the same in every PostgreSQL. */
export const OID = {
  bool: 16,
  int8: 20,
  int4: 23,
  text: 25,
  json: 114,
  oid: 26,
  bit: 1560,
  numeric: 1700,
  jsonb: 3802,
} as const;

/** A domain's base type; every other type itself. */
export function unwrapDomain(pgCatalog: PgCatalog, oid: number): number {
  let type = pgCatalog.typeOf(oid);
  // Domains can't be recursive in PostgreSQL. The bound protects against a faulty snapshot.
  for (let depth = 0; depth < 50 && type?.kind === "domain" && type.base !== undefined; depth++)
    type = pgCatalog.typeOf(type.base);
  return type?.oid ?? oid;
}

/**
 * The type of values of a column, result or cast; undefined for a pseudo-type such as `anyelement`.
 */
export function valueTypeOf(pgCatalog: PgCatalog, oid: number): ValueType {
  const base = unwrapDomain(pgCatalog, oid);
  return pgCatalog.typeOf(base)?.kind === "pseudo" ? undefined : base;
}

/** The common type of several values, such as the branches of a CASE. */
export function commonType(types: readonly ValueType[]): ValueType {
  const [first, ...others] = types.filter((each) => each !== "literal");
  if (first === undefined) return types.every((each) => each === "literal") ? OID.text : undefined;
  return others.every((each) => each === first) ? first : undefined;
}

/** True if a user's implicit cast may turn a value of that type into NULL. */
export function mayTurnNull(pgCatalog: PgCatalog, type: ValueType): boolean {
  if (type === "literal") return false;
  return pgCatalog.foreignImplicitCasts.some(({ source }) => type === undefined || source === type);
}

/** True for types whose casts, operators and functions this folder trusts. */
function isPlain(type: PgType | undefined): boolean {
  return (
    type !== undefined &&
    (type.kind === "enum" ||
      (type.builtIn && ["base", "range", "multirange"].includes(type.kind))) &&
    !GEOMETRIC.has(type.name)
  );
}

/**
 * Several operators and casts of these types return NULL, for example for two lines that do not
 * meet, or an open path.
 */
export const GEOMETRIC: ReadonlySet<string> = new Set([
  "point",
  "lseg",
  "path",
  "box",
  "polygon",
  "line",
  "circle",
]);

/**
 * OID of a type as written: `int`, `text[]`, `shop.money`. Undefined if there is no such type, and
 * for `%TYPE`.
 */
export function typeOfName(pgCatalog: PgCatalog, name: TypeName | undefined): number | undefined {
  if (name === undefined || name.pct_type === true) return undefined;
  const oid = pgCatalog.typeNamed(namesIn(name.names))?.oid;
  if (oid === undefined || (name.arrayBounds ?? []).length === 0) return oid;
  return pgCatalog.arrayOf(oid)?.oid;
}

/**
 * True if a written cast returns a value for every value. Only casts between built-in types and
 * enums can.
 */
export function castKeepsValues(pgCatalog: PgCatalog, from: ValueType, target: number): boolean {
  const to = unwrapDomain(pgCatalog, target);
  if (from === to) return true;
  if (runsForeign(pgCatalog, from, to)) return false;
  const [source, type] = [
    typeof from === "number" ? pgCatalog.typeOf(from) : undefined,
    pgCatalog.typeOf(to),
  ];
  if (type?.kind === "array")
    return from === "literal"
      ? isPlain(pgCatalog.typeOf(type.element ?? 0))
      : source?.kind === "array" && castKeepsValues(pgCatalog, source.element, type.element ?? 0);
  if (!isPlain(type) || type === undefined) return false;
  if (from === "literal") return true;
  // Since PostgreSQL 18, JSON null becomes NULL as a number or boolean; before, that was an error.
  if (FROM_JSON.has(type.name)) return from !== undefined && from !== OID.jsonb;
  // An infinite time has no time of the day.
  if (TIMES.has(type.name)) return source !== undefined && NOT_INFINITE.has(source.name);
  return true;
}

/** True if a written cast returns NULL for NULL. */
export function castKeepsNull(pgCatalog: PgCatalog, from: ValueType, target: number): boolean {
  const to = unwrapDomain(pgCatalog, target);
  return from === to || (isPlain(pgCatalog.typeOf(to)) && !runsForeign(pgCatalog, from, to));
}

/** True if a cast may call a user's function, whose result is unknown. */
function runsForeign(pgCatalog: PgCatalog, from: ValueType, to: number): boolean {
  if (from === "literal") return false;
  return pgCatalog
    .castsTo(to)
    .some(
      (each) =>
        each.function !== 0 &&
        (from === undefined || each.source === from) &&
        pgCatalog.functionOf(each.function)?.schema !== "pg_catalog",
    );
}

const FROM_JSON: ReadonlySet<string> = new Set([
  "bool",
  "int2",
  "int4",
  "int8",
  "float4",
  "float8",
  "numeric",
]);

const TIMES: ReadonlySet<string> = new Set(["time", "timetz"]);

const NOT_INFINITE: ReadonlySet<string> = new Set(["time", "timetz", "text", "varchar", "bpchar"]);
