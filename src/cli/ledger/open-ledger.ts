/** Opens the ledger of a command: the project's files, or PostgreSQL if a setting names it. */
import { join } from "node:path";
import { createCredentials, Secret } from "@skillc/runtime/internal";
import { createFileLedger, type LedgerStore } from "@skillc/runtime/internal/ledger";
import { CommandFailure } from "../exit.js";
import type { Io } from "../io.js";
import { readSettings } from "../project/read-settings.js";

/** Options of all ledger commands. */
export interface LedgerPlaceFlags {
  /** `${NAME}` of the setting with the URL of a PostgreSQL ledger. */
  readonly url?: string;
  readonly schema?: string;
}

export interface OpenLedger {
  readonly store: LedgerStore;
  /** Name in messages. The URL may contain a password, so it is never used. */
  readonly where: string;
}

/** A PostgreSQL ledger that flags or skillc.yaml name. */
export interface DatabaseLedger {
  /** Name of the setting: `${LEDGER_URL}`. */
  readonly name: string;
  readonly connectionString: string;
  readonly schema?: string;
}

/**
 * Opens the project's ledger: in PostgreSQL if `--url` or skillc.yaml names one, otherwise in
 * files.
 *
 * @param root the project's folder
 * @throws CommandFailure if the named setting has no value, or the name is invalid
 */
export async function openLedger(
  root: string,
  flags: LedgerPlaceFlags,
  env: Io["env"],
): Promise<OpenLedger> {
  return (
    (await openDatabaseLedger(root, flags, env)) ?? {
      // A settlement must be on disk when the command reports success.
      store: createFileLedger({ durability: "disk" }, root),
      where: join(root, ".skillc", "ledger"),
    }
  );
}

/**
 * Opens the PostgreSQL ledger that flags or skillc.yaml name; undefined if they name none.
 *
 * @throws CommandFailure under the same conditions as `openLedger`
 */
export async function openDatabaseLedger(
  root: string,
  flags: LedgerPlaceFlags,
  env: Io["env"],
): Promise<OpenLedger | undefined> {
  const database = await databaseLedger(root, flags, env);
  if (database === undefined) return undefined;
  const { createPostgresLedger } = await import("@skillc/runtime/ledger/postgres");
  const store = await orWrongSchema(() => createPostgresLedger(database));
  return { store, where: `the PostgreSQL ledger of \`${database.name}\`` };
}

/**
 * Undefined if no setting is named.
 *
 * @throws CommandFailure under the same conditions as `openLedger`
 */
export async function databaseLedger(
  root: string,
  { schema, url }: LedgerPlaceFlags,
  env: Io["env"],
): Promise<DatabaseLedger | undefined> {
  const written = url ?? (await readSettings(root)).governance?.ledger?.value;
  if (written === undefined) {
    if (schema === undefined) return undefined;
    throw CommandFailure.usage(
      "`--schema` is for a PostgreSQL ledger, but no such ledger is named",
      "name one: `--url '${LEDGER_URL}'`, or `ledger: ${LEDGER_URL}` in skillc.yaml",
    );
  }
  const [, name] = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(written.trim()) ?? [];
  // Don't repeat an invalid name: it may be a URL with a password.
  if (name === undefined)
    throw CommandFailure.usage(
      `${url === undefined ? "`ledger` of skillc.yaml" : "`--url`"} is not the name of a setting`,
      "write the name of the setting that holds the URL, in quotes: `--url '${LEDGER_URL}'`",
    );
  const found = await createCredentials({ given: {}, env, directory: root }).find(name);
  if (found === undefined)
    throw CommandFailure.input(
      `\`\${${name}}\` is not set, but it must hold the URL of the ledger`,
      `set it in the environment, or in .env: ${name}=postgres://user:password@host:5432/database`,
    );
  const connectionString = Secret.reveal(found);
  return { name: `\${${name}}`, connectionString, ...(schema !== undefined && { schema }) };
}

/**
 * Reports a schema name that PostgreSQL rejects.
 *
 * @throws CommandFailure
 */
export async function orWrongSchema<Value>(work: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TypeError && error.message.startsWith("`schema`"))
      throw CommandFailure.usage(error.message.replace("`schema`", "`--schema`"));
    throw error;
  }
}
