import { join } from "node:path";
import { type Compilation, compile, type Progress } from "../../compiler/compile.js";
import type { OutputComparison } from "../../compiler/verify/compare-output.js";
import type { Diagnostic } from "../../core/diagnostic.js";
import { inSourceOrder } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import type { FileCache } from "../cache/file-cache.js";
import { hasErrors } from "../diagnostics/print-diagnostics.js";
import type { Sources } from "../diagnostics/render.js";
import { readOutput } from "../output/read-output.js";
import { resolveStyle } from "../style.js";
import type { OpenProject } from "./open-project.js";
import { readTypeCheckSettings } from "./type-check-settings.js";

export interface CompileOptions {
  readonly cache?: Pick<FileCache, "get" | "set">;
  readonly progress?: (event: Progress) => void;
}

/** A project, compiled as far as it goes. */
export interface CompiledProject {
  /** Of skillc.yaml, custom kinds and skills, in source order. */
  readonly diagnostics: readonly Diagnostic[];
  /** Absent when a kind is missing: each of its tools would be reported as being of an unknown type. */
  readonly compilation?: Compilation;
  /** What is in the output folder, by path below it. */
  readonly previous: ReadonlyMap<string, string>;
  /** Every file that a diagnostic can point into. */
  readonly sources: Sources;
}

export async function compileProject(
  open: OpenProject,
  options: CompileOptions = {},
): Promise<CompiledProject> {
  const { root, project, config, outFolder, kinds } = open;
  const previous = readOutput(outFolder);
  const sources = sourcesOf(open, previous);
  if (kinds === undefined) return { diagnostics: open.diagnostics, previous, sources };
  const compilation = await compile({
    project,
    config,
    kinds: kinds.registry,
    style: await resolveStyle(root, join(outFolder, "index.ts")),
    previous,
    typeCheck: readTypeCheckSettings(root, outFolder),
    now: () => performance.now(),
    ...options,
  });
  const diagnostics = inSourceOrder([...open.diagnostics, ...compilation.diagnostics]);
  return { diagnostics, compilation, previous, sources };
}

function sourcesOf(
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
}: CompiledProject): OutputComparison | undefined {
  return hasErrors(diagnostics) ? undefined : compilation?.comparison;
}
