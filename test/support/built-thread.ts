/**
 * Threads run what the build made, as they do at a user's: a loader of TypeScript would add a third to each of the many starts of the embedded PostgreSQL. After a
 * change of what `pglite-worker.ts` or `print-worker.ts` imports, build first; `npm test` does.
 */
import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { vi } from "vitest";

declare global {
  /** One for the whole process: test files share the modules that use it. */
  var startThreadOfTests: typeof startThread | undefined;
}

vi.mock("../../src/bindings/sql/database/start-thread.js", () => {
  globalThis.startThreadOfTests ??= vi.fn(startThread);
  return { startThread: globalThis.startThreadOfTests };
});

vi.mock("../../src/compiler/start-thread.js", () => ({
  startThread: () => builtThread("compiler/print-worker.js"),
}));

function startThread(): Worker {
  return builtThread("bindings/sql/database/pglite-worker.js");
}

function builtThread(path: string): Worker {
  const built = new URL(`../../dist/${path}`, import.meta.url);
  if (!existsSync(built)) throw new Error("run `npm run build` first");
  return new Worker(built);
}
