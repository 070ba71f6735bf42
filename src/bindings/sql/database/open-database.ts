/**
 * Opens the PostgreSQL that holds a connection's schema, and keeps it for the next run.
 *
 * - `engine.ts`: the interface of each engine, and PostgreSQL's errors
 * - `pglite.ts`: the embedded engine, in the thread of `pglite-thread.ts` and `pglite-worker.ts`
 * - `load-schema.ts`, `schema-statements.ts`, `schema-files.ts`: load schema files into it
 * - `server.ts`: the engine of a server behind a URL, which `ask-server.ts` opens
 * - `read-snapshot.ts`: reads the catalogs of either engine into the plain data of `snapshot.ts`
 * - `pg-catalog.ts`: looks up names in a snapshot
 * - `snapshot-header.ts`: the header of files that `skillc db pull` writes
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
  /**
   * Other server state that its answers depend on; absent for schema files, which contain all of
   * it.
   */
  readonly dependencies?: Dependencies;
}

/** Starts the embedded PostgreSQL with schema files. */
export type OpenEmbedded = typeof openEmbedded;

/**
 * Starts the engine that holds a database's schema. If that fails, reports it and returns
 * undefined.
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

/** The snapshot is read once, because the schema of an open engine doesn't change. */
function snapshotOf(engine: Engine): Promise<Snapshot> {
  const known = snapshots.get(engine) ?? readSnapshot(engine);
  snapshots.set(engine, known);
  return known;
}

/**
 * Hash of all that descriptions of statements depend on: the schema files, or the server's snapshot
 * and dependencies, including OIDs.
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
  const kept = await cachedEngine(store, chosen);
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
 * True if every pattern matches files and all of them could be read. Unreadable files were reported
 * when reading failed.
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
            ? "to write it, run `skillc db pull` where the server is reachable"
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
 * An embedded engine kept for the next run: its image, and its snapshot, which takes long to read.
 */
interface CachedEngine {
  readonly image: Uint8Array<ArrayBuffer>;
  /** Snapshot with the OIDs of the image. */
  readonly snapshot: Snapshot;
}

/** Loads the engine that an earlier run kept for exactly these files. */
async function cachedEngine(
  store: ByteStore | undefined,
  files: readonly SchemaFile[],
): Promise<CachedEngine | undefined> {
  const bytes = await store?.get(imageKey(files));
  if (bytes === undefined) return undefined;
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  const text = gunzipSync(bytes.subarray(lengthBytes, lengthBytes + length)).toString();
  // The store returns only bytes that `keepEngine` of the same build stored.
  const snapshot = JSON.parse(text) as Snapshot;
  return { snapshot, image: new Uint8Array(bytes.subarray(lengthBytes + length)) };
}

/** Keeps an engine for later runs. Does nothing if the store is read-only. */
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
 * Reports each name under `harmless_functions` that the database lacks. With a misspelt name, the
 * intended function would not be listed.
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
