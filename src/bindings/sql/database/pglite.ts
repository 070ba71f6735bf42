/**
 * The embedded PostgreSQL as an engine: started with schema files, or from a kept image, and
 * started again after a statement broke it.
 */
import { searchPathSetting } from "@skillc/runtime/internal/sql";
import { loadParser } from "../statement/lexer.js";
import { emptyImage } from "./empty-image.js";
import {
  createTurns,
  type Described,
  type EmbeddedEngine,
  explain,
  type SchemaError,
  type SqlError,
} from "./engine.js";
import { extensionOf, loadSchema } from "./load-schema.js";
import { type Answer, PgliteThread } from "./pglite-thread.js";
import type { SchemaFile } from "./schema-files.js";
import { readSchemaStatements, type SchemaStatement } from "./schema-statements.js";
import { searchPathOf } from "./snapshot-header.js";

export type OpenedEmbedded =
  | { readonly kind: "open"; readonly engine: EmbeddedEngine }
  | { readonly kind: "errors"; readonly errors: readonly SchemaError[] };

export interface EmbeddedOptions {
  /** Of an engine with the same files, which are then not loaded again. */
  readonly image?: Uint8Array<ArrayBuffer> | undefined;
  /** For each statement of the files, and each question, in milliseconds of CPU time. */
  readonly statementTimeoutMs?: number | undefined;
}

const defaultTimeoutMs = 60_000;

/**
 * Starts PostgreSQL in memory, in a thread of its own, and loads schema files, in the order given.
 * A file that can't be parsed stops before the start, with every such file named; a statement that
 * fails, or doesn't end, stops the load. Until it is closed, an engine keeps the process alive.
 *
 * With an image nothing is loaded, and nothing starts before the first question.
 */
export async function openEmbedded(
  files: readonly SchemaFile[],
  { image, statementTimeoutMs = defaultTimeoutMs }: EmbeddedOptions = {},
): Promise<OpenedEmbedded> {
  const again = (made: EmbeddedOptions["image"]) =>
    startAgain(files, { image: made ?? image, statementTimeoutMs });
  if (image !== undefined) return { kind: "open", engine: embeddedEngine(undefined, again) };
  const started = await start(files, { image, statementTimeoutMs });
  if (Array.isArray(started)) return { kind: "errors", errors: started };
  return { kind: "open", engine: embeddedEngine(started, again) };
}

/** Parses the files, and starts with them. */
async function start(
  files: readonly SchemaFile[],
  options: StartOptions,
): Promise<PgliteThread | SchemaError[]> {
  await loadParser();
  const read = files.map(readSchemaStatements);
  const errors = read.flatMap((file) => ("message" in file ? [file] : []));
  if (errors.length > 0) return errors;
  const statements = read.flatMap((file) => ("message" in file ? [] : [file]));
  const thread = await startWith(statements, options);
  if (!(thread instanceof PgliteThread)) return [thread];
  const searchPath = searchPathOf(files);
  if (searchPath !== undefined) await thread.execute(`SET ${searchPathSetting(searchPath)}`);
  // Nothing is written from here on, whatever is asked.
  await thread.execute("SET default_transaction_read_only = on");
  return thread;
}

/** Loaded already once, so it loads. */
async function startAgain(
  files: readonly SchemaFile[],
  options: StartOptions,
): Promise<PgliteThread> {
  const started = await start(files, options);
  if (!Array.isArray(started)) return started;
  throw new Error(`a schema that was loaded before is refused: ${started[0]?.message}`);
}

type StartOptions = Required<Pick<EmbeddedOptions, "image">> & {
  readonly statementTimeoutMs: number;
};

async function startWith(
  statements: readonly (readonly SchemaStatement[])[],
  { image, statementTimeoutMs }: StartOptions,
): Promise<PgliteThread | SchemaError> {
  const extensions = statements.flat().flatMap((statement) => extensionOf(statement) ?? []);
  const thread = await PgliteThread.start({
    extensions,
    image: image ?? (await emptyImage()),
    statementTimeoutMs,
  });
  const error = image === undefined ? await loadSchema(thread, statements) : undefined;
  if (error !== undefined) {
    await thread.close();
    return error;
  }
  return thread;
}

/**
 * An engine on a PostgreSQL whose schema is loaded. Questions are answered one at a time, in the
 * order of the calls, and each leaves the session as it was: no transaction, no prepared statement
 * but the unnamed one. A question that breaks PostgreSQL, or doesn't end, is an error; `open` then
 * gives another for the next.
 *
 * @param first undefined for one that rests until it is asked something
 * @param open gets the last image that was made
 */
function embeddedEngine(
  first: PgliteThread | undefined,
  open: (image: Image | undefined) => Promise<PgliteThread>,
): EmbeddedEngine {
  const inTurn = createTurns();
  let thread = first;
  let made: Image | undefined;
  const current = async () => (thread ??= await open(made));
  const rest = async () => {
    const left = thread;
    thread = undefined;
    await left?.close();
  };
  const ask = <Given>(
    question: (thread: PgliteThread) => Promise<Given>,
    referenceProblem: (given: Given) => SqlError | undefined,
  ) =>
    inTurn(async () => {
      const given = await question(await current());
      if (isBroken(referenceProblem(given))) await rest();
      return given;
    });
  return {
    describe: (sql) =>
      ask(
        (asked) => describe(asked, sql),
        (given) => (given.kind === "error" ? given.error : undefined),
      ),
    plan: (sql) =>
      ask(
        (asked) => plan(asked, sql),
        (error) => error,
      ),
    rows: async (sql) => valueOrThrow(await ask((asked) => asked.rows(sql), errorOfAnswer)),
    image: async () => (made = valueOrThrow(await ask((asked) => asked.image(), errorOfAnswer))),
    rest: () => inTurn(rest),
    close: () => inTurn(rest),
  };
}

type Image = Uint8Array<ArrayBuffer>;

/**
 * `26000` is what PGlite says when JavaScript's stack was too small for it: its own state is lost
 * with that, as it is out of memory.
 */
function isBroken(error: SqlError | undefined): boolean {
  return error !== undefined && /^(?:08|26000|53|54001|57|58|XX)/.test(error.code);
}

/** @throws an error with the fields of the one that was answered */
function valueOrThrow<Value>(answer: Answer<Value>): Value {
  if ("value" in answer) return answer.value;
  throw Object.assign(new Error(answer.error.message), answer.error);
}

function errorOfAnswer(answer: Answer<unknown>): SqlError | undefined {
  return "error" in answer ? answer.error : undefined;
}

async function describe(thread: PgliteThread, sql: string): Promise<Described> {
  const answer = await thread.describe(sql);
  if ("value" in answer) return { kind: "described", ...answer.value };
  return { kind: "error", error: withKnownCode(answer.error) };
}

function withKnownCode(error: SqlError): SqlError {
  if (error.code !== "26000") return error;
  return { code: "54001", message: "the statement is too complex for the embedded PostgreSQL" };
}

function plan(thread: PgliteThread, sql: string): Promise<SqlError | undefined> {
  return explain(
    sql,
    (described) => describe(thread, described),
    (explained) => withoutFolding(thread, () => thread.execute(explained)),
  );
}

/**
 * Functions that schema files made: in languages that can go on for ever, and stand-ins of those in
 * C, which only refuse.
 */
const FOLDED = `oid >= 16384 AND provolatile <> 'v'
  AND prolang IN (SELECT oid FROM pg_catalog.pg_language WHERE lanname IN ('internal', 'plpgsql', 'sql'))`;

const folding = new WeakMap<PgliteThread, Promise<boolean>>();

/** Whether there is such a function: asked once, as the schema stays. */
function folds(thread: PgliteThread): Promise<boolean> {
  const asked =
    folding.get(thread) ??
    thread
      .rows(`SELECT FROM pg_catalog.pg_proc WHERE ${FOLDED} LIMIT 1`)
      // An engine that is broken says so when it is asked the question itself.
      .then((answer) => "value" in answer && answer.value.length > 0);
  folding.set(thread, asked);
  return asked;
}

/**
 * The planner runs functions of constants that are not volatile, and each that doesn't end would
 * take as long as a statement may. So none of the schema's is run while it plans, but those that
 * PostgreSQL calls behind a type: the checks of a domain.
 */
async function withoutFolding(
  thread: PgliteThread,
  question: () => Promise<SqlError | undefined>,
): Promise<SqlError | undefined> {
  if (!(await folds(thread))) return question();
  const unfold = `BEGIN READ WRITE; UPDATE pg_catalog.pg_proc SET provolatile = 'v' WHERE ${FOLDED}`;
  const error = (await thread.execute(unfold)) ?? (await question());
  // One that broke is given up, with its transaction.
  await thread.execute("ROLLBACK");
  return error;
}
