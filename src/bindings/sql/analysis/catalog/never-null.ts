import type { Operator, PgFunction } from "../../database/snapshot.js";
import type { Catalog } from "../../database/catalog.js";
import {
  ALWAYS_VALUE,
  NOT_MEANT,
  VALUE_FOR_FIRST,
  VALUE_FOR_VALUES,
  VALUE_OPERATORS,
} from "./never-null-functions.js";
import { GEOMETRIC } from "./value-type.js";

/** Of which arguments a function's result is never NULL when these are not: none of them, the first, all; `"unproven"`: it may be NULL anyway. */
export type Needs = "nothing" | "first" | "all" | "unproven";

/** What is proven of a function by the lists. */
export function needsOf(catalog: Catalog, each: PgFunction): Needs {
  if (each.schema !== "pg_catalog" || each.kind !== "function" || each.returnsSet)
    return "unproven";
  if (each.arguments.some((oid) => isGeometric(catalog, oid))) return "unproven";
  if (ALWAYS_VALUE.has(each.name)) return "nothing";
  if (VALUE_FOR_FIRST.has(each.name)) return "first";
  return VALUE_FOR_VALUES.has(each.name) && !NOT_MEANT.has(signatureOf(catalog, each))
    ? "all"
    : "unproven";
}

/** Whether an operator gives a value for values. */
export function isTotal(catalog: Catalog, each: Operator): boolean {
  return (
    each.schema === "pg_catalog" &&
    VALUE_OPERATORS.has(each.name) &&
    ![each.left, each.right, each.result].some((oid) => isGeometric(catalog, oid))
  );
}

/** Whether an operator gives NULL whenever a side is NULL. */
export function isStrict(catalog: Catalog, each: Operator): boolean {
  return catalog.functionOf(each.function)?.strict === true;
}

function isGeometric(catalog: Catalog, oid: number): boolean {
  return GEOMETRIC.has(catalog.typeOf(oid)?.name ?? "");
}

function signatureOf(catalog: Catalog, { name, arguments: types }: PgFunction): string {
  return `${name}(${types.map((oid) => catalog.typeOf(oid)?.name ?? "?").join()})`;
}
