import type { PgType } from "../../database/snapshot.js";
import type { Catalog } from "../../database/catalog.js";
import { type ValueType, unwrapDomain } from "./value-type.js";

/**
 * Whether PostgreSQL could pass a value of a type where another is declared, without a cast being written. True whenever that is not certain: a
 * candidate that is wrongly kept only makes the answer more careful.
 */
export function mayCoerce(catalog: Catalog, from: ValueType, declared: number): boolean {
  if (from === undefined || from === "literal" || from === declared) return true;
  const [source, target] = [catalog.typeOf(from), catalog.typeOf(declared)];
  if (source === undefined || target === undefined) return true;
  if (target.kind === "pseudo") return fitsPseudo(source, target.name);
  if (target.kind === "domain" && unwrapDomain(catalog, declared) === from) return true;
  if (source.kind === "composite" && target.kind === "composite") return true;
  if (source.kind === "array" && target.kind === "array")
    return mayCoerce(catalog, source.element, target.element ?? 0);
  return catalog
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
    // Internal and trigger arguments, and the like: no value of SQL is one.
    default:
      return false;
  }
}
