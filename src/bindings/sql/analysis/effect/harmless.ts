import type { PgFunction } from "../../database/snapshot.js";
import type { Catalog } from "../../database/catalog.js";
import { ACTING, HARMLESS } from "./pg-catalog.js";

/** Names of a user's own functions that may stand in a read: `"name"` or `"schema.name"`. */
export type Listed = ReadonlySet<string>;

/** Whether a function changes nothing. A user's own is believed to be what its volatility says only when it is listed. */
export function isHarmless(each: PgFunction, listed: Listed): boolean {
  if (each.kind === "procedure") return false;
  if (each.schema !== "pg_catalog")
    return (
      each.volatility !== "volatile" &&
      (listed.has(each.name) || listed.has(`${each.schema}.${each.name}`))
    );
  if (each.volatility === "immutable") return true;
  return !ACTING.has(each.name) && (each.volatility === "stable" || HARMLESS.has(each.name));
}

/** Of the functions behind operators or casts, those that may change something, as `schema.name`. */
export function actingBehind(
  catalog: Catalog,
  oids: readonly number[],
  listed: Listed,
): readonly string[] {
  const acting = oids.flatMap((oid) => {
    const found = catalog.functionOf(oid);
    if (found === undefined) return [String(oid)];
    return isHarmless(found, listed) ? [] : [`${found.schema}.${found.name}`];
  });
  return [...new Set(acting)];
}
