import type { AcceptedDiagnostic, Diagnostic } from "../core/diagnostic.js";
import { checksumsOf, readChecksums, versionsFile } from "../core/checksums.js";
import type { OutputFile } from "../core/output.js";
import { createReport, inSourceOrder, type Report } from "../core/report.js";
import type { ToolModel } from "../core/skill-model.js";
import { openSessions } from "./analyze/sessions.js";
import { diagnosticEntriesOf } from "./diagnostics.js";
import type { CompileInput } from "./compilation.js";
import { sharedModules } from "./shared-modules.js";
import { emitPrintedProject } from "./emit/emitters.js";
import { printDrafts } from "./print-drafts.js";
import { skillFolders } from "./skill-folders.js";
import { trackFiles } from "./tracked-files.js";
import { readSkillModel } from "./read-skill-model.js";
import { compareOutput, type OutputComparison } from "./verify/compare-output.js";

export interface SharedCompilation {
  /**
   * Errors that make a skill unreadable, and problems of settings and their files, in source order.
   */
  readonly diagnostics: readonly Diagnostic[];
  /** Always empty, because this doesn't evaluate acceptances. */
  readonly accepted: readonly AcceptedDiagnostic[];
  /**
   * Modules that tools of several skills import, such as the tables of a database. Empty if there
   * are errors.
   */
  readonly files: readonly OutputFile[];
  /** Comparison with these files in the output folder. Other files are ignored. */
  readonly comparison: OutputComparison;
}

/**
 * Makes the modules that skills share, like `compile`, without compiling a tool. Only `tsc` can
 * tell if the tools still fit them.
 */
export async function compileShared(
  input: Omit<CompileInput, "typeCheck">,
): Promise<SharedCompilation> {
  const report = createReport(diagnosticEntriesOf(input.kinds));
  const tools = readTools(input, report);
  const progress = (doing: string): void => input.progress?.({ doing, done: 0, of: 1 });
  const sessions = openSessions({ ...input, progress, report, store: input.cache?.bytes });
  try {
    const drafts = report.errorCount() === 0 ? await sharedModules(tools, sessions) : [];
    sessions.finish();
    const shared = (await printDrafts(report.errorCount() === 0 ? drafts : [], input)).files;
    const files = shared.length === 0 ? [] : [...shared, ...(await versionsWith(shared, input))];
    const paths = new Set(files.map(({ path }) => path));
    const previous = new Map([...input.previous].filter(([path]) => paths.has(path)));
    const diagnostics = inSourceOrder(report.diagnostics());
    return { diagnostics, accepted: [], files, comparison: compareOutput(files, previous) };
  } finally {
    await sessions.close();
  }
}

/** The project's checksums, in which those of other files are unchanged. */
async function versionsWith(
  files: readonly OutputFile[],
  input: Omit<CompileInput, "typeCheck">,
): Promise<readonly OutputFile[]> {
  const text = input.previous.get(versionsFile);
  const before = readChecksums(new Map(text === undefined ? [] : [[versionsFile, text]]));
  // A file with two checksums after a merge counts as unchanged until the next full generation.
  const kept = [...before].flatMap(([path, [only, other]]): [string, string][] =>
    only === undefined || other !== undefined ? [] : [[path, only]],
  );
  const checksums = new Map([...kept, ...checksumsOf(files)]);
  const source = `${input.config.skills}/`;
  return (await printDrafts(emitPrintedProject({ source, checksums }), input)).files;
}

/** Reads the tools of all skills from their files, without the skills' warnings. */
function readTools(input: Omit<CompileInput, "typeCheck">, report: Report): readonly ToolModel[] {
  return skillFolders(input.project).flatMap((folder) => {
    const own = createReport(diagnosticEntriesOf(input.kinds));
    const read = readSkillModel({ ...input, folder, report: own }, trackFiles(input.project));
    const errors = own.diagnostics().filter(({ severity }) => severity === "error");
    for (const { skill, tool, ...diagnostic } of errors)
      report.within({ ...(skill && { skill }), ...(tool && { tool }) }).add(diagnostic);
    return read?.model.tools ?? [];
  });
}
