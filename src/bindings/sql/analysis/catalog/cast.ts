import type { Catalog } from "../../database/catalog.js";
import { isPlain, OID, unwrapDomain, type ValueType } from "./value-type.js";

/** Whether a written cast gives a value for every value: only between types of PostgreSQL's own, and enums. */
export function castKeepsValues(catalog: Catalog, from: ValueType, target: number): boolean {
  const to = unwrapDomain(catalog, target);
  if (from === to) return true;
  if (runsForeign(catalog, from, to)) return false;
  const [source, type] = [
    typeof from === "number" ? catalog.typeOf(from) : undefined,
    catalog.typeOf(to),
  ];
  if (type?.kind === "array")
    return from === "literal"
      ? isPlain(catalog.typeOf(type.element ?? 0))
      : source?.kind === "array" && castKeepsValues(catalog, source.element, type.element ?? 0);
  if (!isPlain(type) || type === undefined) return false;
  if (from === "literal") return true;
  // Since PostgreSQL 18, JSON null becomes NULL as a number or boolean, as which it was an error before.
  if (FROM_JSON.has(type.name)) return from !== undefined && from !== OID.jsonb;
  // Infinity has no time of the day.
  if (TIMES.has(type.name)) return source !== undefined && NOT_INFINITE.has(source.name);
  return true;
}

/** Whether a written cast gives NULL for NULL. */
export function castKeepsNull(catalog: Catalog, from: ValueType, target: number): boolean {
  const to = unwrapDomain(catalog, target);
  return from === to || (isPlain(catalog.typeOf(to)) && !runsForeign(catalog, from, to));
}

/** Whether a user's function may stand behind a cast: what it answers is not known. */
function runsForeign(catalog: Catalog, from: ValueType, to: number): boolean {
  if (from === "literal") return false;
  return catalog
    .castsTo(to)
    .some(
      (each) =>
        each.function !== 0 &&
        (from === undefined || each.source === from) &&
        catalog.functionOf(each.function)?.schema !== "pg_catalog",
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
