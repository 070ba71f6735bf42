import type pg from "pg";
import { sessionSettings } from "@skillc/runtime/internal/sql";
import { describeOnWire } from "./describe-on-wire.js";
import type { Described, SqlFault } from "./engine.js";
import { sqlFaultOf } from "./fault.js";
import { createTurns } from "./in-turn.js";

type Row = Readonly<Record<string, string | null>>;

export interface Refused {
  readonly kind: "fault";
  readonly fault: SqlFault;
}

export type Executed = { readonly kind: "rows"; readonly rows: readonly Row[] } | Refused;

/** A connection on which nothing can be changed. Questions are answered in the order of the calls, whatever became of those before. */
export interface ReadOnlySession {
  describe(sql: string): Promise<Described>;
  /** Runs one statement. */
  execute(sql: string): Promise<Executed>;
  /** Why there are no more answers, when that is so. */
  silence(): SqlFault | undefined;
  close(): Promise<void>;
}

/** What ends a question that failed, and lets go of the locks of one that did not. */
const toQuestion = "ROLLBACK TO SAVEPOINT question";

/** Beyond the server's own limit, which it is to keep; and for it to see a client off. */
function graceOf(timeoutMs: number): number {
  return timeoutMs / 5;
}

/**
 * Begins a transaction that lasts until the session is closed. Settings are those that tools run with, and the transaction's own: behind a pooler, the
 * connection goes to others afterwards.
 *
 * @param timeoutMs for each question
 * @param settings statements to begin with
 * @throws what the driver throws
 */
export async function openReadOnly(
  client: pg.Client,
  timeoutMs: number,
  settings: readonly string[],
): Promise<ReadOnlySession> {
  const timer = setTimeout(() => hangUp(client), timeoutMs + graceOf(timeoutMs));
  await client.query(beginning(timeoutMs, settings)).finally(() => clearTimeout(timer));
  return createSession(client, timeoutMs);
}

function beginning(timeoutMs: number, settings: readonly string[]): string {
  return [
    "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY",
    ...sessionSettings.map((each) => each.replace(/^SET /, "SET LOCAL ")),
    `SET LOCAL statement_timeout = ${timeoutMs}`,
    `SET LOCAL lock_timeout = ${timeoutMs}`,
    // Between two questions there may be a long while. The second one is known from 17 on.
    "SELECT pg_catalog.set_config(name, '0', true) FROM pg_catalog.pg_settings WHERE name IN ('idle_in_transaction_session_timeout', 'transaction_timeout')",
    // The queries of catalogues are long and their tables are short: making machine code of them takes seconds, and running them none.
    "SET LOCAL jit = off",
    // So that what it says beside SQLSTATEs and places is English. Other roles may not.
    "SELECT pg_catalog.set_config('lc_messages', 'C', true) FROM pg_catalog.pg_roles WHERE rolname = current_user AND rolsuper",
    ...settings,
    "SAVEPOINT question",
  ].join("; ");
}

function createSession(client: pg.Client, timeoutMs: number): ReadOnlySession {
  const inTurn = createTurns();
  let silence: SqlFault | undefined;
  const ask = <Answer>(question: () => Promise<Answer>): Promise<Answer | Refused> =>
    inTurn(async () => {
      if (silence !== undefined) return { kind: "fault", fault: silence };
      const limit = limitOn(client, timeoutMs);
      try {
        return await question();
      } catch (error) {
        const fault = limit.isOver() ? noAnswer(timeoutMs) : sqlFaultOf(error);
        if (isOfServer(fault)) silence = fault;
        return { kind: "fault", fault };
      } finally {
        limit.lift();
      }
    });
  return {
    describe: (sql) => ask(() => describeOnWire(client, sql, toQuestion)),
    execute: async (sql) => withoutPrefix(await ask(() => execute(client, sql))),
    silence: () => silence,
    close: () => inTurn(() => leave(client, silence === undefined, graceOf(timeoutMs))),
  };
}

const prefix = `${toQuestion}; `;

async function execute(client: pg.Client, sql: string): Promise<Executed> {
  // Several statements give an array of results; the types know of one.
  const results = (await client.query(`${prefix}${sql}\n; ${toQuestion}`)) as unknown;
  const [, { rows }] = results as readonly [unknown, pg.QueryResult<Row>, unknown];
  return { kind: "rows", rows };
}

function withoutPrefix(executed: Executed): Executed {
  if (executed.kind === "rows" || executed.fault.position === undefined) return executed;
  const position = executed.fault.position - prefix.length;
  return { kind: "fault", fault: { ...executed.fault, position } };
}

/** A server that stalls answers neither a statement nor a request to cancel it. */
function limitOn(client: pg.Client, timeoutMs: number) {
  let isOver = false;
  const timer = setTimeout(
    () => {
      isOver = true;
      hangUp(client);
    },
    timeoutMs + graceOf(timeoutMs),
  );
  return { isOver: () => isOver, lift: () => clearTimeout(timer) };
}

function noAnswer(timeoutMs: number): SqlFault {
  return { code: "08006", message: `no answer within ${timeoutMs} ms` };
}

/** Connections, resources, other transactions, a time that was too short: what was asked may be right. */
function isOfServer({ code }: SqlFault): boolean {
  return /^(?:08|25P0|40|53|55P03|57|58)/.test(code);
}

async function leave(client: pg.Client, isAnswering: boolean, graceMs: number): Promise<void> {
  const timer = setTimeout(() => hangUp(client), graceMs);
  if (isAnswering) await client.query("ROLLBACK").catch(() => {});
  await client.end();
  clearTimeout(timer);
}

function hangUp({ connection }: pg.Client): void {
  connection.stream.destroy();
}
