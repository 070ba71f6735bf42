import { PostgresConnection } from "../../../governance/store/postgres/connection.js";
import { requireMigrated } from "../../../governance/store/postgres/migrate-store.js";
import { requireTimeout } from "../../../governance/store/within.js";
import { closedByShutdown } from "../../../open-stores.js";
import { quotedSchema } from "../../../postgres/migrate-schema.js";
import { deriveSeal, requireKey, type Seal } from "../../../seal.js";
import { type Owner, ownerDigest, randomId } from "../../owner.js";
import type { KeptResult, NotKept, ResultStore } from "../result-store.js";
import { openText, sealPurpose } from "../sealed-text.js";
import { callerLimit, type ResultLimits, storedText } from "../stored-text.js";
import { resultNames, usualSchema } from "./migrate.js";
import { migrations } from "./migrations.js";

/** Options of results in PostgreSQL. */
export interface PostgresResultsOptions extends ResultLimits {
  /**
   * URL `postgres://user:password@host:port/database`. `pool_max` in its query sets the maximum
   * number of connections, 10 by default.
   */
  readonly url: string;
  /**
   * Key that encrypts results: 32 random bytes, or their base64 text, such as the `key` of
   * governance. All processes that open the store share it.
   */
  readonly key: Uint8Array | string | undefined;
  /** Schema of the table; `skillc_results` by default. `migrateResults` creates it. */
  readonly schema?: string;
  /** Time limit of one operation, in milliseconds; 30,000 by default. */
  readonly timeoutMs?: number;
}

/** A result of 64 MiB takes a while. */
const usualTimeoutMs = 30_000;

/** Number of expired results that are removed with each new one. */
const sweptAtOnce = 10;

/**
 * Creates a store of results in PostgreSQL 13 or later. It connects with the first result. The
 * store is open until `close()` or `shutdown()`.
 *
 * @throws TypeError if the key or `schema` is not valid; RangeError if a limit is not valid;
 * UnusableUrl if the URL is not valid
 */
export function postgresResults(options: PostgresResultsOptions): ResultStore {
  const { key, schema = usualSchema, timeoutMs = usualTimeoutMs, url } = options;
  const seal = deriveSeal(requireKey(key, "postgresResults", "results"), sealPurpose);
  const parts = { seal, schema: quotedSchema(schema), maxCallerBytes: callerLimit(options) };
  const connection = new PostgresConnection(url, requireTimeout(timeoutMs), resultNames);
  return closedByShutdown(new PostgresResults(connection, parts));
}

interface PostgresResultsParts {
  readonly seal: Seal;
  /** Quoted name of the schema. */
  readonly schema: string;
  readonly maxCallerBytes: number;
}

class PostgresResults implements ResultStore {
  readonly kind = "postgres";
  readonly #connection: PostgresConnection;
  readonly #parts: PostgresResultsParts;
  #migrated: Promise<void> | undefined;

  constructor(connection: PostgresConnection, parts: PostgresResultsParts) {
    this.#connection = connection;
    this.#parts = parts;
  }

  async keep(owner: Owner, text: string, ttlMs: number): Promise<KeptResult | NotKept> {
    const { maxCallerBytes, seal } = this.#parts;
    const stored = storedText(text, maxCallerBytes);
    if (stored === undefined) return "too-large";
    const id = randomId();
    const key = ownerDigest(owner, id);
    await this.#call("sweep", [sweptAtOnce]);
    await this.#call("keep_result", [
      key,
      ownerDigest(owner),
      seal.seal(stored.form, key),
      stored.bytes,
      Math.ceil(ttlMs),
      maxCallerBytes,
    ]);
    return { id };
  }

  async read(owner: Owner, id: string): Promise<string | undefined> {
    const key = ownerDigest(owner, id);
    const sealed = await this.#call("read_result", [key]);
    if (typeof sealed !== "string") return undefined;
    return openText(this.#parts.seal, Buffer.from(sealed, "base64"), key);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #call(operation: string, values: readonly unknown[]): Promise<unknown> {
    await this.#requireTable();
    const { schema } = this.#parts;
    const places = values.map((_, at) => `$${at + 1}`).join(", ");
    return this.#connection.value(`SELECT ${schema}.${operation}(${places}) AS value`, values);
  }

  /** Checks the table once. If that fails, the next operation checks again. */
  #requireTable(): Promise<void> {
    const tables = { schema: this.#parts.schema, migrations };
    this.#migrated ??= requireMigrated(this.#connection, tables).catch((error: unknown) => {
      this.#migrated = undefined;
      throw error;
    });
    return this.#migrated;
  }
}
