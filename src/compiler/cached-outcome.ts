import type { AcceptedDiagnostic, Diagnostic } from "../core/diagnostic.js";
import { readChecksums } from "../core/checksums.js";
import { sha256, sha256OfBytes } from "../core/hash.js";
import { hashOfOutput } from "../core/output.js";
import { provenanceOf } from "../core/provenance.js";
import type { LinkedFile, ProjectConfig } from "../core/project.js";
import type { Compilation, CompileInput } from "./compilation.js";
import type { SharedCompilation } from "./compile-shared.js";
import { hashOfFile } from "./tracked-files.js";

/** Result of a compilation to report, whether or not anything was compiled. */
export interface Outcome extends SharedCompilation {
  readonly counts: Compilation["counts"];
  readonly packages: Compilation["packages"];
  /**
   * Set if nothing was compiled, because the project and its output are unchanged since the last
   * run.
   */
  readonly isKept?: true;
}

/**
 * All inputs that determine the outcome, except the build of skillc and custom kinds. They are
 * known before the project is parsed.
 */
export interface OutcomeInput extends Pick<
  CompileInput,
  "cache" | "previous" | "project" | "style" | "typeCheck"
> {
  readonly config: Pick<ProjectConfig, "skills" | "out" | "policies">;
}

/** The cached result of a run. */
interface CachedRun {
  readonly diagnostics: readonly Diagnostic[];
  readonly accepted: readonly AcceptedDiagnostic[];
  readonly counts: Compilation["counts"];
  readonly packages: Compilation["packages"];
  /** Hashes of all files of the output, by path. */
  readonly output: { readonly [path: string]: string };
}

/**
 * Compiles the project, unless a run with the same input is cached and every byte of its output is
 * unchanged. In that case, not even the skills are read from the cache.
 */
export async function compileUnlessCached(
  work: (input: CompileInput) => Promise<Compilation>,
  input: CompileInput,
): Promise<Outcome> {
  const kept = input.stopwatch.time("cache", () => cachedOutcome(input));
  if (kept !== undefined) return kept;
  const compilation = await work(input);
  input.stopwatch.time("cache", () => cacheOutcome(input, compilation));
  return compilation;
}

/** The cached outcome of a run with the same input, if the output is unchanged. */
export function cachedOutcome(input: OutcomeInput): Outcome | undefined {
  const { cache, previous } = input;
  const text = cache?.get(keyOf(input));
  if (text === undefined) return undefined;
  // The cache returns only what is stored below.
  const { output, counts, ...rest } = JSON.parse(text) as CachedRun;
  const unchanged = Object.keys(output).length;
  if (!isOutput(output, previous)) return undefined;
  const nothing = { changed: [], added: [], stale: [], handEdited: [], foreign: [] };
  return {
    ...rest,
    counts: { ...counts, compiled: 0, reused: counts.skills },
    files: [],
    comparison: { ...nothing, unchanged },
    isKept: true,
  };
}

/** Checks that the folder contains exactly these files, unchanged, and no other generated file. */
function isOutput(output: CachedRun["output"], previous: ReadonlyMap<string, string>): boolean {
  const others: [string, string][] = [];
  let found = 0;
  for (const [path, text] of previous) {
    const hash = Object.hasOwn(output, path) ? output[path] : undefined;
    if (hash === undefined) others.push([path, text]);
    else if (hash === sha256(text)) found += 1;
    else return false;
  }
  if (found !== Object.keys(output).length) return false;
  if (others.length === 0) return true;
  const known = readChecksums(previous);
  return others.every(([path, text]) => provenanceOf({ path, text }, known) === "foreign");
}

/**
 * Stores a run without errors. A run that used an engine, Cedar or a custom kind is not stored,
 * because their results may change without a change to the project's files.
 */
function cacheOutcome(
  input: CompileInput,
  { accepted, counts, diagnostics, files, governance, packages, lowered }: Compilation,
): void {
  const { cache, kinds } = input;
  const isSound = diagnostics.every(({ severity }) => severity !== "error");
  const types = new Set(lowered.flatMap(({ tools }) => tools.map(({ tool }) => tool.binding.type)));
  const asksNobody =
    governance?.cedar === undefined &&
    [...types].every((type) => !kinds.isCustom(type) && kinds.find(type)?.engine === undefined);
  if (!isSound || !asksNobody || files.length === 0) return;
  const output = Object.fromEntries(files.map((file) => [file.path, hashOfOutput(file)]));
  const kept: CachedRun = { diagnostics, accepted, counts, packages, output };
  cache?.set(keyOf(input), JSON.stringify(kept));
}

/**
 * Key of a run. Custom kinds count by their names in skillc.yaml, because the cache as a whole
 * depends on their code.
 */
function keyOf({ config, project, style, typeCheck }: OutcomeInput): string {
  const { configFile, files, linked, near, unread } = project;
  return sha256(
    JSON.stringify([
      "outcome",
      [config.skills, config.out, config.policies, configFile?.text],
      [style, typeCheck],
      [...files.keys()].map((path) => [path, hashOfFile(project, path)]),
      [[...(unread ?? [])], [...(near ?? [])]],
      [...(linked ?? [])].map(([folder, all]) => [folder, all.map(linkedFileKey)]),
    ]),
  );
}

function linkedFileKey({ bytes, path, problem }: LinkedFile): readonly string[] {
  return [path, problem ?? sha256OfBytes(bytes)];
}
