import { Worker } from "node:worker_threads";

/**
 * Starts the thread that the embedded PostgreSQL runs in. It ends with the process, or when it is
 * terminated.
 */
export function startThread(): Worker {
  return new Worker(new URL("./pglite-worker.js", import.meta.url), { name: "PostgreSQL" });
}
