/**
 * The server behind a URL as an engine. It uses one read-only transaction, in which each question
 * begins at a savepoint.
 */
import {
  closeSocket,
  isConnectTimeout,
  runExchange,
  sessionSettings,
  writeCommand,
} from "@skillc/runtime/internal/sql";
import pg from "pg";
import {
  createTurns,
  type Described,
  type DescribedColumn,
  type Engine,
  explain,
  sqlErrorOf,
  type SqlError,
} from "./engine.js";

type OpenedServer =
  | { readonly kind: "open"; readonly engine: Engine }
  /** `message` never contains the URL's password. */
  | { readonly kind: "unreachable"; readonly message: string };

/** Default time limit of the connection and of each question, in milliseconds. */
const TIMEOUT = 10_000;

/** Oldest supported version: the catalog queries are tested from here on. */
const OLDEST = 150_000;

/** From this version on a statement can be planned without values. */
const GENERIC_PLAN = 160_000;

/**
 * Connects to the server behind a `postgres://` URL, to describe statements and read its system
 * catalogs. One read-only transaction spans all questions and is rolled back at the end. On a
 * server older than 16, `plan` returns undefined.
 *
 * @param settings statements to begin with: `SET LOCAL …`
 */
export async function openServer(
  url: string,
  timeoutMs = TIMEOUT,
  settings: readonly string[] = [],
): Promise<OpenedServer> {
  const unusable = whyUrlUnusable(url);
  if (unusable !== undefined) return unreachable(unusable);
  const client = createClient(url, timeoutMs);
  if (!(client instanceof pg.Client)) return client;
  try {
    await client.connect();
    const session = await openReadOnly(client, timeoutMs, settings);
    const version = await versionOf(session);
    if (version >= OLDEST) return { kind: "open", engine: serverEngine(session, version) };
    await session.close();
    return unreachable(
      `it is PostgreSQL ${Math.floor(version / 10_000)}, but skillc needs 15 or later`,
    );
  } catch (error) {
    closeSocket(client);
    return unreachable(connectionReason(url, error, timeoutMs));
  }
}

function unreachable(message: string): OpenedServer {
  return { kind: "unreachable", message };
}

function createClient(url: string, timeoutMs: number): pg.Client | OpenedServer {
  try {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: timeoutMs,
      fallback_application_name: "skillc",
      types: { getTypeParser: () => (value: string) => value },
    });
    // Without a listener, a lost connection would end the process. The next question reports the
    // loss.
    client.on("error", () => {});
    return client;
  } catch (error) {
    const isUrl = error instanceof URIError || (error instanceof Error && "input" in error);
    return unreachable(isUrl ? UNREADABLE : reasonWithoutPassword(url, error));
  }
}

function connectionReason(url: string, error: unknown, timeoutMs: number): string {
  return isConnectTimeout(error)
    ? `no answer within ${timeoutMs} ms`
    : reasonWithoutPassword(url, error);
}

function serverEngine(session: ReadOnlySession, version: number): Engine {
  const { close, describe, execute, connectionError } = session;
  return {
    describe,
    plan: async (sql) =>
      version < GENERIC_PLAN
        ? responseError(await describe(sql))
        : explain(sql, describe, async (explained) => responseError(await execute(explained))),
    rows: (sql) => rowsOrThrow(session, sql),
    connectionError,
    close,
  };
}

async function rowsOrThrow({ execute }: ReadOnlySession, sql: string) {
  const executed = await execute(sql);
  if (executed.kind === "rows") return executed.rows;
  throw Object.assign(new Error(executed.error.message), executed.error);
}

function responseError(answer: Described | Executed): SqlError | undefined {
  return answer.kind === "error" ? answer.error : undefined;
}

async function versionOf(session: ReadOnlySession): Promise<number> {
  const [row] = await rowsOrThrow(session, "SHOW server_version_num");
  return Number(row?.["server_version_num"]);
}

type Row = Readonly<Record<string, string | null>>;

interface RejectedStatement {
  readonly kind: "error";
  readonly error: SqlError;
}

type Executed = { readonly kind: "rows"; readonly rows: readonly Row[] } | RejectedStatement;

/**
 * A read-only connection. Questions are answered in the order of the calls; a failed one doesn't
 * stop the next.
 */
interface ReadOnlySession {
  describe(sql: string): Promise<Described>;
  /** Runs one statement. */
  execute(sql: string): Promise<Executed>;
  /** Error that ended the connection; undefined while it answers. */
  connectionError(): SqlError | undefined;
  close(): Promise<void>;
}

/** Ends a failed question, and releases the locks of a successful one. */
const toQuestion = "ROLLBACK TO SAVEPOINT question";

/**
 * Extra time beyond the server's own limit, so that the server can apply it first; also the time
 * for closing a connection.
 */
function graceOf(timeoutMs: number): number {
  return timeoutMs / 5;
}

/**
 * Begins a transaction that lasts until the session is closed. Settings are those that tools run
 * with. They are local to the transaction, because a pooler hands the connection to others
 * afterwards.
 *
 * @param timeoutMs time limit of each question
 * @param settings statements to begin with
 * @throws the driver's error
 */
async function openReadOnly(
  client: pg.Client,
  timeoutMs: number,
  settings: readonly string[],
): Promise<ReadOnlySession> {
  const timer = setTimeout(() => closeSocket(client), timeoutMs + graceOf(timeoutMs));
  await client.query(beginning(timeoutMs, settings)).finally(() => clearTimeout(timer));
  return createSession(client, timeoutMs);
}

function beginning(timeoutMs: number, settings: readonly string[]): string {
  return [
    "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY",
    ...sessionSettings.map((each) => each.replace(/^SET /, "SET LOCAL ")),
    `SET LOCAL statement_timeout = ${timeoutMs}`,
    `SET LOCAL lock_timeout = ${timeoutMs}`,
    // There may be a long pause between two questions. The second setting exists from version 17
    // on, so the query sets only those that exist.
    "SELECT pg_catalog.set_config(name, '0', true) FROM pg_catalog.pg_settings WHERE name IN ('idle_in_transaction_session_timeout', 'transaction_timeout')",
    // Catalog queries are long and their tables short: compiling them takes seconds, and running
    // them almost no time.
    "SET LOCAL jit = off",
    // Asks for English messages. Only a superuser may change this setting.
    "SELECT pg_catalog.set_config('lc_messages', 'C', true) FROM pg_catalog.pg_roles WHERE rolname = current_user AND rolsuper",
    ...settings,
    "SAVEPOINT question",
  ].join("; ");
}

function createSession(client: pg.Client, timeoutMs: number): ReadOnlySession {
  const inTurn = createTurns();
  let connectionError: SqlError | undefined;
  const ask = <Answer>(question: () => Promise<Answer>): Promise<Answer | RejectedStatement> =>
    inTurn(async () => {
      if (connectionError !== undefined) return { kind: "error", error: connectionError };
      const limit = limitOn(client, timeoutMs);
      try {
        return await question();
      } catch (thrown) {
        const error = limit.isOver() ? noAnswerError(timeoutMs) : sqlErrorOf(thrown);
        if (isOfServer(error)) connectionError = error;
        return { kind: "error", error };
      } finally {
        limit.lift();
      }
    });
  return {
    describe: (sql) => ask(() => describe(client, sql)),
    execute: async (sql) => withoutPrefix(await ask(() => execute(client, sql))),
    connectionError: () => connectionError,
    close: () => inTurn(() => leave(client, connectionError === undefined, graceOf(timeoutMs))),
  };
}

/**
 * Describes a statement without executing it: Parse and Describe of the unnamed prepared statement,
 * in one round trip. `toQuestion` runs before it and, if it succeeds, after it.
 */
async function describe(client: pg.Client, sql: string): Promise<Described> {
  let parameters: readonly number[] = [];
  let columns: readonly DescribedColumn[] = [];
  await runExchange(client, {
    write(to) {
      writeCommand(toQuestion, to);
      to.parse({ text: sql });
      to.describe({ type: "S" });
      writeCommand(toQuestion, to);
      to.sync();
    },
    parameterTypes(oids) {
      parameters = oids;
    },
    fields(fields) {
      columns = fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }));
    },
  });
  return { kind: "described", parameters, columns };
}

const prefix = `${toQuestion}; `;

async function execute(client: pg.Client, sql: string): Promise<Executed> {
  // Several statements give an array of results, which pg's types don't declare.
  const results = (await client.query(`${prefix}${sql}\n; ${toQuestion}`)) as unknown;
  const [, { rows }] = results as readonly [unknown, pg.QueryResult<Row>, unknown];
  return { kind: "rows", rows };
}

function withoutPrefix(executed: Executed): Executed {
  if (executed.kind === "rows" || executed.error.position === undefined) return executed;
  const position = executed.error.position - prefix.length;
  return { kind: "error", error: { ...executed.error, position } };
}

/**
 * Closes the socket after the limit: a stalled server answers neither a statement nor a request to
 * cancel it.
 */
function limitOn(client: pg.Client, timeoutMs: number) {
  let isOver = false;
  const timer = setTimeout(
    () => {
      isOver = true;
      closeSocket(client);
    },
    timeoutMs + graceOf(timeoutMs),
  );
  return { isOver: () => isOver, lift: () => clearTimeout(timer) };
}

function noAnswerError(timeoutMs: number): SqlError {
  return { code: "08006", message: `no answer within ${timeoutMs} ms` };
}

/**
 * True for errors of connections, resources, other transactions and timeouts. The statement itself
 * may be correct.
 */
function isOfServer({ code }: SqlError): boolean {
  return /^(?:08|25P0|40|53|55P03|57|58)/.test(code);
}

async function leave(client: pg.Client, isAnswering: boolean, graceMs: number): Promise<void> {
  const timer = setTimeout(() => closeSocket(client), graceMs);
  if (isAnswering) await client.query("ROLLBACK").catch(() => {});
  await client.end();
  clearTimeout(timer);
}

/**
 * Why a connection's URL can't be used, in words that don't quote it; undefined if it can be used.
 */
function whyUrlUnusable(url: string): string | undefined {
  if (!/^postgres(?:ql)?:\/\//i.test(url)) return "it is not a postgres:// URL";
  return isMisread(url) ? UNREADABLE : undefined;
}

/** Message for a URL that the driver can't parse. */
const UNREADABLE =
  "it is not a valid URL; in a password `@` is written %40, `/` %2F, `?` %3F, `#` %23, `%` %25";

/**
 * True if the URL would be split wrongly. A password with an unescaped separator would end up in
 * the name of the host or the database, and then in messages.
 */
function isMisread(url: string): boolean {
  const [, rest = ""] = /^[^/]*\/\/[^/?#]*(.*)$/s.exec(url) ?? [];
  return /^[^?]*@|[?&][^=&]*@/s.test(rest);
}

/** The driver's message for an error, without the URL's password. */
function reasonWithoutPassword(url: string, error: unknown): string {
  const encoded = [
    /^[^:]*:\/\/[^:@/]*:(?<password>.*)@/s.exec(url)?.groups?.["password"] ?? "",
    /[?&]password=(?<password>[^&#]*)/.exec(url)?.groups?.["password"] ?? "",
  ];
  const secrets = encoded.flatMap((secret) => [secret, decoded(secret)]);
  return secrets
    .filter((secret) => secret !== "")
    .reduce((message, secret) => message.replaceAll(secret, "***"), messageOfDriver(error));
}

// A host name with several addresses fails with one error each, and the outer error has no message.
function messageOfDriver(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOfDriver).join("; ");
  if (!(error instanceof Error)) return String(error);
  const isPostgres = "severity" in error && "code" in error;
  return isPostgres ? `${error.message} (SQLSTATE ${String(error.code)})` : error.message;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
