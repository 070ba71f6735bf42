/** The thread of the embedded PostgreSQL runs TypeScript, as the tests themselves do. */
import { Worker } from "node:worker_threads";
import { vi } from "vitest";
import { loaderArgs } from "./node-loader.js";

declare global {
  /** One for the whole process: test files share the modules that use it. */
  var startThreadOfTests: typeof startThread | undefined;
}

vi.mock("../../src/bindings/sql/database/start-thread.js", () => {
  globalThis.startThreadOfTests ??= vi.fn(startThread);
  return { startThread: globalThis.startThreadOfTests };
});

function startThread(): Worker {
  const source = new URL("../../src/bindings/sql/database/pglite-worker.ts", import.meta.url);
  return new Worker(source, { execArgv: loaderArgs });
}
