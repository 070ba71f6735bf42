import { setImmediate as turn } from "node:timers/promises";
import type { PGlite, protocol as Protocol } from "@electric-sql/pglite";
import type { WriteOutcome } from "../../../runtime/sink.js";
import { columnNamesIn, dataRowsIn } from "./data-rows.js";
import { faultOf, LostConnection } from "./faults.js";
import { commit, type Exchange, type Reply, type Session } from "./session.js";
import { searchPathSetting } from "./settings.js";
import { type FieldMessage, ReplyCollector, writeExchange } from "./wire.js";

/** Lets go of the event loop for a whole round: the timers and signals whose time has come act. */
async function letOthersAct(): Promise<void> {
  await turn();
  await turn();
}

/** The embedded PostgreSQL while one call has it. */
export class EmbeddedSession implements Session {
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

  /** Nothing acts while PostgreSQL runs, or from one call to the next: so what is over is looked for where a call can still end as if it had been stopped. */
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
      throw faultOf(error, this.#outcome);
    });
    const reply = new ReplyCollector(exchange);
    let fault: unknown;
    for (const message of messages) {
      // PGlite's messages are pg's: told apart by name.
      const told = message as BackendMessage;
      if (told.name === "rowDescription") reply.describe(named(told.fields, data));
      else if (told.name === "commandComplete") reply.complete(told.text);
      else if (told.name === "portalSuspended" || told.name === "emptyQuery") reply.complete("");
      else if (told.name === "error") fault = faultOf(told, this.#outcome);
      else if (told.name === "readyForQuery") this.#isOpen = told.status !== "I";
    }
    if (fault !== undefined) throw fault;
    for (const row of dataRowsIn(data)) reply.rows.push(row);
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

/** For the transaction alone: the session is the application's too. */
function withSearchPath(exchange: Exchange): Exchange {
  const { before, statement } = exchange;
  if (statement === undefined) return exchange;
  const set = `SET LOCAL ${searchPathSetting(statement.searchPath)}`;
  return { ...exchange, before: [...before, set] };
}

function named(fields: readonly FieldMessage[], data: Uint8Array): readonly FieldMessage[] {
  const names = columnNamesIn(data);
  return fields.map((field, at) => ({ ...field, name: names?.[at] ?? field.name }));
}

type BackendMessage =
  | { readonly name: "rowDescription"; readonly fields: readonly FieldMessage[] }
  | { readonly name: "commandComplete"; readonly text: string }
  | { readonly name: "readyForQuery"; readonly status: string }
  | { readonly name: "portalSuspended" | "emptyQuery" | "error" };
