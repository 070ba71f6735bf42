import type { Compilation, CompileInput, Progress } from "../../compiler/compile.js";
import { compileUnlessKept, type Outcome } from "../../compiler/kept-outcome.js";
import type { SharedCompilation } from "../../compiler/compile-shared.js";
import { createStopwatch, type Stopwatch } from "../../compiler/stopwatch.js";
import type { OutputComparison } from "../../compiler/verify/compare-output.js";
import type { AcceptedDiagnostic, Diagnostic } from "../../core/diagnostic.js";
import { inSourceOrder } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import { createCredentials, Secret } from "@skillc/runtime/internal";
import type { UsedCache } from "../cache/file-cache.js";
import { hasErrors } from "../diagnostics/print-diagnostics.js";
import type { Sources } from "../diagnostics/positions.js";
import { readOutput } from "../output/read-output.js";
import { resolveStyle } from "../style/resolve-style.js";
import type { OpenProject } from "./open-project.js";
import { readTypeCheckSettings } from "./type-check-settings.js";

export interface CompileOptions {
  readonly cache?: UsedCache;
  readonly progress?: (event: Progress) => void;
  /** One of its own when not given. */
  readonly stopwatch?: Stopwatch;
}

/** A project, compiled as far as it goes. */
export interface CompiledProject<Result extends SharedCompilation = Compilation> {
  /** Of skillc.yaml, custom kinds and skills, in source order. */
  readonly diagnostics: readonly Diagnostic[];
  /** What authors accept, in source order. */
  readonly accepted: readonly AcceptedDiagnostic[];
  /**
   * Absent when a kind is missing: each of its tools would be reported as being of an unknown type.
   */
  readonly compilation?: Result;
  /** What is in the output folder, by path below it. */
  readonly previous: ReadonlyMap<string, string>;
  /** Every file that a diagnostic can point into. */
  readonly sources: Sources;
}

export function compileProject(
  open: OpenProject,
  options: CompileOptions = {},
): Promise<CompiledProject> {
  return compileBy(compile, open, options);
}

/** Loaded where something is to be compiled: an unchanged run is over before it would be. */
async function compile(input: CompileInput): Promise<Compilation> {
  const { compile: work } = await import("../../compiler/compile.js");
  return work(input);
}

/** The same, where what was compiled isn't asked for: an unchanged project is not compiled again. */
export function compileOutcome(
  open: OpenProject,
  options: CompileOptions = {},
): Promise<CompiledProject<Outcome>> {
  return compileBy((input) => compileUnlessKept(compile, input), open, options);
}

/** The modules that skills share, alone; `generate` makes the same of them. */
export async function compileSharedModules(
  open: OpenProject,
  options: CompileOptions = {},
): Promise<CompiledProject<SharedCompilation>> {
  const { compileShared } = await import("../../compiler/compile-shared.js");
  return compileBy(compileShared, open, options);
}

async function compileBy<Result extends SharedCompilation>(
  work: (input: CompileInput) => Promise<Result>,
  open: OpenProject,
  { stopwatch = createStopwatch(() => performance.now()), ...options }: CompileOptions,
): Promise<CompiledProject<Result>> {
  const { root, project, config, kinds } = open;
  const previous = stopwatch.time("output", () => readOutput(root, config.out));
  const sources = sourcesOf(open, previous);
  if (kinds === undefined)
    return { diagnostics: open.diagnostics, accepted: [], previous, sources };
  const compilation = await work({
    project,
    config,
    kinds: kinds.registry,
    ...(await stopwatch.time("settings", () => readToolSettings(open, options.cache))),
    previous,
    stopwatch,
    setting: settingsOf(root),
    ...options,
  });
  const diagnostics = inSourceOrder([...open.diagnostics, ...compilation.diagnostics]);
  return { diagnostics, accepted: compilation.accepted, compilation, previous, sources };
}

/** Settings as a call of a tool would find them. */
export function settingsOf(root: string): (name: string) => Promise<string | undefined> {
  const credentials = createCredentials({ given: {}, env: process.env, directory: root });
  return async (name) => {
    const found = await credentials.find(name);
    return found && Secret.reveal(found);
  };
}

/** The settings of prettier and TypeScript that the output must fit. */
async function readToolSettings(
  { root, outFolder }: OpenProject,
  cache: CompileOptions["cache"] | undefined,
) {
  return {
    style: await resolveStyle(root, outFolder),
    typeCheck: await readTypeCheckSettings(root, outFolder, cache),
  };
}

/** Every text that a diagnostic can point into. */
export function sourcesOf(
  { project, config }: OpenProject,
  previous: ReadonlyMap<string, string>,
): Sources {
  const sources = new Map<string, SourceFile>(project.files);
  if (project.configFile !== undefined) sources.set(project.configFile.path, project.configFile);
  for (const [path, text] of previous)
    sources.set(`${config.out}/${path}`, { path: `${config.out}/${path}`, text });
  return sources;
}

/** What is to be written; undefined when errors forbid it. */
export function soundOutput({
  diagnostics,
  compilation,
}: CompiledProject<SharedCompilation>): OutputComparison | undefined {
  return hasErrors(diagnostics) ? undefined : compilation?.comparison;
}
