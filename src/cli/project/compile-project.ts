import type { Compilation, CompileInput, Progress } from "../../compiler/compilation.js";
import { compileUnlessCached, type Outcome } from "../../compiler/cached-outcome.js";
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
import type { OpenProject } from "./open-project.js";
import type { SeenProject } from "./seen-project.js";
import { readToolSettings } from "./tool-settings.js";

export interface CompileOptions {
  readonly cache?: UsedCache;
  readonly progress?: (event: Progress) => void;
  /** Measures the stages; a new stopwatch by default. */
  readonly stopwatch?: Stopwatch;
  /** Parts of the project that were read already, with the same cache. */
  readonly seen?: SeenProject;
}

/** A project, compiled as far as possible. */
export interface CompiledProject<Result extends SharedCompilation = Compilation> {
  /** Diagnostics of skillc.yaml, custom kinds and skills, in source order. */
  readonly diagnostics: readonly Diagnostic[];
  /** Accepted diagnostics, in source order. */
  readonly accepted: readonly AcceptedDiagnostic[];
  /** Absent if a kind is missing, because each of its tools would have an unknown type. */
  readonly compilation?: Result;
  /** Current files of the output folder, by path below it. */
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

/** Loads the compiler on demand, because a run without changes doesn't need it. */
async function compile(input: CompileInput): Promise<Compilation> {
  const { compile: work } = await import("../../compiler/compile.js");
  return work(input);
}

/**
 * Compiles like `compileProject`, but returns only the outcome. An unchanged project is not
 * compiled again.
 */
export function compileOutcome(
  open: OpenProject,
  options: CompileOptions = {},
): Promise<CompiledProject<Outcome>> {
  return compileBy((input) => compileUnlessCached(compile, input), open, options);
}

/** Returns the outcome of an unchanged project, which was read without a problem. */
export function unchangedProject(seen: SeenProject, outcome: Outcome): CompiledProject<Outcome> {
  const { accepted, diagnostics } = outcome;
  const sources = sourcesOf(seen, seen.previous);
  return { diagnostics, accepted, compilation: outcome, previous: seen.previous, sources };
}

/** Compiles only the modules that skills share. `generate` produces the same files. */
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
  { seen, stopwatch = createStopwatch(() => performance.now()), ...options }: CompileOptions,
): Promise<CompiledProject<Result>> {
  const { root, project, config, kinds, outFolder } = open;
  const previous = seen?.previous ?? stopwatch.time("output", () => readOutput(root, config.out));
  const sources = sourcesOf(open, previous);
  if (kinds === undefined)
    return { diagnostics: open.diagnostics, accepted: [], previous, sources };
  const compilation = await work({
    project,
    config,
    kinds: kinds.registry,
    ...(seen === undefined
      ? await stopwatch.time("settings", () => readToolSettings(root, outFolder, options.cache))
      : { style: seen.style, typeCheck: seen.typeCheck }),
    previous,
    stopwatch,
    setting: settingsOf(root),
    ...options,
  });
  const diagnostics = inSourceOrder([...open.diagnostics, ...compilation.diagnostics]);
  return { diagnostics, accepted: compilation.accepted, compilation, previous, sources };
}

/** Reads settings like a call of a tool does. */
export function settingsOf(root: string): (name: string) => Promise<string | undefined> {
  const credentials = createCredentials({ given: {}, env: process.env, directory: root });
  return async (name) => {
    const found = await credentials.find(name);
    return found && Secret.reveal(found);
  };
}

/** Collects the texts of all files that a diagnostic can point into. */
export function sourcesOf(
  { project, config }: Pick<OpenProject, "project"> & { readonly config: { readonly out: string } },
  previous: ReadonlyMap<string, string>,
): Sources {
  const sources = new Map<string, SourceFile>(project.files);
  if (project.configFile !== undefined) sources.set(project.configFile.path, project.configFile);
  for (const [path, text] of previous)
    sources.set(`${config.out}/${path}`, { path: `${config.out}/${path}`, text });
  return sources;
}

/** Returns the files to write; undefined if there are errors. */
export function soundOutput({
  diagnostics,
  compilation,
}: CompiledProject<SharedCompilation>): OutputComparison | undefined {
  return hasErrors(diagnostics) ? undefined : compilation?.comparison;
}
