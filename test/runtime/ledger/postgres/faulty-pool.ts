/** Wraps a pool of pg, and loses statements or answers as a test orders. */
import pg from "pg";
import { onTestFinished } from "vitest";
import type {
  PostgresClient,
  PostgresPool,
} from "../../../../src/runtime/ledger/postgres/index.js";

/**
 * Fate of a statement that appends:
 *
 * - `fine`: the pool runs and answers it.
 * - `lost`: the server never receives it.
 * - `unanswered`: the server commits it, but the answer is lost.
 * - `late`: the sender gets an error, and the server runs it after the next answer.
 */
export type Fate = "fine" | "lost" | "unanswered" | "late";

export interface FaultyPool extends PostgresPool {
  /** Statements that appended, as the caller sent them. */
  readonly appends: readonly string[];
  /** Fates of the next statements that append. All later ones are `fine`. */
  readonly fates: Fate[];
  /** True if nobody can connect. */
  isDown: boolean;
  /** Runs the late statements. */
  settle(): Promise<void>;
}

export function faultyPool(url: string): FaultyPool {
  const pool = new pg.Pool({ connectionString: url, max: 3 });
  pool.on("error", () => {});
  onTestFinished(() => pool.end());
  const late: (() => Promise<unknown>)[] = [];
  const appends: string[] = [];
  const settle = async () => {
    for (const run of late.splice(0)) await run();
  };
  const faulty: FaultyPool = {
    appends,
    fates: [],
    isDown: false,
    settle,
    async connect() {
      if (faulty.isDown) throw Object.assign(new Error("down"), { code: "ECONNREFUSED" });
      const client = await pool.connect();
      const query: PostgresClient["query"] = async (text, values) => {
        if (!text.startsWith("WITH head")) return client.query(text, values);
        appends.push(text);
        const fate = faulty.fates.shift() ?? "fine";
        if (fate === "late") late.push(() => pool.query(text, values));
        if (fate === "lost" || fate === "late") throw new Error("Connection terminated");
        const answer = await client.query(text, values);
        if (fate === "unanswered") throw new Error("Connection terminated");
        await settle();
        return answer;
      };
      return {
        query,
        release: (destroy) => client.release(destroy),
        on: (event, listener) => client.on(event, listener),
        off: (event, listener) => client.off(event, listener),
      };
    },
  };
  return faulty;
}

/** Makes a pool that answers each query by a text that it contains. */
export function scriptedPool(answers: Readonly<Record<string, unknown>>): PostgresPool {
  return {
    async connect() {
      return {
        async query(text: string) {
          const answer = Object.entries(answers).find(([start]) => text.includes(start))?.[1];
          if (answer instanceof Error) throw answer;
          return { rows: (answer ?? []) as readonly Readonly<Record<string, string>>[] };
        },
        release() {},
        on() {},
        off() {},
      };
    },
  };
}
