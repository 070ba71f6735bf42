import { compareCatalogs } from "../../compiler/compare-tools/compare-catalogs.js";
import type { CommandContext } from "../command-context.js";
import { comparedSide, type Comparison } from "../compare/comparison.js";
import { renderMarkdown } from "../compare/render-markdown.js";
import { renderComparison } from "../compare/render.js";
import {
  catalogOf,
  findSide,
  refuseSame,
  type Side,
  type SideCatalog,
  workingTree,
} from "../compare/sides.js";
import { printJson } from "../console/print-json.js";
import { visible } from "../console/visible.js";
import {
  hasErrors,
  printDiagnostics,
  printDiagnosticsJson,
} from "../diagnostics/print-diagnostics.js";
import { CommandFailure, type ExitCode, exitCode } from "../exit.js";
import { widthOf } from "../io.js";

/** Flags of `skillc compare`; absent by default. */
export interface CompareOptions {
  readonly markdown?: true;
  readonly json?: true;
}

/**
 * Reports the differences between the tools of two sides. Fails if a tool's declared version was
 * raised by less than its differences require. Writes nothing.
 *
 * @param written the new side; the current project if absent
 */
export async function compareTools(
  context: CommandContext,
  old: string,
  written: string | undefined,
  options: CompareOptions,
): Promise<ExitCode> {
  const before = await findSide(context, old);
  const after =
    written === undefined ? await workingTree(context) : await findSide(context, written);
  refuseSame(before, after);
  const one = await soundCatalog(context, before, options);
  const other = one && (await soundCatalog(context, after, options));
  if (one === undefined || other === undefined) return exitCode.inputErrors;
  const found: Comparison = {
    old: comparedSide(before, one.note),
    new: comparedSide(after, other.note),
    ...compareCatalogs(one.catalog, other.catalog),
  };
  print(context, found, options);
  return found.tooLow.length === 0 ? exitCode.fine : exitCode.inputErrors;
}

/** Returns the catalog of a side; undefined, after a report, if the skills have errors. */
async function soundCatalog(
  context: CommandContext,
  side: Side,
  { json }: CompareOptions,
): Promise<SideCatalog | undefined> {
  const found = await catalogOf(context, side);
  if (!hasErrors(found.diagnostics)) {
    const { catalog, passedOver } = found;
    if (json !== true) printDiagnostics(context, { ...found, diagnostics: passedOver }, "brief");
    if (catalog.skills.length === 0) throw withoutSkills(side);
    return found;
  }
  if (json === true) printDiagnosticsJson(context, found, { side: side.name });
  else {
    context.io.stderr.write(`${context.err.bold(visible(side.name))} doesn't compile:\n`);
    printDiagnostics(context, found, "brief");
  }
  return undefined;
}

/** Rejects a side without skills: every tool would appear added or removed. */
function withoutSkills({ name }: Side): CommandFailure {
  return CommandFailure.input(
    `there are no skills in \`${visible(name)}\``,
    "name a folder of a project, of skills or of generated code, a file that `skillc catalog --json` printed, or a git revision",
  );
}

function print({ io, out }: CommandContext, found: Comparison, options: CompareOptions): void {
  if (options.json === true) return printJson(io.stdout, found);
  const text =
    options.markdown === true
      ? renderMarkdown(found)
      : renderComparison(found, out, widthOf(io.stdout));
  io.stdout.write(`${text.trimEnd()}\n`);
}
