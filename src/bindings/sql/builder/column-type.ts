import type { PgType, Snapshot } from "../database/snapshot.js";
import { type ChainType, numberType, stringType, booleanType } from "./chain.js";

/**
 * The TypeScript type of a column's values as the Database interface has it, without null; undefined for JSON and for what has no plain form. The
 * wire forms are those of docs/sql-types.md.
 */
export function typeOfColumn(snapshot: Snapshot, oid: number): ChainType | undefined {
  const type = typesByOid(snapshot).get(oid);
  if (type === undefined) return undefined;
  if (type.kind === "domain" && type.base !== undefined) return typeOfColumn(snapshot, type.base);
  if (type.kind === "enum") return { kind: "labels", of: type.labels ?? [] };
  if (type.kind === "array" && type.element !== undefined) return arrayOf(snapshot, type.element);
  return scalarType(type);
}

function arrayOf(snapshot: Snapshot, element: number): ChainType | undefined {
  const of = typeOfColumn(snapshot, element);
  if (of === undefined) return undefined;
  const nullable: ChainType = { kind: "union", of: [of, { kind: "keyword", name: "null" }] };
  return { kind: "array", of: nullable };
}

function scalarType({ builtIn, name }: PgType): ChainType | undefined {
  if (!builtIn) return stringType;
  if (NUMBERS.has(name)) return numberType;
  if (name === "bool") return booleanType;
  return name === "json" || name === "jsonb" ? undefined : stringType;
}

const NUMBERS: ReadonlySet<string> = new Set(["int2", "int4", "float4", "float8", "oid"]);

const indexes = new WeakMap<Snapshot, ReadonlyMap<number, PgType>>();

function typesByOid(snapshot: Snapshot): ReadonlyMap<number, PgType> {
  const known = indexes.get(snapshot);
  if (known !== undefined) return known;
  const index = new Map(snapshot.types.map((type) => [type.oid, type]));
  indexes.set(snapshot, index);
  return index;
}
