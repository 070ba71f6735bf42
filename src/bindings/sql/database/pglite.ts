import { searchPathSetting } from "@skillc/runtime/internal/sql";
import { loadParser } from "../statement/lexer.js";
import { emptyImage } from "./empty-image.js";
import type { EmbeddedEngine } from "./engine.js";
import { extensionOf } from "./extensions.js";
import type { SchemaFault } from "./fault.js";
import { loadSchema } from "./load-schema.js";
import { createEngine } from "./pglite-engine.js";
import { PgliteThread } from "./pglite-thread.js";
import type { SchemaFile } from "./schema-files.js";
import { readSchemaStatements, type SchemaStatement } from "./schema-statements.js";
import { searchPathOf } from "./snapshot-header.js";

export type OpenedEmbedded =
  | { readonly kind: "open"; readonly engine: EmbeddedEngine }
  | { readonly kind: "faults"; readonly faults: readonly SchemaFault[] };

export interface EmbeddedOptions {
  /** Of an engine with the same files, which are then not loaded again. */
  readonly image?: Uint8Array<ArrayBuffer> | undefined;
  /** For each statement of the files, and each question, in milliseconds of CPU time. */
  readonly statementTimeoutMs?: number | undefined;
}

const defaultTimeoutMs = 60_000;

/**
 * Starts PostgreSQL in memory, in a thread of its own, and loads schema files, in the order given. A file that can't be parsed stops before the start, with
 * every such file named; a statement that fails, or doesn't end, stops the load. Until it is closed, an engine keeps the process alive.
 *
 * With an image nothing is loaded, and nothing starts before the first question.
 */
export async function openEmbedded(
  files: readonly SchemaFile[],
  { image, statementTimeoutMs = defaultTimeoutMs }: EmbeddedOptions = {},
): Promise<OpenedEmbedded> {
  const again = (made: EmbeddedOptions["image"]) =>
    startAgain(files, { image: made ?? image, statementTimeoutMs });
  if (image !== undefined) return { kind: "open", engine: createEngine(undefined, again) };
  const started = await start(files, { image, statementTimeoutMs });
  if (Array.isArray(started)) return { kind: "faults", faults: started };
  return { kind: "open", engine: createEngine(started, again) };
}

/** Parses the files, and starts with them. */
async function start(
  files: readonly SchemaFile[],
  options: StartOptions,
): Promise<PgliteThread | SchemaFault[]> {
  await loadParser();
  const read = files.map(readSchemaStatements);
  const faults = read.flatMap((file) => ("message" in file ? [file] : []));
  if (faults.length > 0) return faults;
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
): Promise<PgliteThread | SchemaFault> {
  const extensions = statements.flat().flatMap((statement) => extensionOf(statement) ?? []);
  const thread = await PgliteThread.start({
    extensions,
    image: image ?? (await emptyImage()),
    statementTimeoutMs,
  });
  const fault = image === undefined ? await loadSchema(thread, statements) : undefined;
  if (fault !== undefined) {
    await thread.close();
    return fault;
  }
  return thread;
}
