import { buildFingerprint } from "../cache/build-fingerprint.js";
import { type FileCache, openFileCache } from "../cache/file-cache.js";
import { openUserKey } from "../cache/user-key.js";
import type { CommandContext } from "../command-context.js";
import { type ExitCode, exitCode } from "../exit.js";
import type { Io } from "../io.js";
import { cachedOutcome, type Outcome } from "../../compiler/cached-outcome.js";
import type { Stopwatch } from "../../compiler/stopwatch.js";
import { type CompiledProject, soundOutput, unchangedProject } from "../project/compile-project.js";
import { missingPackages } from "../project/installed-packages.js";
import { cacheSettings } from "../project/cached-settings.js";
import type { OpenProject } from "../project/open-project.js";
import { seeProject } from "../project/seen-project.js";
import { outcomeWithProgress, createRunClock } from "./compile-with-progress.js";
import type { GenerateOptions } from "./generate-options.js";
import {
  cacheDiagnostics,
  obstacleDiagnostics,
  protectedDiagnostics,
} from "./output-diagnostics.js";
import { printMissingPackages, printSummary, printTimings } from "./print-generated.js";
import { withProjectLock, writeProject } from "./write-project.js";
import { reportBriefly } from "./report-briefly.js";

/** State that one run leaves for the next in the same process. */
export interface GenerateSession {
  /**
   * @param kinds absent if unknown; only results that don't depend on custom kinds are then cached
   */
  cacheFor(open: Pick<OpenProject, "root" | "kinds">): FileCache;
}

export function createSession({ env }: Pick<Io, "env">): GenerateSession {
  const caches = new Map<string, FileCache>();
  return {
    cacheFor({ root, kinds }) {
      const salt = `${buildFingerprint()} ${kinds?.fingerprint ?? ""}`;
      const folder = { root, path: ".skillc/cache" };
      const cache = caches.get(salt) ?? openFileCache(folder, salt, openUserKey(root, env));
      caches.set(salt, cache);
      return cache;
    },
  };
}

/**
 * Runs once under the project's lock. It takes the lock before reading, because files may change
 * during the wait.
 */
export async function generateOnce(
  context: CommandContext,
  session: GenerateSession,
  options: GenerateOptions,
): Promise<ExitCode> {
  return withProjectLock(context, (root) => updateOutput(context, root, session, options));
}

async function updateOutput(
  context: CommandContext,
  root: string,
  session: GenerateSession,
  options: GenerateOptions,
): Promise<ExitCode> {
  const clock = createRunClock(context.startedAt);
  const { cache, compiled, out } = await compileOnce(context, root, session, clock);
  const place = { root, config: { out } };
  const refused = options.force === true ? [] : protectedDiagnostics(compiled, out);
  const diagnostics = [
    ...compiled.diagnostics,
    ...refused,
    ...obstacleDiagnostics(compiled, place),
    ...cacheDiagnostics(cache),
  ];
  const output = soundOutput({ ...compiled, diagnostics });
  const missing = output && missingPackages(place, compiled);
  try {
    if (output !== undefined)
      clock.time("write", () => {
        writeProject(place, output, compiled.previous);
        // A run from the cached outcome hasn't read the entries that it needs.
        if (compiled.compilation?.isKept !== true) cache.prune();
      });
  } finally {
    const timings = options.timings === true ? clock.timings() : undefined;
    reportBriefly(context, { ...compiled, diagnostics }, { ...options, timings, missing });
  }
  if (options.json !== true) {
    if (output !== undefined) printSummary(context, place, compiled, output, clock.timings().total);
    if (missing !== undefined) printMissingPackages(context, missing);
    if (options.timings === true) printTimings(context, clock.timings());
  }
  return output === undefined ? exitCode.inputErrors : exitCode.fine;
}

interface CompiledOnce {
  readonly compiled: CompiledProject<Outcome>;
  readonly cache: FileCache;
  /** The output folder, relative to the project's. */
  readonly out: string;
}

/**
 * Compiles the project, unless it is unchanged since an earlier run. Checks that before it loads
 * the parser or a binding kind.
 */
async function compileOnce(
  context: CommandContext,
  root: string,
  session: GenerateSession,
  clock: Stopwatch,
): Promise<CompiledOnce> {
  const cache = session.cacheFor({ root });
  const seen = await seeProject(root, cache, clock);
  const kept = seen && clock.time("cache", () => cachedOutcome(seen));
  if (seen !== undefined && kept !== undefined)
    return { compiled: unchangedProject(seen, kept), cache, out: seen.config.out };
  const open = await clock.time("read", async () => {
    const { openProject } = await import("../project/open-project.js");
    return openProject(root, seen);
  });
  const own = open.kinds?.fingerprint === "" ? cache : session.cacheFor(open);
  const options = { cache: own, stopwatch: clock, ...(seen && { seen }) };
  const compiled = await outcomeWithProgress(context, open, options);
  cacheSettings(open, own);
  return { compiled, cache: own, out: open.config.out };
}
