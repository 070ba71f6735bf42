import { afterAll, beforeAll, describe } from "vitest";
import type { ColumnFormat, Format, SqlContract } from "../../../../src/bindings/sql/contract.js";
import { closeSql, openPglite, query } from "../../../../src/bindings/sql/execute.js";
import { sql } from "../../../../src/bindings/sql/runtime.js";
import { isToolError, type ToolError } from "../../../../src/runtime/errors.js";
import type { JsonValue } from "../../../../src/runtime/json/json.js";
import type { Attempt, AttemptOutcome } from "../../../../src/runtime/call/attempt.js";
import type { CallIdentity } from "../../../../src/runtime/call/binding.js";
import { createDatabase, postgresService } from "../../../support/postgres.js";
import { absenceOf, describeUnless } from "../../../support/service.js";

/** A database for tests, on the embedded engine or a server. */
export interface TestDatabase {
  readonly url: string;
  /** Runs SQL beside the tools, and returns the rows of the last statement as text. */
  rows(text: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

interface Engine {
  readonly name: string;
  /** @param schema SQL that creates the tables */
  readonly open: (schema: string) => Promise<TestDatabase>;
}

const embeddedEngine: Engine = {
  name: "PGlite",
  async open(schema) {
    const url = "pglite://:memory:";
    const engine = await openPglite(url);
    await engine.exec(schema);
    return { url, rows: async (text) => (await engine.exec(text)).at(-1)?.rows as [] };
  },
};

const serverEngine: Engine = { name: "PostgreSQL", open: openOnServer };

let dropDatabase: () => Promise<void> = () => Promise.resolve();

/** Creates a database for one file, and drops it after the file's tests. */
async function openOnServer(schema: string): Promise<TestDatabase> {
  const { url, run, drop } = await createDatabase(schema);
  dropDatabase = drop;
  return { url, rows: run };
}

const noServer = await absenceOf(postgresService);

/** Runs the same tests on the embedded engine and on a server. */
export function onEachEngine(schema: string, tests: (database: () => TestDatabase) => void): void {
  describe(`on ${embeddedEngine.name}`, () => {
    runOn(embeddedEngine, schema, tests);
  });
  onServer(schema, tests);
}

export function onServer(schema: string, tests: (database: () => TestDatabase) => void): void {
  describeUnless(noServer, `on ${serverEngine.name}`, () => runOn(serverEngine, schema, tests));
}

function runOn(
  engine: Engine,
  schema: string,
  tests: (database: () => TestDatabase) => void,
): void {
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    database = await engine.open(schema);
  });
  afterAll(async () => {
    await closeSql();
    if (engine === serverEngine) await dropDatabase();
  });
  tests(() => {
    if (database === undefined) throw new Error("not open yet");
    return database;
  });
}

/** Makes an attempt like the call path does. */
export function attempt(
  url: string,
  { signal = new AbortController().signal, timeoutMs = 20_000 } = {},
): Attempt {
  return {
    tool: "test-skill/test-tool",
    number: 1,
    timeoutMs,
    directory: ".",
    hooks: {},
    signal,
    onAbort(listener) {
      if (signal.aborted) listener(signal.reason);
      else signal.addEventListener("abort", () => listener(signal.reason), { once: true });
    },
    open: () => url,
  };
}

export interface Answer {
  readonly status: string;
  readonly data?: unknown;
  readonly truncated?: boolean;
  readonly error?: unknown;
}

export interface Tool {
  /** The statement, with `$1`, `$2`… for the values. */
  readonly text: string;
  readonly values?: readonly unknown[];
  readonly parameters?: readonly Format[];
  readonly columns?: Readonly<Record<string, ColumnFormat>>;
  readonly labels?: Readonly<Record<string, readonly string[]>>;
  readonly effect?: "read" | "write";
  readonly rows?: "many" | "one" | "optional" | "none";
  readonly maxRows?: number;
  readonly marksSession?: boolean;
  readonly searchPath?: readonly string[];
}

/**
 * Prepares a call of a tool whose statement is a `sql` template.
 *
 * @param given the caller, and settings to apply before the statement
 */
export function prepare(
  tool: Tool,
  {
    caller,
    setConfig,
  }: Pick<CallIdentity, "caller"> & Pick<SqlContract<unknown, undefined>, "setConfig"> = {},
) {
  const { columns = {}, labels = {}, effect = "read", rows = "many", maxRows = 1000 } = tool;
  const { marksSession = false, searchPath = ["public"] } = tool;
  const parameters = tool.parameters ?? (tool.values ?? []).map((): Format => "text");
  const statement = {
    connection: "TEST_URL",
    build: () => templateOf(tool),
    effect,
    columns,
    labels,
    parameters,
    marksSession,
    searchPath,
    ...(setConfig && { setConfig }),
  };
  const contract: SqlContract<unknown, undefined> =
    rows === "many" ? { ...statement, rows, maxRows } : { ...statement, rows };
  return query<unknown, undefined, unknown, Answer>(contract).prepare(undefined, {
    id: "a-call",
    toolId: "skill/tool",
    caller,
  });
}

function templateOf({ text, values = [] }: Tool) {
  const parts = text.split(/\$(\d+)/).map((part, at) => {
    if (at % 2 === 0) return sql.raw(part);
    const number = Number(part);
    return number > values.length ? sql.raw(`$${part}`) : sql`${sql.val(values[number - 1])}`;
  });
  return sql.join(parts, sql.raw(""));
}

export function send(tool: Tool, as: Attempt): Promise<AttemptOutcome<Answer>> {
  return prepare(tool).send(as);
}

/** Returns the only value of a SELECT. */
export async function valueOf(
  database: TestDatabase,
  expression: string,
  format: Format,
  values: readonly unknown[] = [],
  parameters: readonly Format[] = values.map((): Format => "text"),
): Promise<JsonValue> {
  const tool: Tool = {
    text: `SELECT ${expression} AS it`,
    columns: { it: format },
    rows: "one",
    values,
    parameters,
  };
  const { result } = await send(tool, attempt(database.url));
  return (result.data as { readonly it: JsonValue }).it;
}

/** Returns the `ToolError` that a promise rejects with. */
export async function failure(promise: Promise<unknown>): Promise<ToolError> {
  const thrown: unknown = await promise.then(
    (value) => new Error(`resolved with ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (isToolError(thrown)) return thrown;
  throw thrown;
}
