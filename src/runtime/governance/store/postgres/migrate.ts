import { StoreUnavailable } from "../store-unavailable.js";
import { notMigrated, PostgresConnection, unavailable } from "./connection.js";
import { migrationIn, migrations } from "./migrations.js";
import { type PostgresStoreOptions, quotedSchema } from "./options.js";

/** By which one migration waits for another: any number, as long as it is always the same. */
const lockId = 7_553_140_211;

/** A migration may wait for another, and for calls. */
const migrateMs = 60_000;

/**
 * Makes the tables of a store, or changes those of an older version; all of it, or nothing. The
 * role needs the right to create a schema, or one that is there and its own. Run it when you
 * deploy, before the first call; two at once wait for each other.
 *
 * @returns the versions before and after
 * @throws StoreUnavailable; UnusableUrl for a URL that can't be read
 */
export async function migrateGovernance({
  schema,
  url,
}: Omit<PostgresStoreOptions, "timeoutMs">): Promise<Migrated> {
  const quoted = quotedSchema(schema);
  const connection = new PostgresConnection(url, migrateMs);
  try {
    return await connection.use(async (client) => {
      await client.query("BEGIN");
      await client.query("SELECT pg_advisory_xact_lock($1)", [lockId]);
      const found = await client.query("SELECT to_regnamespace($1) IS NOT NULL AS is_there", [
        quoted,
      ]);
      // Whoever may not create schemas may not even ask for one that is there.
      if (found.rows[0]?.is_there !== true) await client.query(`CREATE SCHEMA ${quoted}`);
      await client.query(`CREATE TABLE IF NOT EXISTS ${quoted}.version (version int PRIMARY KEY)`);
      const before = versionOf((await client.query(versionSql(quoted))).rows);
      for (const [at, migration] of migrations.entries()) {
        if (at < before) continue;
        await client.query(migrationIn(quoted, migration));
        await client.query(`INSERT INTO ${quoted}.version VALUES ($1)`, [at + 1]);
      }
      await client.query("COMMIT");
      return { before, after: Math.max(before, migrations.length) };
    });
  } catch (error) {
    throw unavailable(error);
  } finally {
    await connection.close();
  }
}

export interface Migrated {
  /** 0 where there were no tables. */
  readonly before: number;
  readonly after: number;
}

/**
 * A newer version has all that this one asks for. @throws StoreUnavailable for an older one, or
 * none
 */
export async function requireMigrated(
  connection: PostgresConnection,
  schema: string,
): Promise<void> {
  if (versionOf(await connection.rows(versionSql(schema), [])) < migrations.length)
    throw notMigrated();
}

function versionSql(schema: string): string {
  return `SELECT coalesce(max(version), 0) AS version FROM ${schema}.version`;
}

function versionOf(rows: readonly Readonly<Record<string, unknown>>[]): number {
  const version = rows[0]?.["version"];
  if (typeof version !== "number") throw new StoreUnavailable("the tables' version is no number");
  return version;
}
