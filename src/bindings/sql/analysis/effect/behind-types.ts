import type { Node } from "@pgsql/types";
import type { Catalog } from "../../database/catalog.js";
import type { PgType } from "../../database/snapshot.js";
import { parseSql } from "../../statement/parser.js";
import { OID } from "../catalog/value-type.js";
import type { EffectReason } from "./effect-reason.js";

/** What PostgreSQL evaluates for a statement though the statement doesn't have it. */
export type Evaluated = {
  readonly within: NonNullable<EffectReason["within"]>;
  /** What in the statement makes PostgreSQL evaluate it: UTF-8 bytes. */
  readonly location: number | undefined;
} & (
  | {
      /** A query that has the expression; undefined for one that can't be read. */
      readonly tree: Node | undefined;
    }
  /** OIDs. */
  | { readonly functions: readonly number[] }
);

/** What makes PostgreSQL evaluate something for a type: a check runs where a value is made, and the rest wherever there are values. */
export interface TypeUse {
  readonly type: number | undefined;
  /** Whether a value of another type may become one of it. */
  readonly isMade: boolean;
}

/** What PostgreSQL evaluates for values of some types, and of those that they are made of. */
export function behindTypes(
  uses: readonly TypeUse[],
  catalog: Catalog,
  writesJson: boolean,
  location: number | undefined,
): readonly Evaluated[] {
  const made = partsOf(
    uses.flatMap(({ isMade, type }) => (isMade ? [type] : [])),
    catalog,
  );
  const used = partsOf(
    uses.map(({ type }) => type),
    catalog,
  );
  return [
    ...[...made].flatMap((each) => checksOf(each, catalog, location)),
    ...[...used].flatMap((each) => functionsOf(each, catalog, writesJson, location)),
  ];
}

/** The types, and every type that values of them have in them, whatever they are made of. */
function partsOf(types: readonly (number | undefined)[], catalog: Catalog): ReadonlySet<PgType> {
  const found = new Set<PgType>();
  const waiting = [...types];
  while (waiting.length > 0) {
    const type = catalog.typeOf(waiting.pop() ?? 0);
    if (type === undefined || found.has(type)) continue;
    found.add(type);
    waiting.push(
      type.element,
      type.base,
      type.bounds,
      ...(type.fields ?? []).map((each) => each.type),
    );
  }
  return found;
}

function checksOf(
  { base, checks = [], name, schema }: PgType,
  catalog: Catalog,
  location: number | undefined,
): readonly Evaluated[] {
  const type = catalog.typeOf(base ?? 0);
  const value = `CAST(NULL AS ${quoted(type?.schema ?? "")}.${quoted(type?.name ?? "")})`;
  const within = { kind: "domain", name: `${schema}.${name}` } as const;
  return checks.map((each) => ({
    within,
    tree: parsed(`SELECT ${each} FROM (SELECT ${value} AS value) AS checked`),
    location,
  }));
}

/** What reads, prints and orders a type's values; and its casts to json, which functions that write JSON look for. */
function functionsOf(
  { behind = [], name, oid, schema }: PgType,
  catalog: Catalog,
  writesJson: boolean,
  location: number | undefined,
): readonly Evaluated[] {
  const casts = writesJson
    ? catalog
        .castsFrom(oid)
        .filter(({ target }) => target === OID.json || target === OID.jsonb)
        .flatMap((each) => (each.function === 0 ? [] : [each.function]))
    : [];
  const functions = [...behind, ...casts];
  if (functions.length === 0) return [];
  return [{ within: { kind: "type", name: `${schema}.${name}` }, functions, location }];
}

/** The tree of a query of our own making; undefined when it can't be read. */
export function parsed(sql: string): Node | undefined {
  const read = parseSql(sql);
  return read.kind === "parsed" ? read.statements[0]?.stmt : undefined;
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
