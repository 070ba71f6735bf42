import { buildFingerprint } from "../cache/build-fingerprint.js";
import { type FileCache, openFileCache } from "../cache/file-cache.js";
import { openUserKey } from "../cache/user-key.js";
import type { CommandContext } from "../command-context.js";
import { type ExitCode, exitCode } from "../exit.js";
import type { Io } from "../io.js";
import { soundOutput } from "../project/compile-project.js";
import { missingPackages } from "../project/installed-packages.js";
import { type OpenProject, openProject } from "../project/open-project.js";
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

/** What one run leaves for the next of the same process. */
export interface GenerateSession {
  cacheFor(open: OpenProject): FileCache;
}

export function createSession({ env }: Pick<Io, "env">): GenerateSession {
  let kept: { readonly salt: string; readonly cache: FileCache } | undefined;
  return {
    cacheFor({ root, kinds }) {
      const salt = `${buildFingerprint()} ${kinds?.fingerprint ?? ""}`;
      if (kept?.salt !== salt) {
        const folder = { root, path: ".skillc/cache" };
        kept = { salt, cache: openFileCache(folder, salt, openUserKey(root, env)) };
      }
      return kept.cache;
    },
  };
}

/**
 * One run under the project's lock. Nothing is read before it is had: the wait for it may be long
 * enough for edits.
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
  const open = await clock.time("read", () => openProject(root));
  const cache = session.cacheFor(open);
  const compiled = await outcomeWithProgress(context, open, { cache, stopwatch: clock });
  const refused = options.force === true ? [] : protectedDiagnostics(compiled, open.config.out);
  const diagnostics = [
    ...compiled.diagnostics,
    ...refused,
    ...obstacleDiagnostics(compiled, open),
    ...cacheDiagnostics(cache),
  ];
  const output = soundOutput({ ...compiled, diagnostics });
  const missing = output && missingPackages(open, compiled);
  try {
    if (output !== undefined)
      clock.time("write", () => {
        writeProject(open, output, compiled.previous);
        // A run that compiled nothing has asked for nothing that it needs.
        if (compiled.compilation?.isKept !== true) cache.prune();
      });
  } finally {
    const timings = options.timings === true ? clock.timings() : undefined;
    reportBriefly(context, { ...compiled, diagnostics }, { ...options, timings, missing });
  }
  if (options.json !== true) {
    if (output !== undefined) printSummary(context, open, compiled, output, clock.timings().total);
    if (missing !== undefined) printMissingPackages(context, missing);
    if (options.timings === true) printTimings(context, clock.timings());
  }
  return output === undefined ? exitCode.inputErrors : exitCode.fine;
}
