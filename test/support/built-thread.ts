/**
 * Threads run what the build made, as they do at a user's: a loader of TypeScript would add a third to each of the many starts of the embedded PostgreSQL. After a
 * change of what `pglite-worker.ts` or `compile-worker.ts` imports, build first; `npm test` does.
 *
 * V8 compiles PostgreSQL's WebAssembly once for all threads, as long as one of them has it. Here a process starts dozens, often one at a time, so it is held
 * until the process ends: that is a third of what a start takes.
 */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { vi } from "vitest";

declare global {
  /** One for the whole process: test files share the modules that use it. */
  var startThreadOfTests: typeof startThread | undefined;
  var wasmOfTests: object | undefined;
}

vi.mock("../../src/bindings/sql/database/start-thread.js", () => {
  globalThis.startThreadOfTests ??= vi.fn(startThread);
  return { startThread: globalThis.startThreadOfTests };
});

vi.mock("../../src/compiler/start-compile-thread.js", () => ({
  startThread: () => builtThread("compiler/compile-worker.js"),
}));

function startThread(): Worker {
  globalThis.wasmOfTests ??= new Module(readFileSync(wasmPath()));
  return builtThread("bindings/sql/database/pglite-worker.js");
}

function builtThread(path: string): Worker {
  const built = new URL(`../../dist/${path}`, import.meta.url);
  if (!existsSync(built)) throw new Error("run `npm run build` first");
  return new Worker(built);
}

/** Node.js has it, and its types do not. */
const { Module } = (
  globalThis as unknown as { WebAssembly: { Module: new (bytes: Uint8Array) => object } }
).WebAssembly;

function wasmPath(): string {
  const main = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  return join(dirname(main), "pglite.wasm");
}
