import { join } from "node:path";
import type { CommandContext } from "../command-context.js";
import { createProgressLine } from "../console/progress.js";
import { buildFingerprint } from "../cache/build-fingerprint.js";
import { type FileCache, openFileCache } from "../cache/file-cache.js";
import { printDiagnostics, printDiagnosticsJson } from "../diagnostics/print-diagnostics.js";
import { findProjectRoot } from "../../compiler/read/find-root.js";
import { CommandFailure, type ExitCode, exitCode } from "../exit.js";
import { withLock } from "../output/lock.js";
import { isUpToDate, type OutputComparison } from "../../compiler/verify/compare-output.js";
import { WriteFailure, writeOutput } from "../output/write-output.js";
import { type CompiledProject, compileProject, soundOutput } from "../project/compile-project.js";
import { type OpenProject, openProject } from "../project/open-project.js";
import { driftFindings, protectedFindings } from "./output-findings.js";
import { printDrift, printSummary, printTimings } from "./print-generated.js";

export interface GenerateOptions {
  readonly check?: true;
  readonly watch?: true;
  readonly force?: true;
  readonly timings?: true;
  readonly json?: true;
}

/** Milliseconds to wait for another `generate` on the same project. */
const lockPatience = 60_000;

/** Compiles the project and brings the output folder up to date, or says what keeps it from that. */
export async function generate(
  context: CommandContext,
  options: GenerateOptions,
): Promise<ExitCode> {
  if (options.watch === true) {
    const { watch } = await import("./watch.js");
    return watch(context, options);
  }
  const session = createSession();
  return options.check === true
    ? checkOutput(context, await openProject(context.directory), session, options)
    : generateOnce(context, session, options);
}

/** What one run leaves for the next of the same process. */
export interface GenerateSession {
  cacheFor(open: OpenProject): FileCache;
}

export function createSession(): GenerateSession {
  let kept: { readonly key: string; readonly cache: FileCache } | undefined;
  return {
    cacheFor({ root, kinds }) {
      const key = `${buildFingerprint()} ${kinds?.fingerprint ?? ""}`;
      if (kept?.key !== key)
        kept = { key, cache: openFileCache(join(root, ".skillc", "cache"), key) };
      return kept.cache;
    },
  };
}

/** One run under the project's lock. Nothing is read before it is had: the wait for it may be long enough for edits. */
export async function generateOnce(
  context: CommandContext,
  session: GenerateSession,
  options: GenerateOptions,
): Promise<ExitCode> {
  const root = await findProjectRoot(context.directory);
  const lock = join(root, ".skillc", "generate.lock");
  const onWait = (holder: number): void =>
    void context.io.stderr.write(`waiting for another skillc generate (process ${holder})\n`);
  return withLock(lock, { patience: lockPatience, onWait }, async () =>
    updateOutput(context, await openProject(root), session, options),
  );
}

async function updateOutput(
  context: CommandContext,
  open: OpenProject,
  session: GenerateSession,
  options: GenerateOptions,
): Promise<ExitCode> {
  const cache = session.cacheFor(open);
  const compiled = await compileWatched(context, open, cache);
  const refused = options.force === true ? [] : protectedFindings(compiled, open.config.out);
  const findings = [...compiled.diagnostics, ...refused];
  report(context, { ...compiled, diagnostics: findings }, options);
  const output = soundOutput({ ...compiled, diagnostics: findings });
  if (output === undefined) return exitCode.inputErrors;
  write(open, output, compiled.previous);
  cache.prune();
  if (options.json !== true) {
    printSummary(context, open, compiled, output, performance.now() - context.startedAt);
    if (options.timings === true) printTimings(context, compiled);
  }
  return exitCode.fine;
}

/** `--check`: the same, but for writing. Not even the cache is written to. */
async function checkOutput(
  context: CommandContext,
  open: OpenProject,
  session: GenerateSession,
  options: GenerateOptions,
): Promise<ExitCode> {
  const { get } = session.cacheFor(open);
  const compiled = await compileWatched(context, open, { get, set() {} });
  const output = soundOutput(compiled);
  const refused = protectedFindings(compiled, open.config.out);
  const drift =
    output === undefined || options.json !== true ? [] : driftFindings(output, open.config.out);
  const findings = [...compiled.diagnostics, ...refused, ...drift];
  report(context, { ...compiled, diagnostics: findings }, options);
  if (output === undefined) return exitCode.inputErrors;
  if (options.json !== true) printDrift(context, open, compiled, output);
  return isUpToDate(output) ? exitCode.fine : exitCode.inputErrors;
}

async function compileWatched(
  context: CommandContext,
  open: OpenProject,
  cache: Pick<FileCache, "get" | "set">,
): Promise<CompiledProject> {
  const line = createProgressLine(context.io);
  try {
    return await compileProject(open, {
      cache,
      progress: ({ doing, done, of }) => line.show({ stage: doing, done, total: of }),
    });
  } finally {
    line.clear();
  }
}

function report(
  context: CommandContext,
  { diagnostics, sources }: CompiledProject,
  options: GenerateOptions,
): void {
  if (options.json === true) printDiagnosticsJson(context, diagnostics, sources);
  else printDiagnostics(context, diagnostics, sources, "brief");
}

function write(
  open: OpenProject,
  output: OutputComparison,
  previous: ReadonlyMap<string, string>,
): void {
  try {
    if (!isUpToDate(output)) writeOutput(open.outFolder, output, previous);
  } catch (error) {
    if (!(error instanceof WriteFailure)) throw error;
    const path = error.path.replace(`${open.root}/`, "");
    throw CommandFailure.input(
      `\`${path}\` can't be written: ${error.message.replaceAll(`${open.root}/`, "")}`,
      `\`${open.config.out}/\` is as it was`,
    );
  }
}
