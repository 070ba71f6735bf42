import { catalogOf } from "../database/catalog.js";
import type { Snapshot } from "../database/snapshot.js";
import { type SqlType, sqlTypeOf } from "../types/sql-type.js";
import type { ChainType } from "./chain.js";

/**
 * The TypeScript type of a column's values as the Database interface has it, without null; undefined for JSON and for what the catalogue does not
 * know.
 */
export function typeOfColumn(snapshot: Snapshot, oid: number): ChainType | undefined {
  const { typeOf } = catalogOf(snapshot);
  return typeOf(oid) === undefined ? undefined : chainTypeOf(sqlTypeOf(typeOf, oid));
}

function chainTypeOf(type: SqlType): ChainType | undefined {
  if (type.kind === "enum") return { kind: "labels", of: type.labels };
  if (type.kind === "array") {
    const of = chainTypeOf(type.of);
    const orNull = of && ({ kind: "union", of: [of, { kind: "keyword", name: "null" }] } as const);
    return orNull && { kind: "array", of: orNull };
  }
  const { format, typeScript } = type.traits;
  if (typeScript === "JsonValue") return undefined;
  const isTold = typeScript !== "boolean";
  return { kind: "keyword", name: typeScript, ...(isTold && { format }) };
}
