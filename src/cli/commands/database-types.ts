import type { SharedCompilation } from "../../compiler/compile-shared.js";
import type { OutputComparison } from "../../compiler/verify/compare-output.js";
import { enginesOnly } from "../cache/file-cache.js";
import type { CommandContext } from "../command-context.js";
import { formatTime } from "../console/format-time.js";
import { visible } from "../console/visible.js";
import {
  hasErrors,
  printDiagnostics,
  printDiagnosticsJson,
} from "../diagnostics/print-diagnostics.js";
import { type ExitCode, exitCode } from "../exit.js";
import {
  type CompiledProject,
  compileSharedModules,
  soundOutput,
} from "../project/compile-project.js";
import { type OpenProject, openProject } from "../project/open-project.js";
import { withProgress } from "./compile-with-progress.js";
import { createSession } from "./generate-once.js";
import {
  cacheDiagnostics,
  driftDiagnostics,
  obstacleDiagnostics,
  protectedDiagnostics,
} from "./output-diagnostics.js";
import { withProjectLock, writeProject } from "./write-project.js";

/** Flags of `skillc db types`; absent by default. */
export interface DatabaseTypesOptions {
  readonly check?: true;
  readonly json?: true;
}

/**
 * Updates the types of the databases' tables, and no other file. With `--check`, only reports the
 * outdated ones.
 */
export function databaseTypes(
  context: CommandContext,
  options: DatabaseTypesOptions,
): Promise<ExitCode> {
  if (options.check === true) return update(context, context.directory, options);
  return withProjectLock(context, (root) => update(context, root, options));
}

async function update(
  context: CommandContext,
  directory: string,
  options: DatabaseTypesOptions,
): Promise<ExitCode> {
  const open = await openProject(directory);
  const cacheOfAll = createSession(context.io).cacheFor(open);
  const cache = options.check === true ? enginesOnly(cacheOfAll) : cacheOfAll;
  const compiled = await withProgress(context, (progress) =>
    compileSharedModules(open, { cache, progress }),
  );
  const found = [
    ...compiled.diagnostics,
    ...protectedDiagnostics(compiled, open.config.out),
    ...obstacleDiagnostics(compiled, open),
    ...(options.check === true ? [] : cacheDiagnostics(cacheOfAll)),
  ];
  const output = soundOutput({ ...compiled, diagnostics: found });
  if (output !== undefined && options.check !== true) writeProject(open, output, compiled.previous);
  const isDrift = options.check === true && output !== undefined && output.changed.length > 0;
  const drift = isDrift ? driftDiagnostics(output, open.config.out, "skillc db types") : [];
  const updated: Updated = {
    open,
    compiled: { ...compiled, diagnostics: [...found, ...drift] },
    output,
  };
  if (options.json === true) printAsJson(context, updated);
  else print(context, updated);
  return output === undefined || isDrift ? exitCode.inputErrors : exitCode.fine;
}

interface Updated {
  readonly open: OpenProject;
  readonly compiled: CompiledProject<SharedCompilation>;
  /** Undefined if errors prevent writing. */
  readonly output: OutputComparison | undefined;
}

function printAsJson(context: CommandContext, { open, compiled, output }: Updated): void {
  const changed = output?.changed.map(({ path }) => `${open.config.out}/${path}`) ?? [];
  printDiagnosticsJson(context, compiled, { changed });
}

function print(context: CommandContext, updated: Updated): void {
  const { io, out, startedAt } = context;
  const { open, compiled, output } = updated;
  printDiagnostics(context, compiled, "brief");
  if (output === undefined || hasErrors(compiled.diagnostics)) return;
  const changed = new Set(output.changed.map(({ path }) => path));
  const files = compiled.compilation?.files ?? [];
  const rows = files.map(({ path }) => {
    const facts = `${changed.has(path) ? "written" : "up to date"} · ${formatTime(performance.now() - startedAt)}`;
    return `${out.green("✓")} ${out.bold(visible(`${open.config.out}/${path}`))}\n  ${out.dim(facts)}\n`;
  });
  const none = `${out.green("✓")} no tool uses a database that skillc.yaml names\n`;
  io.stdout.write(rows.length === 0 ? none : rows.join(""));
}
