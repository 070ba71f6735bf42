import type { PgFunction } from "../../database/snapshot.js";
import type { Catalog } from "../../database/catalog.js";
import { COMPUTING, COMPUTING_ACTING, COMPUTING_HARMLESS } from "./extensions.js";
import { ACTING, HARMLESS } from "./pg-catalog.js";

/** Names of a user's own functions that may stand in a read: `"name"` or `"schema.name"`. */
export type Listed = ReadonlySet<string>;

/** OIDs below are given out while a database is made: what has one came with PostgreSQL. */
const FIRST_OWN_OID = 16_384;

/**
 * Whether a function changes nothing. PostgreSQL's own, and those of known extensions, are believed to be what their volatility says; a user's only when
 * it is listed.
 */
export function isHarmless(each: PgFunction, listed: Listed): boolean {
  if (each.kind === "procedure") return false;
  const { acting, harmless, known } = sourceOf(each);
  if (!known) return each.volatility !== "volatile" && isListed(each, listed);
  if (each.schema === "pg_catalog" && each.volatility === "immutable") return true;
  return !acting.has(each.name) && (each.volatility !== "volatile" || harmless.has(each.name));
}

const NONE: ReadonlySet<string> = new Set();

function sourceOf({ extension, oid, schema }: PgFunction) {
  if (schema === "pg_catalog") return { known: true, acting: ACTING, harmless: HARMLESS };
  const isComputing = extension !== undefined && COMPUTING.has(extension);
  if (isComputing) return { known: true, acting: COMPUTING_ACTING, harmless: COMPUTING_HARMLESS };
  const isStandard = schema === "information_schema" && oid < FIRST_OWN_OID;
  return { known: isStandard, acting: NONE, harmless: NONE };
}

function isListed({ name, schema }: PgFunction, listed: Listed): boolean {
  return listed.has(name) || listed.has(`${schema}.${name}`);
}

/** What would let functions that may change something pass for harmless. */
export interface Remedy {
  /** `schema.name`. */
  readonly functions: readonly string[];
  /** skillc.yaml must list them: it lists not all of them. */
  readonly list: boolean;
  /** Some are volatile, which a function that only reads need not be. */
  readonly declare: boolean;
}

/** Undefined where nothing would do. */
export function remedyFor(acting: readonly PgFunction[], listed: Listed): Remedy | undefined {
  const isOwn = acting.every((each) => each.kind !== "procedure" && !sourceOf(each).known);
  if (acting.length === 0 || !isOwn) return undefined;
  return {
    functions: [...new Set(acting.map(nameOf))],
    list: !acting.every((each) => isListed(each, listed)),
    declare: acting.some((each) => each.volatility === "volatile"),
  };
}

export function nameOf({ name, schema }: PgFunction): string {
  return `${schema}.${name}`;
}

/** Of the functions behind operators or casts, those that may change something, and those that the catalogue lacks. */
export interface ActingBehind {
  readonly functions: readonly PgFunction[];
  readonly unknown: readonly string[];
}

export function actingBehind(
  catalog: Catalog,
  oids: readonly number[],
  listed: Listed,
): ActingBehind {
  const functions = new Set<PgFunction>();
  const unknown = new Set<string>();
  for (const oid of oids) {
    const found = catalog.functionOf(oid);
    if (found === undefined) unknown.add(String(oid));
    else if (!isHarmless(found, listed)) functions.add(found);
  }
  return { functions: [...functions], unknown: [...unknown] };
}
