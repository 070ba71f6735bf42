/**
 * Which PostgreSQL knows a connection's schema, opened and kept for the next run.
 *
 * - `engine.ts`: what any of them is asked, and PostgreSQL's errors
 * - `pglite.ts`: the embedded one, in the thread of `pglite-thread.ts` and `pglite-worker.ts`;
 *   `load-schema.ts`, `schema-statements.ts` and `schema-files.ts`: what it is loaded with
 * - `server.ts`: one behind a URL, asked by `ask-server.ts`
 * - `read-snapshot.ts`: what is in either of them, as the plain data of `snapshot.ts`;
 *   `pg-catalog.ts`: that by name
 * - `snapshot-header.ts`: the files of `skillc db pull`
 */
import { gunzipSync, gzipSync } from "node:zlib";
import { sha256 } from "../../../core/hash.js";
import { shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import { didYouMean, suggestion } from "../../../schema/suggestion.js";
import type { ByteStore, SessionInput } from "../../../kit/kind-engine.js";
import type { DatabaseSettings, PatternSetting, SchemaFiles } from "../settings.js";
import { type AskInput, askServer, type Dependencies } from "./ask-server.js";
import type { EmbeddedEngine, Engine, SchemaError } from "./engine.js";
import type { openEmbedded } from "./pglite.js";
import { readSnapshot } from "./read-snapshot.js";
import { chooseSchemaFiles, type SchemaFile } from "./schema-files.js";
import type { Snapshot } from "./snapshot.js";

/** A database that statements are described against. */
export interface KnownDatabase {
  readonly settings: DatabaseSettings;
  readonly engine: Engine;
  readonly snapshot: Snapshot;
  /** Of a server: what else its answers depend on. Schema files say all of it themselves. */
  readonly dependencies?: Dependencies;
}

/** What boots the embedded PostgreSQL with schema files. */
export type OpenEmbedded = typeof openEmbedded;

/**
 * Starts the engine that knows a database's schema; undefined, and reported, when it can't be had.
 */
export async function openDatabase(
  settings: DatabaseSettings,
  input: SessionInput & Pick<AskInput, "refuse">,
  open: OpenEmbedded,
): Promise<KnownDatabase | undefined> {
  const { source } = settings;
  if (source.kind === "files") return openFromFiles(settings, source, input, open);
  const asked = await askServer(settings, input);
  return asked && { settings, ...asked };
}

const snapshots = new WeakMap<Engine, Promise<Snapshot>>();

/** The schema of an engine doesn't change while it is open. */
function snapshotOf(engine: Engine): Promise<Snapshot> {
  const known = snapshots.get(engine) ?? readSnapshot(engine);
  snapshots.set(engine, known);
  return known;
}

/**
 * What statements on that database are described against, as a hash: of the files, or of what a
 * server says of itself, its OIDs included.
 */
export async function fingerprintOf(
  settings: DatabaseSettings,
  { files }: SessionInput,
  open: () => Promise<KnownDatabase | undefined>,
): Promise<string> {
  const { name, functions, source } = settings;
  if (source.kind === "server") {
    const { dependencies, snapshot } = (await open()) ?? {};
    return sha256(JSON.stringify([name, functions, snapshot ?? null, dependencies ?? null]));
  }
  const chosen = chosenFiles(source.patterns, files);
  return sha256(JSON.stringify([name, functions, chosen]));
}

function chosenFiles(
  patterns: readonly PatternSetting[],
  files: SessionInput["files"],
): readonly SchemaFile[] {
  const names = patterns.map(({ pattern }) => pattern);
  return chooseSchemaFiles(names, [...files.keys()]).flatMap((path) => files.get(path) ?? []);
}

async function openFromFiles(
  settings: DatabaseSettings,
  { isSnapshot, patterns }: SchemaFiles,
  input: SessionInput,
  open: OpenEmbedded,
): Promise<KnownDatabase | undefined> {
  if (!checkFiles(patterns, isSnapshot, input)) return undefined;
  const { files, progress, report, store } = input;
  const chosen = chosenFiles(patterns, files);
  progress(`starting PostgreSQL with ${countOf(chosen.length)} for ${settings.name}`);
  const kept = await keptEngine(store, chosen);
  const { statementTimeoutMs } = settings;
  const opened = await open(chosen, { image: kept?.image, statementTimeoutMs });
  if (opened.kind === "errors") {
    for (const error of opened.errors) reportSchemaError(error, report);
    return undefined;
  }
  const { engine } = opened;
  if (kept !== undefined) return { settings, engine, snapshot: kept.snapshot };
  const snapshot = await snapshotOf(engine);
  await keepEngine(store, chosen, engine, snapshot);
  return { settings, engine, snapshot };
}

/**
 * Whether every pattern names files, and all of them could be read; why one could not was reported
 * when it was tried.
 */
function checkFiles(
  patterns: readonly PatternSetting[],
  isSnapshot: boolean,
  { files, near, unread = new Map(), report }: SessionInput,
): boolean {
  const names = patterns.map(({ pattern }) => pattern);
  if (chooseSchemaFiles(names, [...unread.keys()]).length > 0) return false;
  const empty = patterns.filter((each) => chosenFiles([each], files).length === 0);
  for (const { pattern, span } of empty) {
    const meant = near?.get(pattern);
    report.add({
      code: "sql/no-schema-files",
      span,
      message: isSnapshot
        ? `there is no snapshot \`${shown(pattern)}\``
        : `no file matches \`${shown(pattern)}\``,
      help:
        meant !== undefined
          ? suggestion(shown(meant))
          : isSnapshot
            ? "`skillc db pull` writes it, where the server can be asked"
            : "patterns are relative to skillc.yaml: `db/schema.sql`, `db/migrations/*.sql`",
    });
  }
  return empty.length === 0;
}

function countOf(files: number): string {
  return files === 1 ? "1 schema file" : `${files} schema files`;
}

function reportSchemaError({ path, at, message, help, code }: SchemaError, report: Report): void {
  report.add({
    code: "sql/schema-does-not-load",
    span: { file: path, ...at },
    message: code === undefined ? message : `${message} (SQLSTATE ${code})`,
    ...(help !== undefined && { help }),
  });
}

/**
 * An embedded engine as a run leaves it for the next: its image, and what its system catalogs hold,
 * which takes long to read.
 */
interface KeptEngine {
  readonly image: Uint8Array<ArrayBuffer>;
  /** Its OIDs are those of the image. */
  readonly snapshot: Snapshot;
}

/** What an earlier run kept of an engine with exactly these files. */
async function keptEngine(
  store: ByteStore | undefined,
  files: readonly SchemaFile[],
): Promise<KeptEngine | undefined> {
  const bytes = await store?.get(imageKey(files));
  if (bytes === undefined) return undefined;
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  const text = gunzipSync(bytes.subarray(lengthBytes, lengthBytes + length)).toString();
  // The store gives back only what `keepEngine` of the same build put in.
  const snapshot = JSON.parse(text) as Snapshot;
  return { snapshot, image: bytes.subarray(lengthBytes + length) };
}

/** Keeps an engine for later runs; nothing where nothing may be written. */
async function keepEngine(
  store: ByteStore | undefined,
  files: readonly SchemaFile[],
  engine: EmbeddedEngine,
  snapshot: Snapshot,
): Promise<void> {
  if (store?.set === undefined) return;
  const text = gzipSync(JSON.stringify(snapshot));
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32BE(text.length);
  await store.set(imageKey(files), Buffer.concat([length, text, await engine.image()]));
}

const lengthBytes = 4;

function imageKey(files: readonly SchemaFile[]): string {
  return sha256(JSON.stringify(["embedded PostgreSQL", files]));
}

/**
 * Every name under `harmless_functions` is a function's of the database: else the one that is meant
 * is not listed.
 */
export function checkListed(
  { listed, name: database }: DatabaseSettings,
  { functions }: Snapshot,
  report: Report,
): void {
  if (listed.length === 0) return;
  const names = new Set(functions.flatMap(({ name, schema }) => [name, `${schema}.${name}`]));
  for (const { pattern: name, span } of listed) {
    if (names.has(name)) continue;
    report.add({
      code: "sql/unknown-function",
      span,
      message: `the schema of \`${shown(database)}\` has no function \`${shown(name)}\``,
      help: didYouMean(name, [...names]) ?? "remove it, or write `name` or `schema.name`",
    });
  }
}
