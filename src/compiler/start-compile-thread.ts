import { Worker } from "node:worker_threads";

/** Starts the worker thread for compilation. It runs until it is terminated. */
export function startThread(): Worker {
  return new Worker(new URL("./compile-worker.js", import.meta.url), { name: "compile" });
}
