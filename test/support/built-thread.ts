/**
 * Starts threads from `dist`, as users do: a TypeScript loader would make each of the many starts
 * of the embedded PostgreSQL a third slower. After a change to modules that `pglite-worker.ts` or
 * `compile-worker.ts` imports, build first; `npm test` does.
 *
 * V8 shares the compiled WebAssembly of PostgreSQL between threads while one of them holds it. A
 * process starts dozens of threads, often one at a time. It holds the module until it ends, which
 * saves a third of each start.
 */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { vi } from "vitest";

declare global {
  /** Global, because test files share the modules that use the function. */
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

/** The types of Node.js lack `WebAssembly`. */
const { Module } = (
  globalThis as unknown as { WebAssembly: { Module: new (bytes: Uint8Array) => object } }
).WebAssembly;

function wasmPath(): string {
  const main = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  return join(dirname(main), "pglite.wasm");
}
