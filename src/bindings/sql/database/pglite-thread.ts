import type { Worker } from "node:worker_threads";
import { type SqlError, type StatementTypes, TIMED_OUT } from "./engine.js";
import { startThread } from "./start-thread.js";

/**
 * A message to the thread of an embedded PostgreSQL. `start` comes first; each waits for the
 * previous answer.
 */
export type Question =
  | {
      readonly ask: "start";
      /** Names of extensions that the schema uses. */
      readonly extensions: readonly string[];
      /** Image to start from; undefined for an empty database. */
      readonly image: Uint8Array<ArrayBuffer> | undefined;
    }
  | { readonly ask: "execute" | "describe"; readonly sql: string }
  | { readonly ask: "rows"; readonly sql: string; readonly values: readonly string[] }
  | { readonly ask: "image" };

export type Answer<Value> = { readonly value: Value } | { readonly error: SqlError };

/** A row; every value as text or null. */
export type Row = Readonly<Record<string, string | null>>;

interface ThreadOptions extends Omit<Extract<Question, { ask: "start" }>, "ask"> {
  /** Time limit of each statement, in milliseconds of CPU time. */
  readonly statementTimeoutMs: number;
}

/**
 * An embedded PostgreSQL in its own thread, which answers one question at a time. A statement that
 * exceeds its CPU time, or crashes PostgreSQL, ends the thread. Every later answer is an error.
 */
export class PgliteThread {
  readonly #worker: Worker;
  readonly #statementTimeoutMs: number;
  #waiting: ((answer: Answer<unknown>) => void) | undefined;
  #ended: SqlError | undefined;

  private constructor(worker: Worker, statementTimeoutMs: number) {
    this.#worker = worker;
    this.#statementTimeoutMs = statementTimeoutMs;
    worker.on("message", (answer: Answer<unknown>) => this.#answer(answer));
    worker.on("error", (error) => this.#end(errorOfThread(error)));
    worker.on("exit", () => this.#end(noAnswer));
  }

  /** @throws if PostgreSQL doesn't start */
  static async start({ statementTimeoutMs, ...start }: ThreadOptions): Promise<PgliteThread> {
    const thread = new PgliteThread(startThread(), statementTimeoutMs);
    const answer = await thread.#ask({ ask: "start", ...start });
    if ("error" in answer)
      throw new Error(`the embedded PostgreSQL doesn't start: ${answer.error.message}`);
    return thread;
  }

  /** Runs any number of statements. */
  async execute(sql: string): Promise<SqlError | undefined> {
    const answer = await this.#askLimited<void>({ ask: "execute", sql });
    return "error" in answer ? answer.error : undefined;
  }

  describe(sql: string): Promise<Answer<StatementTypes>> {
    return this.#askLimited({ ask: "describe", sql });
  }

  rows(sql: string, values: readonly string[] = []): Promise<Answer<readonly Row[]>> {
    return this.#askLimited({ ask: "rows", sql, values });
  }

  /** Makes a compressed image of the database. */
  image(): Promise<Answer<Uint8Array<ArrayBuffer>>> {
    return this.#ask({ ask: "image" });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  async #askLimited<Value>(question: Question): Promise<Answer<Value>> {
    const limit = this.#statementTimeoutMs;
    const lift = limitCpu(limit, () => {
      this.#end(timedOut(limit));
      void this.close();
    });
    return this.#ask<Value>(question).finally(lift);
  }

  #ask<Value>(question: Question): Promise<Answer<Value>> {
    if (this.#ended !== undefined) return Promise.resolve({ error: this.#ended });
    return new Promise((resolve) => {
      // `Answer` carries no type for each question; `ask` of the thread returns the right one.
      this.#waiting = resolve as (answer: Answer<unknown>) => void;
      this.#worker.postMessage(question);
    });
  }

  #answer(answer: Answer<unknown>): void {
    this.#waiting?.(answer);
    this.#waiting = undefined;
  }

  #end(error: SqlError): void {
    this.#ended ??= error;
    this.#answer({ error: this.#ended });
  }
}

const noAnswer: SqlError = { code: "08006", message: "the embedded PostgreSQL has ended" };

function errorOfThread(error: Error & { readonly code?: unknown }): SqlError {
  const isMemory = error.code === "ERR_WORKER_OUT_OF_MEMORY";
  return { code: isMemory ? "53200" : noAnswer.code, message: error.message };
}

function timedOut(limitMs: number): SqlError {
  return {
    code: TIMED_OUT,
    message: `the statement did not end within ${limitMs / 1000} s of CPU time`,
    hint: "it may loop; if it only takes long, raise `statement_timeout_ms` of the database in skillc.yaml",
  };
}

/** Interval between two checks of the CPU time, in milliseconds. */
const interval = 200;

/**
 * Calls `onOver` once this process has spent the given CPU time, in milliseconds, from now on. The
 * limit is CPU time because a busy or suspended machine may take hours for a short statement. CPU
 * time of other threads counts too, but the main thread is waiting meanwhile.
 *
 * @returns a function that lifts the limit
 */
function limitCpu(limitMs: number, onOver: () => void): () => void {
  const since = process.cpuUsage();
  const timer = setInterval(() => {
    const { system, user } = process.cpuUsage(since);
    if ((system + user) / 1000 <= limitMs) return;
    clearInterval(timer);
    onOver();
  }, interval);
  return () => clearInterval(timer);
}
