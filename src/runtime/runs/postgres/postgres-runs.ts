/**
 * Runs in PostgreSQL, for many processes. `migrations.ts` has the tables and the operations, and
 * `run-connections.ts` connects to PostgreSQL. A process holds a run by a lease (`keep-lease.ts`).
 */
import { randomUUID } from "node:crypto";
import { closedByShutdown } from "../../open-stores.js";
import { type Row, usualAnswerMs } from "../../postgres/connections.js";
import { quotedSchema, versionOf, versionSql } from "../../postgres/migrate-schema.js";
import { AppendQueue } from "../append-queue.js";
import {
  changed,
  digestOfRun,
  type PreparedEvent,
  prepareEvent,
  quotedRun,
  type RunEnd,
  RunSeal,
  type SealedEntry,
  summaryOf,
} from "../sealed-run.js";
import {
  type HeldRun,
  type KeptEvent,
  type KeptRun,
  type RunBeginning,
  type RunEvent,
  type RunFilter,
  RunHeld,
  type RunId,
  type RunStore,
  RunStoreError,
  type RunSummary,
} from "../store.js";
import { keepLease, type KeptLease, lostError, renewWithinMs, usualLeaseMs } from "./keep-lease.js";
import { usualSchema } from "./migrate.js";
import { migrations } from "./migrations.js";
import { RunConnections, type RunsPlace } from "./run-connections.js";

/** Options of runs in PostgreSQL. */
export type PostgresRunsOptions = RunsPlace & {
  /**
   * Key that encrypts parameters and answers: 32 random bytes, or their base64 text. All processes
   * that open the store share it.
   */
  readonly key: Uint8Array | string | undefined;
  /** Schema of the tables; `skillc_runs` by default. `migrateRuns` creates them. */
  readonly schema?: string;
  /** Time limit for an answer of the server, in milliseconds; 30,000 by default. */
  readonly answerWithinMs?: number;
  /**
   * Time for which a process that has crashed still holds its runs, in milliseconds; 10,000 by
   * default. A process that is blocked for longer, for example by huge answers, loses its runs.
   */
  readonly leaseMs?: number;
};

/**
 * Creates a store of runs in PostgreSQL 13 or later. It connects with the first run. The store is
 * open until `close()` or `shutdown()`; runtimes don't close it.
 *
 * @throws TypeError if the key is missing or has another length, or another option is not valid
 */
export function postgresRuns(options: PostgresRunsOptions): RunStore {
  const {
    answerWithinMs = usualAnswerMs,
    key,
    leaseMs = usualLeaseMs,
    schema = usualSchema,
  } = options;
  if (!Number.isInteger(leaseMs) || leaseMs < 1000 || leaseMs > maxLeaseMs)
    throw new TypeError(`\`leaseMs\` must be a whole number from 1000 to ${maxLeaseMs}`);
  const seal = new RunSeal(key, "postgresRuns");
  const quoted = quotedSchema(schema);
  const renewing = new RunConnections(options, Math.min(answerWithinMs, renewWithinMs(leaseMs)), 1);
  return closedByShutdown(
    new PostgresRuns(
      { usual: new RunConnections(options, answerWithinMs), renewing },
      { schema: quoted, seal, leaseMs },
    ),
  );
}

/** An hour. */
const maxLeaseMs = 3_600_000;

/** Number of rows that a list or a pruning takes at once. */
const rowsAtOnce = 500;

class PostgresRuns implements RunStore {
  readonly kind = "postgres";
  readonly #connections: RunConnections;
  /** Connections for renewals, which never wait for an append. An application's own pool is shared. */
  readonly #renewing: RunConnections;
  /** Quoted name of the schema. */
  readonly #schema: string;
  readonly #seal: RunSeal;
  readonly #leaseMs: number;
  readonly #held = new Set<PostgresRun>();
  #migrated: Promise<void> | undefined;

  constructor(
    { renewing, usual }: { readonly usual: RunConnections; readonly renewing: RunConnections },
    {
      leaseMs,
      schema,
      seal,
    }: { readonly schema: string; readonly seal: RunSeal; readonly leaseMs: number },
  ) {
    this.#connections = usual;
    this.#renewing = renewing;
    this.#schema = schema;
    this.#seal = seal;
    this.#leaseMs = leaseMs;
  }

  async hold(run: RunId, beginning?: RunBeginning): Promise<HeldRun | undefined> {
    const key = digestOfRun(run);
    const holder = randomUUID();
    const entry = beginning && this.#seal.sealBeginning(run, beginning, new Date().toISOString());
    // The first connection may take long, and the lease does not begin before.
    await this.#requireTables();
    const takenAt = performance.now();
    const answer = await this.#take(key, holder, entry, beginning?.tool, run.tenant);
    if (answer === "none") return undefined;
    if (answer === "taken")
      throw new RunHeld(
        `${quotedRun(run)} is held by another call or process`,
        `wait until it ends; a process that has crashed holds a run for ${this.#leaseMs / 1000} seconds at most`,
      );
    const held: HoldName = { schema: this.#schema, key, holder };
    const leaseMs = this.#leaseMs;
    const lease = keepLease({ name: quotedRun(run), takenAt, leaseMs }, async () => {
      const values = [key, holder, leaseMs];
      return (await callFunction(this.#renewing, this.#schema, "renew_run", values)) === "true";
    });
    try {
      const known = await this.#read(run);
      if (known === undefined) throw lostError(quotedRun(run), "somebody removed it");
      const kept = new PostgresRun(known, answer === "begun", {
        ...held,
        connections: this.#connections,
        seal: this.#seal,
        lease,
        released: (one) => this.#held.delete(one),
      });
      this.#held.add(kept);
      return kept;
    } catch (error) {
      lease.stop();
      await this.#call("release_run", [key, holder]).catch(() => undefined);
      throw error;
    }
  }

  async #take(
    key: string,
    holder: string,
    entry: SealedEntry | undefined,
    tool: string | undefined,
    tenant: string | undefined,
  ): Promise<string | null | undefined> {
    if (entry === undefined || tool === undefined)
      return this.#call("hold_run", [key, holder, this.#leaseMs]);
    const { header, sealed } = entry;
    const { at } = JSON.parse(header) as { readonly at: string };
    const text = Buffer.from(sealed).toString("base64");
    const names = [jsonOf(tenant), JSON.stringify(tool), at];
    for (;;) {
      const begin = [key, header, text, ...names, holder, this.#leaseMs];
      const answer = await this.#call("begin_run", begin);
      // Somebody removed the run between two steps, so that it can be created now.
      if (answer !== "none") return answer;
    }
  }

  async read(run: RunId): Promise<KeptRun | undefined> {
    return (await this.#read(run))?.kept;
  }

  async #read(run: RunId): Promise<KnownRun | undefined> {
    const key = digestOfRun(run);
    const where = quotedRun(run);
    const row = await this.#rowOf(key);
    if (row === undefined) return undefined;
    const { end: begun, ...kept } = this.#seal.openBeginning(run, entryOf(row, where), where);
    const count = Number(row["events"]);
    const rows = await this.#rows(
      `SELECT header, encode(sealed, 'base64') AS sealed FROM ${this.#schema}.event WHERE run = $1 AND n < $2 ORDER BY n`,
      [key, count],
    );
    if (rows.length !== count) {
      // The run may have been removed in the meantime, and begun again.
      if ((await this.#rowOf(key))?.["header"] === row["header"]) throw changed(where);
      return this.#read(run);
    }
    let end = begun;
    const events = rows.map((each, at): KeptEvent => {
      const place = `event ${at + 1} of ${where}`;
      const opened = this.#seal.openEvent(end, entryOf(each, place), place);
      ({ end } = opened);
      return opened.event;
    });
    return { kept: { run, ...kept, events }, end };
  }

  async #rowOf(key: string): Promise<Row | undefined> {
    const rows = await this.#rows(
      `SELECT header, encode(sealed, 'base64') AS sealed, events::text FROM ${this.#schema}.run WHERE key = $1`,
      [key],
    );
    return rows[0];
  }

  async *list(filter: RunFilter = {}): AsyncGenerator<RunSummary, void, undefined> {
    const { state, tenant, tool } = filter;
    let failure: unknown;
    let after: readonly [begunAt: string | null, key: string | null] = [null, null];
    for (;;) {
      const rows: readonly Row[] = await this.#rows(
        `SELECT key, begun_at, header, last_header FROM ${this.#schema}.run
         WHERE ($1::text IS NULL OR tenant = $1) AND ($2::text IS NULL OR tool = $2)
           AND ($3::text IS NULL OR state = $3)
           AND ($4::text IS NULL OR (begun_at, key) < ($4, $5))
         ORDER BY begun_at DESC, key DESC LIMIT ${rowsAtOnce}`,
        [jsonOf(tenant), jsonOf(tool), state ?? null, ...after],
      );
      for (const row of rows) {
        const summary = summaryOrFailure(row);
        if ("run" in summary) yield summary;
        else failure ??= summary.failure;
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < rowsAtOnce) break;
      after = [last["begun_at"] ?? null, last["key"] ?? null];
    }
    if (failure !== undefined) throw failure;
  }

  async prune(endedBefore: Date): Promise<number> {
    if (Number.isNaN(endedBefore.getTime())) throw new RangeError("`endedBefore` is no time");
    const before = endedBefore.toISOString();
    for (let count = 0; ;) {
      const removed = Number(await this.#call("prune_runs", [before, rowsAtOnce]));
      count += removed;
      if (removed < rowsAtOnce) return count;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#held].map((each) => each.release()));
    await Promise.all([this.#connections.close(), this.#renewing.close()]);
  }

  async #call(operation: string, values: readonly unknown[]): Promise<string | null | undefined> {
    await this.#requireTables();
    return callFunction(this.#connections, this.#schema, operation, values);
  }

  async #rows(sql: string, values: readonly unknown[]): Promise<readonly Row[]> {
    await this.#requireTables();
    return this.#connections.rows(sql, values);
  }

  /** Checks the tables once. If that fails, the next operation checks again. */
  #requireTables(): Promise<void> {
    this.#migrated ??= this.#checkTables().catch((error: unknown) => {
      this.#migrated = undefined;
      throw error;
    });
    return this.#migrated;
  }

  async #checkTables(): Promise<void> {
    const version = versionOf(await this.#connections.rows(versionSql(this.#schema), []));
    // Newer versions support everything that this one needs.
    if (version >= migrations.length) return;
    throw new RunStoreError(
      "not-migrated",
      `the tables of runs in the schema ${this.#schema} are of version ${version}, and this runtime needs ${migrations.length}`,
      "run `skillc runs migrate`",
    );
  }
}

function callFunction(
  connections: RunConnections,
  schema: string,
  operation: string,
  values: readonly unknown[],
): Promise<string | null | undefined> {
  const places = values.map((_, at) => `$${at + 1}`).join(", ");
  return connections.value(`SELECT ${schema}.${operation}(${places})::text AS value`, values);
}

function summaryOrFailure(row: Row): RunSummary | { readonly failure: unknown } {
  const { header, key, last_header: last } = row;
  try {
    return summaryOf(header ?? "", last ?? undefined, `the run with the key \`${key}\``);
  } catch (failure) {
    return { failure };
  }
}

function jsonOf(text: string | undefined): string | null {
  return text === undefined ? null : JSON.stringify(text);
}

/** Returns the entry of a row. */
function entryOf(row: Row, where: string): SealedEntry {
  const { header, sealed } = row;
  if (typeof header !== "string" || typeof sealed !== "string") throw changed(where);
  return { header, sealed: Buffer.from(sealed, "base64") };
}

interface KnownRun {
  readonly kept: KeptRun;
  readonly end: RunEnd;
}

/** Names a hold of a run in SQL. */
interface HoldName {
  /** Quoted name of the schema. */
  readonly schema: string;
  readonly key: string;
  readonly holder: string;
}

interface HoldParts extends HoldName {
  readonly connections: RunConnections;
  readonly seal: RunSeal;
  readonly lease: KeptLease;
  readonly released: (run: PostgresRun) => void;
}

class PostgresRun implements HeldRun {
  readonly run: RunId;
  readonly beginning: RunBeginning;
  readonly begunAt: KeptRun["begunAt"];
  readonly events: KeptRun["events"];
  readonly isNew: boolean;
  readonly lost: AbortSignal;
  readonly #parts: HoldParts;
  readonly #queue = new AppendQueue((events) => this.#store(events));
  #end: RunEnd;
  /** Reason why nothing more can be appended. */
  #broken: unknown;
  #released: Promise<void> | undefined;

  constructor({ end, kept }: KnownRun, isNew: boolean, parts: HoldParts) {
    this.run = kept.run;
    this.beginning = kept.beginning;
    this.begunAt = kept.begunAt;
    this.events = kept.events;
    this.isNew = isNew;
    this.lost = parts.lease.lost;
    this.#parts = parts;
    this.#end = end;
  }

  async append(event: RunEvent): Promise<void> {
    if (this.#released !== undefined)
      throw new RunStoreError("unavailable", `${quotedRun(this.run)} was released`);
    await this.#queue.append(prepareEvent(this.run, event));
    this.#parts.lease.requireHeld();
  }

  async #store(events: readonly PreparedEvent[]): Promise<void> {
    if (this.#broken !== undefined) throw this.#broken;
    const { connections, holder, key, schema, seal } = this.#parts;
    const at = new Date().toISOString();
    let end = this.#end;
    const entries = events.map((event) => {
      const sealed = seal.sealEvent(end, event, at);
      ({ end } = sealed);
      return sealed.entry;
    });
    const values = [
      key,
      holder,
      this.#end.count,
      entries.map(({ header }) => header),
      entries.map(({ sealed }) => Buffer.from(sealed).toString("base64")),
      end.state,
      at,
    ];
    try {
      const answer = await callFunction(connections, schema, "append_events", values);
      if (answer === "lost") throw lostError(quotedRun(this.run), "another process holds it");
      if (answer !== "stored") throw changed(quotedRun(this.run));
      this.#end = end;
    } catch (error) {
      const problem = error instanceof RunStoreError ? error.problem : undefined;
      // Otherwise the events may be stored, and this process doesn't know the end any more.
      if (problem !== "full" && problem !== "read-only") this.#broken = error;
      if (problem === "lost") this.#parts.lease.lose(error);
      throw error;
    }
  }

  release(): Promise<void> {
    return (this.#released ??= this.#release());
  }

  async #release(): Promise<void> {
    const { connections, holder, key, lease, released, schema } = this.#parts;
    await this.#queue.idle();
    lease.stop();
    released(this);
    try {
      await callFunction(connections, schema, "release_run", [key, holder]);
    } catch {
      // The lease ends by itself.
    }
  }
}
