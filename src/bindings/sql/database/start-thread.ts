import { Worker } from "node:worker_threads";

/**
 * Starts the thread of the embedded PostgreSQL. The thread ends with the process, or by
 * termination.
 */
export function startThread(): Worker {
  return new Worker(new URL("./pglite-worker.js", import.meta.url), { name: "PostgreSQL" });
}
