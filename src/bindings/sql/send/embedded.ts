import { mkdir } from "node:fs/promises";
import type { PGlite, protocol as Protocol } from "@electric-sql/pglite";
import type { Attempt } from "../../../runtime/sink.js";
import { faultOf, LostConnection } from "./faults.js";
import type { Database, Exchange, Reply, Session } from "./session.js";
import { sessionSettings } from "./settings.js";
import { type FieldMessage, ReplyCollector, writeExchange } from "./wire.js";

/** In place of a path: a database in memory, gone when it is closed. */
export const inMemory = ":memory:";

/** An embedded PostgreSQL. It runs in this process: calls take turns, and one that runs can't be stopped. */
export class Embedded implements Database {
  readonly engine: PGlite;
  readonly #serialize: typeof Protocol.serialize;

  private constructor(engine: PGlite, serialize: typeof Protocol.serialize) {
    this.engine = engine;
    this.#serialize = serialize;
  }

  /** @param path a folder, made when it is not there, or `:memory:` */
  static async open(path: string): Promise<Embedded> {
    const { PGlite, protocol } = await import("@electric-sql/pglite");
    try {
      if (path !== inMemory) await mkdir(path, { recursive: true });
      const engine = await (path === inMemory ? PGlite.create() : PGlite.create(path));
      await engine.exec(sessionSettings.join("; "));
      return new Embedded(engine, protocol.serialize);
    } catch (error) {
      throw faultOf(error);
    }
  }

  run<Result>(attempt: Attempt, work: (session: Session) => Promise<Result>): Promise<Result> {
    return this.engine.runExclusive(async () => {
      const session = new EmbeddedSession(this.engine, this.#serialize);
      attempt.onAbort(() => session.stop());
      try {
        return await work(session);
      } finally {
        await session.rollBack();
      }
    });
  }

  async close(): Promise<void> {
    // After the calls that wait their turn.
    await this.engine.runExclusive(() => Promise.resolve());
    await this.engine.close();
  }
}

class EmbeddedSession implements Session {
  readonly #engine: PGlite;
  readonly #serialize: typeof Protocol.serialize;
  #stopped = false;
  #isOpen = false;

  constructor(engine: PGlite, serialize: typeof Protocol.serialize) {
    this.#engine = engine;
    this.#serialize = serialize;
  }

  exchange(exchange: Exchange): Promise<Reply> {
    if (this.#stopped) return Promise.reject(new LostConnection("aborted"));
    return this.#send(exchange);
  }

  stop(): void {
    this.#stopped = true;
  }

  async rollBack(): Promise<void> {
    if (this.#isOpen) await this.#send({ before: ["ROLLBACK"], after: [] });
  }

  async #send(exchange: Exchange): Promise<Reply> {
    const sent = this.#engine.execProtocol(this.#encode(exchange), { throwOnError: false });
    const { messages } = await sent.catch((error: unknown) => {
      throw faultOf(error);
    });
    const reply = new ReplyCollector(exchange);
    let fault: unknown;
    for (const message of messages) {
      // PGlite's messages are pg's: told apart by name.
      const told = message as BackendMessage;
      if (told.name === "rowDescription") reply.describe(told.fields);
      else if (told.name === "dataRow") reply.rows.push(told.fields);
      else if (told.name === "commandComplete") reply.complete(told.text);
      else if (told.name === "portalSuspended" || told.name === "emptyQuery") reply.complete("");
      else if (told.name === "error") fault = faultOf(told);
      else if (told.name === "readyForQuery") this.#isOpen = told.status !== "I";
    }
    if (fault !== undefined) throw fault;
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

type BackendMessage =
  | { readonly name: "rowDescription"; readonly fields: readonly FieldMessage[] }
  | { readonly name: "dataRow"; readonly fields: readonly (string | null)[] }
  | { readonly name: "commandComplete"; readonly text: string }
  | { readonly name: "readyForQuery"; readonly status: string }
  | { readonly name: "portalSuspended" | "emptyQuery" | "error" };
