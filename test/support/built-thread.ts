/**
 * The thread of the embedded PostgreSQL runs what the build made, as it does at a user's: a loader of TypeScript would add a third to each of its many starts.
 * After a change of what `pglite-worker.ts` imports, build first; `npm test` does.
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

function startThread(): Worker {
  const built = new URL("../../dist/bindings/sql/database/pglite-worker.js", import.meta.url);
  if (!existsSync(built)) throw new Error("run `npm run build` first");
  return new Worker(built);
}
