/** PostgreSQL in this process: its folder, its lock, and the session that calls use in turn. */
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import type { PGlite, PGliteOptions, protocol as Protocol } from "@electric-sql/pglite";
import { makeFolder } from "../../../runtime/files/own-place.js";
import { takeLock } from "../../../runtime/files/lock-file.js";
import { type Attempt, ifMissing, type WriteOutcome } from "../../../runtime/executor.js";
import { extensionsFor } from "./extensions.js";
import { errorOfDriver } from "../../../runtime/postgres/errors.js";
import { LostConnection } from "../../../runtime/connection/errors.js";
import { commit, type Database, type Exchange, type Reply, type Session } from "./session.js";
import { searchPathSetting, sessionSettings } from "./settings.js";
import type { FieldMessage } from "../../../runtime/postgres/pg-internals.js";
import { ReplyCollector, writeExchange } from "./wire.js";

/** Path of a database in memory, which is lost when it is closed. */
export const inMemory = ":memory:";

/**
 * An embedded PostgreSQL. Calls take turns, and a running statement can't be stopped, because it
 * blocks this process.
 */
export class Embedded implements Database {
  readonly engine: PGlite;
  readonly #serialize: typeof Protocol.serialize;
  readonly #unlock: () => void;

  private constructor(engine: PGlite, serialize: typeof Protocol.serialize, unlock: () => void) {
    this.engine = engine;
    this.#serialize = serialize;
    this.#unlock = unlock;
  }

  /**
   * @param folder an existing folder, or `:memory:`
   * @throws LostConnection if it is no database, or if another process uses it
   */
  static async open(folder: string): Promise<Embedded> {
    const { PGlite, protocol } = await import("@electric-sql/pglite").catch(
      ifMissing("@electric-sql/pglite"),
    );
    let unlock = () => {};
    try {
      if (folder !== inMemory) unlock = lockFolder(folder);
      const engine = await PGlite.create(await optionsFor(folder, PGlite.defaultStartParams));
      await engine.exec(sessionSettings.join("; "));
      return new Embedded(engine, protocol.serialize, unlock);
    } catch (error) {
      unlock();
      throw error instanceof LostConnection ? error : errorOfDriver(error, "not-done");
    }
  }

  run<Result>(attempt: Attempt, work: (session: Session) => Promise<Result>): Promise<Result> {
    const session = new EmbeddedSession(this.engine, this.#serialize);
    attempt.onAbort(() => {
      session.stop();
      return session.outcome;
    });
    return this.engine.runExclusive(async () => {
      try {
        return await work(session);
      } finally {
        await session.rollBack();
      }
    });
  }

  async close(): Promise<void> {
    // Waits for the queued calls.
    await this.engine.runExclusive(() => Promise.resolve());
    await this.engine.close().finally(this.#unlock);
  }
}

async function optionsFor(folder: string, startParams: readonly string[]): Promise<PGliteOptions> {
  const dataDir = folder === inMemory ? undefined : folder;
  return {
    ...(dataDir === undefined ? {} : { dataDir }),
    extensions: await extensionsFor(dataDir),
    // After a crash, PostgreSQL would start a timer that reports the recovery every ten seconds.
    // The timer would keep this process alive.
    startParams: [...startParams, "-c", "log_startup_progress_interval=0"],
  };
}

/** Waits for a whole round of the event loop, so that due timers and signals are handled. */
async function letOthersAct(): Promise<void> {
  await turn();
  await turn();
}

/** The embedded PostgreSQL while one call uses it. */
class EmbeddedSession implements Session {
  readonly isInProcess = true;
  readonly #engine: PGlite;
  readonly #serialize: typeof Protocol.serialize;
  #stopped = false;
  #isOpen = false;
  #outcome: WriteOutcome = "not-done";

  constructor(engine: PGlite, serialize: typeof Protocol.serialize) {
    this.#engine = engine;
    this.#serialize = serialize;
  }

  /**
   * Timers don't fire while PostgreSQL runs in this thread. So an abort is checked before and after
   * each exchange, while the call can still end without an effect.
   */
  async exchange(exchange: Exchange): Promise<Reply> {
    await letOthersAct();
    this.#requireTime();
    const commits = exchange.after.includes(commit);
    if (commits) this.#outcome = "unknown";
    const reply = await this.#send(withSearchPath(exchange));
    if (commits) return reply;
    await letOthersAct();
    this.#requireTime();
    return reply;
  }

  #requireTime(): void {
    if (this.#stopped) throw new LostConnection("aborted", this.#outcome);
  }

  stop(): void {
    this.#stopped = true;
  }

  get outcome(): WriteOutcome {
    return this.#outcome;
  }

  async rollBack(): Promise<void> {
    if (this.#isOpen) await this.#send({ before: ["ROLLBACK"], after: [] });
  }

  async #send(exchange: Exchange): Promise<Reply> {
    const sent = this.#engine.execProtocol(this.#encode(exchange), { throwOnError: false });
    const { data, messages } = await sent.catch((error: unknown) => {
      throw errorOfDriver(error, this.#outcome);
    });
    const reply = new ReplyCollector(exchange);
    let failure: unknown;
    for (const message of messages) {
      // PGlite's messages are those of pg, distinguished by `name`.
      const received = message as BackendMessage;
      if (received.name === "rowDescription") reply.describe(withNames(received.fields, data));
      else if (received.name === "commandComplete") reply.complete(received.text);
      else if (received.name === "portalSuspended" || received.name === "emptyQuery")
        reply.complete("");
      else if (received.name === "error") failure = errorOfDriver(received, this.#outcome);
      else if (received.name === "readyForQuery") this.#isOpen = received.status !== "I";
    }
    if (failure !== undefined) throw failure;
    for (const row of dataRowsIn(data, exchange.before.length)) reply.rows.push(row);
    return reply;
  }

  #encode(exchange: Exchange): Uint8Array {
    const { parse, bind, describe, execute, sync } = this.#serialize;
    const parts: Uint8Array[] = [];
    writeExchange(exchange, {
      parse: (statement) => parts.push(parse(statement)),
      bind: (portal) => parts.push(bind(portal)),
      describe: (what) => parts.push(describe(what)),
      execute: (portal) => parts.push(execute(portal)),
      sync: () => parts.push(sync()),
    });
    return Buffer.concat(parts);
  }
}

/** Sets the search path for the transaction only, because the application uses the session too. */
function withSearchPath(exchange: Exchange): Exchange {
  const { before, statement } = exchange;
  if (statement === undefined) return exchange;
  const set = `SET LOCAL ${searchPathSetting(statement.searchPath)}`;
  return { ...exchange, before: [...before, set] };
}

function withNames(fields: readonly FieldMessage[], data: Uint8Array): readonly FieldMessage[] {
  const names = columnNamesIn(data);
  return fields.map((field, at) => ({ ...field, name: names?.[at] ?? field.name }));
}

type BackendMessage =
  | { readonly name: "rowDescription"; readonly fields: readonly FieldMessage[] }
  | { readonly name: "commandComplete"; readonly text: string }
  | { readonly name: "readyForQuery"; readonly status: string }
  | { readonly name: "portalSuspended" | "emptyQuery" | "error" };

const dataRow = "D".charCodeAt(0);
/** Messages that end a command: CommandComplete, PortalSuspended, EmptyQueryResponse. */
const completed: ReadonlySet<number> = new Set(["C", "s", "I"].map((each) => each.charCodeAt(0)));
const rowDescription = "T".charCodeAt(0);

/**
 * Reads the rows of the author's statement from the messages of a response. PGlite's own reader
 * drops U+FEFF at the start of a text as a byte order mark.
 *
 * @param answer messages of PostgreSQL's protocol: a letter, the length (including these four
 * bytes), and the content
 * @param ahead number of commands before the statement
 */
function* dataRowsIn(answer: Uint8Array, ahead: number): Iterable<readonly (string | null)[]> {
  const bytes = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength);
  let left = ahead;
  for (let at = 0; at < bytes.length; at += 1 + bytes.readUInt32BE(at + 1)) {
    const kind = bytes[at] ?? 0;
    if (completed.has(kind)) left -= 1;
    else if (kind === dataRow && left === 0) yield fieldsAt(bytes, at + 5);
  }
}

/**
 * Reads the names of the columns, which PGlite would change in the same way; undefined if no
 * message describes rows.
 */
function columnNamesIn(answer: Uint8Array): readonly string[] | undefined {
  const bytes = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength);
  for (let at = 0; at < bytes.length; at += 1 + bytes.readUInt32BE(at + 1)) {
    if (bytes[at] === rowDescription) return namesAt(bytes, at + 5);
  }
  return undefined;
}

/**
 * Format: the number of fields, then for each its zero-terminated name and 18 bytes about its table
 * and type.
 */
function namesAt(bytes: Buffer, start: number): readonly string[] {
  const names: string[] = [];
  const count = bytes.readUInt16BE(start);
  let at = start + 2;
  while (names.length < count) {
    const end = bytes.indexOf(0, at);
    names.push(bytes.toString("utf8", at, end));
    at = end + 1 + 18;
  }
  return names;
}

/** Format: the number of fields, then for each its length (-1 for NULL) and its text. */
function fieldsAt(bytes: Buffer, start: number): readonly (string | null)[] {
  const fields: (string | null)[] = [];
  const count = bytes.readUInt16BE(start);
  let at = start + 2;
  while (fields.length < count) {
    const length = bytes.readInt32BE(at);
    at += 4;
    fields.push(length < 0 ? null : bytes.toString("utf8", at, at + length));
    at += Math.max(length, 0);
  }
  return fields;
}

/** Name of the lock file, beside PostgreSQL's own files. */
const lockName = "skillc.lock";

/**
 * Makes the folder of an embedded database if it doesn't exist.
 *
 * @returns its real path, with all links resolved
 * @throws LostConnection
 */
export async function realFolder(path: string): Promise<string> {
  try {
    makeFolder(path);
    return await realpath(path);
  } catch (error) {
    throw errorOfDriver(error, "not-done");
  }
}

/**
 * Locks the folder against other processes. PostgreSQL's own lock doesn't work in PGlite, and two
 * engines would overwrite each other's commits.
 *
 * @returns a function that releases the lock
 * @throws LostConnection if another process has the lock
 */
function lockFolder(folder: string): () => void {
  const path = join(folder, lockName);
  const attempt = takeLock(path);
  if (attempt.kind === "taken") throw new LostConnection(whyTaken(attempt.holder), "not-done");
  return attempt.release;
}

function whyTaken(holder: { readonly pid: number; readonly isHere: boolean } | undefined): string {
  const by =
    holder === undefined ? "" : ` (${holder.pid}${holder.isHere ? "" : ", on another machine"})`;
  const stale =
    holder?.isHere === true ? "" : `; if there is none, delete \`${lockName}\` in the folder`;
  return (
    `the folder is open in another process${by}, and only one process at a time can use it: end that process, use another folder, ` +
    `or use a server${stale}`
  );
}
