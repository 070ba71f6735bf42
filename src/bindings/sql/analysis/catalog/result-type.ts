import type { PgFunction } from "../../database/snapshot.js";
import type { Catalog } from "../../database/catalog.js";
import { unwrapDomain, type ValueType, valueTypeOf } from "./value-type.js";

/** The type that all candidates of a call give; undefined when they differ, or when it cannot be told from the arguments. */
export function resultType(
  catalog: Catalog,
  candidates: readonly PgFunction[],
  given: readonly ValueType[],
): ValueType {
  const types = new Set(candidates.map((each) => typeGivenBy(catalog, each, given)));
  return types.size === 1 ? [...types][0] : undefined;
}

function typeGivenBy(catalog: Catalog, each: PgFunction, given: readonly ValueType[]): ValueType {
  const declared = catalog.typeOf(each.returns);
  if (declared?.kind !== "pseudo") return valueTypeOf(catalog, each.returns);
  const stands = (name: string): ValueType => {
    const place = each.arguments.findIndex((oid) => catalog.typeOf(oid)?.name === name);
    const type = place < 0 ? undefined : given[place];
    return type === "literal" ? undefined : type;
  };
  if (declared.name === "anyelement")
    return stands("anyelement") ?? elementOf(catalog, stands("anyarray"));
  if (declared.name === "anyarray")
    return stands("anyarray") ?? arrayOver(catalog, stands("anynonarray") ?? stands("anyelement"));
  return undefined;
}

/** The type of an array's elements. */
export function elementOf(catalog: Catalog, type: ValueType): ValueType {
  if (typeof type !== "number") return undefined;
  const { kind, element } = catalog.typeOf(type) ?? {};
  return kind === "array" && element !== undefined ? unwrapDomain(catalog, element) : undefined;
}

/** The array type over a type. */
export function arrayOver(catalog: Catalog, type: ValueType): ValueType {
  return typeof type === "number" ? catalog.arrayOf(type)?.oid : undefined;
}
