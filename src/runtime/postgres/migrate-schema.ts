/**
 * Creates and updates the tables of a store in a schema of its own. A migration is SQL in which
 * `$schema` stands for the schema's quoted name.
 */

/** A session in which a migration runs. */
interface Session {
  query(
    sql: string,
    values?: unknown[],
  ): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;
}

/** The tables of a store. */
export interface StoreTables {
  /** Quoted name of the schema. */
  readonly schema: string;
  /** Versions of the tables, from 1. */
  readonly migrations: readonly string[];
  /** Advisory lock of the migrations: any number that never changes. */
  readonly lockId: number;
}

/** Versions of the tables before and after a migration. */
export interface Migrated {
  /** Version of the tables before; 0 if there were none. */
  readonly before: number;
  /** Version of the tables after. */
  readonly after: number;
}

/**
 * Runs the missing migrations in one transaction. The role must be allowed to create a schema, or
 * own an existing one. Two migrations at once run one after the other.
 *
 * @throws the driver's error; the session then has an open transaction
 */
export async function migrateSchema(
  session: Session,
  { lockId, migrations, schema }: StoreTables,
): Promise<Migrated> {
  await session.query("BEGIN");
  await session.query("SELECT pg_advisory_xact_lock($1)", [lockId]);
  const found = await session.query(
    "SELECT (to_regnamespace($1) IS NOT NULL)::int::text AS is_there",
    [schema],
  );
  // `CREATE SCHEMA IF NOT EXISTS` fails without the right to create schemas, even if the schema
  // exists.
  if (found.rows[0]?.["is_there"] !== "1") await session.query(`CREATE SCHEMA ${schema}`);
  await session.query(`CREATE TABLE IF NOT EXISTS ${schema}.version (version int PRIMARY KEY)`);
  const before = versionOf((await session.query(versionSql(schema))).rows);
  for (const [at, migration] of migrations.entries()) {
    if (at < before) continue;
    await session.query(migrationIn(schema, migration));
    await session.query(`INSERT INTO ${schema}.version VALUES ($1)`, [at + 1]);
  }
  await session.query("COMMIT");
  return { before, after: Math.max(before, migrations.length) };
}

/**
 * Inserts the schema's name into a migration.
 *
 * @param schema quoted name
 */
function migrationIn(schema: string, sql: string): string {
  return sql.replaceAll("$schema", () => schema);
}

/** Returns the statement whose rows `versionOf` reads. */
export function versionSql(schema: string): string {
  return `SELECT coalesce(max(version), 0)::text AS version FROM ${schema}.version`;
}

/** Returns the version of the tables; 0 if the row has none. */
export function versionOf(rows: readonly Readonly<Record<string, unknown>>[]): number {
  const version = Number(rows[0]?.["version"]);
  return Number.isSafeInteger(version) ? version : 0;
}

/**
 * Quotes a schema's name.
 *
 * @throws TypeError if the name is not valid
 */
export function quotedSchema(schema: string): string {
  // PostgreSQL truncates longer names, so two names could become the same.
  if (!/^[A-Za-z_]\w{0,62}$/.test(schema))
    throw new TypeError("`schema` is up to 63 letters, digits and `_`, and begins with no digit");
  return `"${schema}"`;
}
