import type { Diagnostic, DiagnosticCode } from "../../core/diagnostic.js";
import { createReport } from "../../core/report.js";
import type { FileCache } from "../cache/file-cache.js";
import { cliDiagnosticEntries } from "../cli-diagnostics.js";
import type { OutputComparison } from "../../compiler/verify/compare-output.js";
import { findObstacles } from "../output/read-output.js";
import type { SharedCompilation } from "../../compiler/compile-shared.js";
import type { CompiledProject } from "../project/compile-project.js";
import type { OutputPlace } from "./write-project.js";

/**
 * Diagnostics for obstacles at paths of files to write or remove. No option of `skillc generate`
 * removes them.
 */
export function obstacleDiagnostics(
  { compilation }: CompiledProject<SharedCompilation>,
  { config, root }: OutputPlace,
): readonly Diagnostic[] {
  if (compilation === undefined) return [];
  const { changed, stale } = compilation.comparison;
  const report = createReport(cliDiagnosticEntries);
  const touched = [...changed.map((file) => file.path), ...stale];
  for (const { path, wanted, found } of findObstacles(root, config.out, touched)) {
    const isOut = !path.startsWith(`${config.out}/`);
    report.add({
      code: "output/place-taken",
      span: { file: path, start: 0, end: 0 },
      message: `a ${found} is here instead of a generated ${wanted}`,
      help: isOut
        ? "move it elsewhere, or choose another `out:` in skillc.yaml"
        : "move it elsewhere",
    });
  }
  return report.diagnostics();
}

/** Warns that the next run will have to compile everything again. */
export function cacheDiagnostics({ problem }: Pick<FileCache, "problem">): readonly Diagnostic[] {
  if (problem === undefined) return [];
  const report = createReport(cliDiagnosticEntries);
  report.add({
    code: "cache/nothing-kept",
    span: { file: problem.path ?? ".skillc/cache", start: 0, end: 0 },
    message: `skillc can't keep results for the next run: ${problem.message}`,
    ...(problem.path !== undefined && { help: `move \`${problem.path}\` elsewhere` }),
  });
  return report.diagnostics();
}

/**
 * Diagnostics for files that skillc would replace or remove although somebody else wrote or changed
 * them.
 */
export function protectedDiagnostics(
  { compilation }: CompiledProject<SharedCompilation>,
  out: string,
): readonly Diagnostic[] {
  if (compilation === undefined || compilation.files.length === 0) return [];
  const { handEdited, foreign } = compilation.comparison;
  return [
    ...perFile(
      "output/edited-by-hand",
      handEdited,
      out,
      () => "this generated file was edited by hand",
      "move the edit into the skill or into your own code; `skillc generate --force` overwrites it",
    ),
    ...perFile(
      "output/foreign-file",
      foreign,
      out,
      () => "skillc didn't write this file, and a generated file must be in its place",
      "move it elsewhere, or choose another `out:` in skillc.yaml; `skillc generate --force` overwrites it",
    ),
  ];
}

/**
 * Diagnostics of `--check`: one per file, except for the files of `protectedDiagnostics`.
 *
 * @param command the command that updates the files
 */
export function driftDiagnostics(
  output: OutputComparison,
  out: string,
  command = "skillc generate",
): readonly Diagnostic[] {
  const added = new Set(output.added);
  const refused = new Set([...output.handEdited, ...output.foreign]);
  const free = (path: string): boolean => !refused.has(path);
  const code = "output/out-of-date";
  const help = `run \`${command}\``;
  return [
    ...perFile(
      code,
      output.changed.map((file) => file.path).filter(free),
      out,
      (path) => `this file ${added.has(path) ? "is missing" : "is out of date"}`,
      help,
    ),
    ...perFile(
      code,
      output.stale.filter(free),
      out,
      () => "no skill generates this file any more",
      help,
    ),
  ];
}

/** Makes the same diagnostic for each file. */
function perFile(
  code: DiagnosticCode,
  paths: readonly string[],
  out: string,
  message: (path: string) => string,
  help: string,
): readonly Diagnostic[] {
  const report = createReport(cliDiagnosticEntries);
  for (const path of paths) {
    report.add({
      code,
      span: { file: `${out}/${path}`, start: 0, end: 0 },
      message: message(path),
      help,
    });
  }
  return report.diagnostics();
}
