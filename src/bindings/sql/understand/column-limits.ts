import type { TypeLookup } from "../types/sql-type.js";
import type { Column, PgType } from "../database/snapshot.js";

/** What a column holds of its type; empty where nothing limits it. */
export interface ColumnLimits {
  /** Of `varchar(n)` and `char(n)`, and of arrays of them, in characters. */
  readonly maxLength?: number;
  /** Of `numeric(p, s)`, and of arrays of it. */
  readonly digits?: Digits;
}

export interface Digits {
  readonly precision: number;
  /** Below zero, digits before the point are rounded away. */
  readonly scale: number;
}

export function limitsOf({ modifier, type }: Column, typeOf: TypeLookup): ColumnLimits {
  const { name, builtIn, modifier: kept } = innermost(typeOf(type), modifier, typeOf);
  // PostgreSQL keeps n + 4.
  const packed = kept - 4;
  if (!builtIn || packed <= 0) return {};
  if (name === "varchar" || name === "bpchar") return { maxLength: packed };
  return name === "numeric" ? { digits: digitsOf(packed) } : {};
}

/** The upper half is the precision, the lower eleven bits the scale, with a sign. */
function digitsOf(packed: number): Digits {
  return { precision: packed >> 16, scale: ((packed & 0x7ff) ^ 1024) - 1024 };
}

type Limited = Pick<PgType, "name" | "builtIn"> & { readonly modifier: number };

/** Through domains, which have a modifier of their own, and arrays, which have that of their elements. */
function innermost(type: PgType | undefined, modifier: number, typeOf: TypeLookup): Limited {
  if (type === undefined) return { name: "", builtIn: false, modifier };
  const { base, element, kind } = type;
  if (kind === "domain" && base !== undefined && base !== type.oid)
    return innermost(typeOf(base), type.modifier ?? -1, typeOf);
  if (kind === "array" && element !== undefined && element !== type.oid)
    return innermost(typeOf(element), modifier, typeOf);
  return { name: type.name, builtIn: type.builtIn, modifier };
}
