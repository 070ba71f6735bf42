import { isUpToDate } from "../../compiler/verify/compare-output.js";
import { enginesOnly } from "../cache/file-cache.js";
import type { CommandContext } from "../command-context.js";
import { type ExitCode, exitCode } from "../exit.js";
import { hasErrors } from "../diagnostics/print-diagnostics.js";
import { type CompiledProject, soundOutput } from "../project/compile-project.js";
import type { CheckedLock } from "../tool-lock/lock-diagnostics.js";
import { compileWithProgress, createRunClock } from "./compile-with-progress.js";
import type { GenerateOptions } from "./generate-options.js";
import { createSession, generateOnce, type GenerateSession } from "./generate-once.js";
import {
  driftDiagnostics,
  obstacleDiagnostics,
  protectedDiagnostics,
} from "./output-diagnostics.js";
import { printDrift, printTimings } from "./print-generated.js";
import { reportBriefly } from "./report-briefly.js";

/** Compiles the project and updates the output folder, or reports the obstacle. */
export async function generate(
  context: CommandContext,
  options: GenerateOptions,
): Promise<ExitCode> {
  if (options.watch === true) {
    const { watch } = await import("./watch.js");
    return watch(context, options);
  }
  const session = createSession(context.io);
  return options.check === true
    ? checkOutput(context, session, options)
    : generateOnce(context, session, options);
}

/**
 * Runs `--check`: compares the output without writing. It neither writes the cache nor reads
 * modules from it, so this run compiles everything.
 */
async function checkOutput(
  context: CommandContext,
  session: GenerateSession,
  options: GenerateOptions,
): Promise<ExitCode> {
  const clock = createRunClock(context.startedAt);
  const { openProject } = await import("../project/open-project.js");
  const open = await clock.time("read", () => openProject(context.directory));
  const cache = enginesOnly(session.cacheFor(open));
  const compiled = await compileWithProgress(context, open, { cache, stopwatch: clock });
  const output = soundOutput(compiled);
  const refused = [
    ...protectedDiagnostics(compiled, open.config.out),
    ...obstacleDiagnostics(compiled, open),
  ];
  const drift =
    output === undefined || options.json !== true ? [] : driftDiagnostics(output, open.config.out);
  const lowered = compiled.compilation?.lowered ?? [];
  const { checkLock } = await import("../tool-lock/lock-diagnostics.js");
  const lock = output === undefined ? { diagnostics: [] } : checkLock(open.root, lowered);
  const diagnostics = [...compiled.diagnostics, ...refused, ...drift, ...lock.diagnostics];
  const timings = options.timings === true ? clock.timings() : undefined;
  reportBriefly(context, withLock({ ...compiled, diagnostics }, lock), { ...options, timings });
  if (options.json !== true) {
    if (output !== undefined) printDrift(context, open, compiled, output);
    printTimings(context, timings);
  }
  const isRight = output !== undefined && isUpToDate(output) && !hasErrors(lock.diagnostics);
  return isRight ? exitCode.fine : exitCode.inputErrors;
}

function withLock(compiled: CompiledProject, { file }: CheckedLock): CompiledProject {
  if (file === undefined) return compiled;
  return { ...compiled, sources: new Map([...compiled.sources, [file.path, file]]) };
}
