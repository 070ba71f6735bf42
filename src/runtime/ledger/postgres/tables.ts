/** The ledger's tables, by their names in SQL. */
import { LedgerUnavailable } from "../store.js";

export interface Tables {
  /** As it was given. */
  readonly schema: string;
  /** Quoted, as all that follows. */
  readonly namespace: string;
  readonly migrations: string;
  readonly writers: string;
  readonly records: string;
  readonly attachments: string;
  readonly prunings: string;
  readonly events: string;
}

const defaultSchema = "skillc";

/** PostgreSQL cuts off what is longer, and would take two names for one. In bytes. */
const longestName = 63;

/** @throws TypeError for a name that PostgreSQL doesn't take as it is */
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
    throw new TypeError("`schema` has a character that no name of PostgreSQL's can have");
  if (Buffer.byteLength(schema) > longestName)
    throw new TypeError(`\`schema\` has more than ${longestName} bytes`);
  if (schema.startsWith("pg_"))
    throw new TypeError("`schema` begins with `pg_`, which PostgreSQL keeps for itself");
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function partitionIn(schema: string, name: string): string {
  return `${quoteName(schema)}.${quoteName(name)}`;
}

/** What stands in a column that records are found by: PostgreSQL's texts have no NUL. */
export function columnText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}

/** PostgreSQL's timestamps and ours overlap here, and years have four digits. */
const firstMs = Date.parse("0001-01-01T00:00:00.000Z");
const lastMs = Date.parse("9999-12-31T23:59:59.999Z");

/** A time that the tables can hold. */
export function clampedMs(ms: number): number {
  return Math.min(Math.max(ms, firstMs), lastMs);
}

/** ISO 8601, UTC: read alike whatever a session is set to. */
export function sqlTime(ms: number): string {
  return new Date(clampedMs(ms)).toISOString();
}

/** A column of time as milliseconds since 1970, in text. */
export function sqlMs(column: string): string {
  return `(extract(epoch FROM ${column}) * 1000)::bigint::text`;
}

/** @throws LedgerUnavailable for what a row of ours doesn't have: somebody else made it */
export function textOf(row: Readonly<Record<string, string | null>>, column: string): string {
  const value = row[column];
  if (value === null || value === undefined)
    throw new LedgerUnavailable(`a table of the ledger has no value in its column \`${column}\``);
  return value;
}
