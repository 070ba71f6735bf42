import { Worker } from "node:worker_threads";

/** Starts the thread that helps to compile. It ends when it is terminated. */
export function startThread(): Worker {
  return new Worker(new URL("./compile-worker.js", import.meta.url), { name: "compile" });
}
