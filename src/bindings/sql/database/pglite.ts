/**
 * The embedded PostgreSQL as an engine. It starts from schema files or a kept image, and starts
 * again after a statement broke it.
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
  /** Image of an engine with the same files, which are then not loaded again. */
  readonly image?: Uint8Array<ArrayBuffer> | undefined;
  /**
   * Time limit of each statement of the files and of each question, in milliseconds of CPU time.
   */
  readonly statementTimeoutMs?: number | undefined;
}

const defaultTimeoutMs = 60_000;

/**
 * Starts PostgreSQL in memory, in a thread of its own, and loads schema files in the given order.
 * If files can't be parsed, nothing starts and every such file is reported. A statement that fails,
 * or takes too long, stops the load. An open engine keeps the process alive.
 *
 * With an image, no file is loaded and PostgreSQL starts at the first question.
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

/** Parses the files and starts PostgreSQL with them. */
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
  // From here on nothing can be written, whatever is asked.
  await thread.execute("SET default_transaction_read_only = on");
  return thread;
}

/** Starts again with files that were loaded before, so an error is a bug. */
async function startAgain(
  files: readonly SchemaFile[],
  options: StartOptions,
): Promise<PgliteThread> {
  const started = await start(files, options);
  if (!Array.isArray(started)) return started;
  throw new Error(`PostgreSQL rejects a schema that it accepted before: ${started[0]?.message}`);
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
 * Makes an engine on a PostgreSQL whose schema is loaded. Questions are answered one at a time, in
 * the order of the calls. Each leaves the session unchanged: no transaction, and no prepared
 * statement but the unnamed one. A question that breaks PostgreSQL, or takes too long, returns an
 * error; `open` then starts a new thread for the next question.
 *
 * @param first undefined for an engine that starts at its first question
 * @param open receives the last image that was made
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
 * PGlite reports `26000` if JavaScript's stack overflowed. Its internal state is lost then, as
 * after running out of memory.
 */
function isBroken(error: SqlError | undefined): boolean {
  return error !== undefined && /^(?:08|26000|53|54001|57|58|XX)/.test(error.code);
}

/** @throws an error with the fields of the answered error */
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
 * Functions from schema files in languages that can loop forever, and stand-ins for functions in C,
 * which only raise an error.
 */
const FOLDED = `oid >= 16384 AND provolatile <> 'v'
  AND prolang IN (SELECT oid FROM pg_catalog.pg_language WHERE lanname IN ('internal', 'plpgsql', 'sql'))`;

const folding = new WeakMap<PgliteThread, Promise<boolean>>();

/** True if there is such a function. Asked once, because the schema doesn't change. */
function folds(thread: PgliteThread): Promise<boolean> {
  const asked =
    folding.get(thread) ??
    thread
      .rows(`SELECT FROM pg_catalog.pg_proc WHERE ${FOLDED} LIMIT 1`)
      // If the engine is broken, the question itself reports the error.
      .then((answer) => "value" in answer && answer.value.length > 0);
  folding.set(thread, asked);
  return asked;
}

/**
 * Runs a question so that the planner executes none of the schema's functions. The planner runs
 * non-volatile functions of constants, and one that loops would use up the time limit. Domain
 * checks are still run.
 */
async function withoutFolding(
  thread: PgliteThread,
  question: () => Promise<SqlError | undefined>,
): Promise<SqlError | undefined> {
  if (!(await folds(thread))) return question();
  const unfold = `BEGIN READ WRITE; UPDATE pg_catalog.pg_proc SET provolatile = 'v' WHERE ${FOLDED}`;
  const error = (await thread.execute(unfold)) ?? (await question());
  // If the question broke the thread, its transaction is lost with it and this does nothing.
  await thread.execute("ROLLBACK");
  return error;
}
