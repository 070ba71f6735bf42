/**
 * Records the functions that a test file runs (`npm run test:record`). Test files of a process
 * usually share modules, and modules cache results. So each file loads its own modules during a
 * record.
 */
import { mkdirSync, rmSync } from "node:fs";
import { Session } from "node:inspector";
import { join, relative } from "node:path";
import { afterAll, beforeAll, expect, type RunnerTask, vi } from "vitest";
import {
  addProcesses,
  addReach,
  type Coverage,
  type Ran,
  recordFolder,
  repository,
} from "./reach-record.js";

declare global {
  var reachSession: Session | undefined;
}

const test = relative(repository, expect.getState().testPath ?? "");
const folder = join(recordFolder, test);

vi.resetModules();
globalThis.buildOfTests = undefined;
globalThis.formatOfTests = undefined;
globalThis.soundOfTests = undefined;

// Threads and processes that start after this line write their coverage when they end.
mkdirSync(folder, { recursive: true });
process.env["NODE_V8_COVERAGE"] = folder;

const session = (globalThis.reachSession ??= connected());
session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

// Setup files and test files are loaded at this point.
beforeAll(() => take("atLoad"));

// oxlint-disable-next-line no-empty-pattern -- Vitest demands a pattern.
afterAll(({}, file) => {
  take("inTests");
  // V8 keeps the functions of all test files while it counts.
  session.post("Profiler.stopPreciseCoverage");
  addProcesses(test);
  // A failed test may have stopped early. Without a record, imports choose it.
  if (file.tasks.some(hasFailed)) rmSync(folder, { recursive: true });
});

/** Saves the functions of a phase, and makes V8 count from zero. */
function take(phase: keyof Ran): void {
  session.post("Profiler.takePreciseCoverage", (_, coverage) =>
    addReach(test, phase, coverage as Coverage),
  );
}

function connected(): Session {
  const made = new Session();
  made.connect();
  made.post("Profiler.enable");
  return made;
}

function hasFailed(task: RunnerTask): boolean {
  return task.result?.state === "fail" || (task.type === "suite" && task.tasks.some(hasFailed));
}
