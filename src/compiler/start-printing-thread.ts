import { Worker } from "node:worker_threads";

/** Starts the thread that prints. It ends when it is terminated. */
export function startThread(): Worker {
  return new Worker(new URL("./print-worker.js", import.meta.url), { name: "printing" });
}
