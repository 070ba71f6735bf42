/** A pool of pg's between a test and its server, which loses what the test wants lost. */
import pg from "pg";
import { onTestFinished } from "vitest";
import type {
  PostgresClient,
  PostgresPool,
} from "../../../../src/runtime/ledger/postgres/index.js";

/**
 * What becomes of a statement that appends:
 *
 * - `fine`: it is answered
 * - `lost`: it never arrives
 * - `unanswered`: it is committed, and its answer never arrives
 * - `late`: its sender hears that it is lost, and it is run when the next one has been answered
 */
export type Fate = "fine" | "lost" | "unanswered" | "late";

export interface FaultyPool extends PostgresPool {
  /** Statements that appended, as they were sent. */
  readonly appends: readonly string[];
  /** What becomes of the next ones; then they are fine. */
  readonly fates: Fate[];
  /** Whether nobody can connect. */
  isDown: boolean;
  /** Runs what is late. */
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

/** A server that answers what it is told to, by how its questions begin. */
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
