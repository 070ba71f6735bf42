/** Names of the ledger's tables in SQL. */
import { LedgerUnavailable } from "../store.js";

export interface Tables {
  /** Name of the schema as configured, not quoted. */
  readonly schema: string;
  /** Quoted name of the schema. The names of the tables are quoted too. */
  readonly namespace: string;
  readonly migrations: string;
  readonly writers: string;
  readonly records: string;
  readonly attachments: string;
  readonly prunings: string;
  readonly events: string;
}

const defaultSchema = "skillc";

/**
 * Maximum length of a name, in bytes. PostgreSQL truncates longer names, so two names could become
 * the same.
 */
const longestName = 63;

/**
 * Returns the tables of a schema.
 *
 * @throws TypeError if PostgreSQL can't use the schema's name unchanged
 */
export function tablesIn(schema: string = defaultSchema): Tables {
  requireName(schema);
  const of = (table: string) => `${quoteName(schema)}.${quoteName(table)}`;
  return {
    schema,
    namespace: quoteName(schema),
    migrations: of("migrations"),
    writers: of("writers"),
    records: of("records"),
    attachments: of("attachments"),
    prunings: of("prunings"),
    events: of("events"),
  };
}

function requireName(schema: string): void {
  if (schema === "") throw new TypeError("`schema` is empty");
  if (schema.includes("\0") || !schema.isWellFormed())
    throw new TypeError("`schema` has a character that PostgreSQL names can't have");
  if (Buffer.byteLength(schema) > longestName)
    throw new TypeError(`\`schema\` has more than ${longestName} bytes`);
  if (schema.startsWith("pg_"))
    throw new TypeError("`schema` begins with `pg_`, which PostgreSQL reserves");
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function partitionIn(schema: string, name: string): string {
  return `${quoteName(schema)}.${quoteName(name)}`;
}

/** Returns text for a column that queries compare. PostgreSQL text can't contain NUL. */
export function columnText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}

/** PostgreSQL and ISO 8601 both can write these times, with years of four digits. */
const firstMs = Date.parse("0001-01-01T00:00:00.000Z");
const lastMs = Date.parse("9999-12-31T23:59:59.999Z");

/** Limits a time to those that the tables can hold. */
export function clampedMs(ms: number): number {
  return Math.min(Math.max(ms, firstMs), lastMs);
}

/** Returns a time in ISO 8601, UTC, which every session parses in the same way. */
export function sqlTime(ms: number): string {
  return new Date(clampedMs(ms)).toISOString();
}

/** Returns SQL that gives a column's time as text, in milliseconds since 1970. */
export function sqlMs(column: string): string {
  return `(extract(epoch FROM ${column}) * 1000)::bigint::text`;
}

/**
 * Returns the text of a column.
 *
 * @throws LedgerUnavailable if the column is null, which no row written by skillc has
 */
export function textOf(row: Readonly<Record<string, string | null>>, column: string): string {
  const value = row[column];
  if (value === null || value === undefined)
    throw new LedgerUnavailable(`a table of the ledger has no value in its column \`${column}\``);
  return value;
}
