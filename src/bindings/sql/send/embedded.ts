import type { PGlite, PGliteOptions, protocol as Protocol } from "@electric-sql/pglite";
import { type Attempt, ifMissing } from "../../../runtime/sink.js";
import { EmbeddedSession } from "./embedded-session.js";
import { extensionsFor } from "./extensions.js";
import { faultOf, LostConnection } from "./faults.js";
import { lockFolder } from "./folder.js";
import type { Database, Session } from "./session.js";
import { sessionSettings } from "./settings.js";

/** In place of a path: a database in memory, gone when it is closed. */
export const inMemory = ":memory:";

/** An embedded PostgreSQL. It runs in this process: calls take turns, and one that runs can't be stopped. */
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
   * @param folder one that is there, or `:memory:`
   * @throws LostConnection when it is no database, or another process has it
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
      throw error instanceof LostConnection ? error : faultOf(error, "not-done");
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
    // After the calls that wait their turn.
    await this.engine.runExclusive(() => Promise.resolve());
    await this.engine.close().finally(this.#unlock);
  }
}

async function optionsFor(folder: string, startParams: readonly string[]): Promise<PGliteOptions> {
  const dataDir = folder === inMemory ? undefined : folder;
  return {
    ...(dataDir === undefined ? {} : { dataDir }),
    extensions: await extensionsFor(dataDir),
    // After a process that closed nothing, PostgreSQL would wake up every ten seconds to tell how it recovers, and keep this one alive for that.
    startParams: [...startParams, "-c", "log_startup_progress_interval=0"],
  };
}
