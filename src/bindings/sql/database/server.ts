import pg from "pg";
import { describeOnWire } from "./describe-on-wire.js";
import type { Described, Engine, SqlFault } from "./engine.js";
import { sqlFaultOf } from "./fault.js";
import { createTurns } from "./in-turn.js";
import { explain } from "./plan.js";

export type OpenedServer =
  | { readonly kind: "open"; readonly engine: Engine }
  /** `message` is the driver's, without the password of the URL. */
  | { readonly kind: "unreachable"; readonly message: string };

/** For the connection and for each statement, in milliseconds. */
const TIMEOUT = 10_000;

/** From this version on a statement can be planned without values. */
const GENERIC_PLAN = 160_000;

/**
 * Connects to the server behind a `postgres://` URL, to describe statements and read its catalogues. Its session is read-only and nothing is executed but
 * those questions. `plan` has nothing to say on a server older than 16.
 */
export async function openServer(url: string): Promise<OpenedServer> {
  try {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: TIMEOUT,
      types: { getTypeParser: () => (value: string) => value },
    });
    // Without a listener, a server that goes away ends the process; the next question fails with it.
    client.on("error", () => {});
    await client.connect();
    await client.query(
      `SET default_transaction_read_only = on; SET statement_timeout = ${TIMEOUT}; SET lock_timeout = ${TIMEOUT}`,
    );
    return { kind: "open", engine: createEngine(client, await versionOf(client)) };
  } catch (error) {
    return { kind: "unreachable", message: withoutPassword(url, error) };
  }
}

function createEngine(client: pg.Client, version: number): Engine {
  const inTurn = createTurns();
  const query = (sql: string) =>
    inTurn(() => client.query<Readonly<Record<string, string | null>>>(sql));
  const describe = async (sql: string): Promise<Described> => {
    try {
      return await inTurn(() => describeOnWire(client, sql));
    } catch (error) {
      return { kind: "fault", fault: sqlFaultOf(error) };
    }
  };
  return {
    describe,
    plan: async (sql) =>
      version < GENERIC_PLAN ? faultOf(await describe(sql)) : explain(sql, describe, query),
    rows: async (sql) => (await query(sql)).rows,
    close: () => inTurn(() => client.end()),
  };
}

function faultOf(described: Described): SqlFault | undefined {
  return described.kind === "fault" ? described.fault : undefined;
}

async function versionOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ readonly server_version_num: string }>(
    "SHOW server_version_num",
  );
  return Number(rows[0]?.server_version_num);
}

function withoutPassword(url: string, error: unknown): string {
  const encoded = /^[^:]*:\/\/[^:@/]*:(?<password>.*)@/.exec(url)?.groups?.["password"] ?? "";
  const secrets = [encoded, decoded(encoded)].filter((secret) => secret !== "");
  return secrets.reduce((message, secret) => message.replaceAll(secret, "***"), reasonOf(error));
}

// A name with several addresses fails with one error for each, and says nothing itself.
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
