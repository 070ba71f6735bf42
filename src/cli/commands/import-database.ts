import { createReport, type ReportLog } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import type { ReadTables } from "../../kit/kind-engine.js";
import { readDatabase } from "../../compiler/read-database.js";
import { importedBefore, presentIn, skillsFolder } from "../import/import-folder.js";
import {
  type DatabaseImport,
  type DatabaseRequest,
  importName,
  draftDatabaseImport,
  readDatabaseImport,
  type ReadDatabaseImport,
} from "../../import/database/import-database.js";
import type { Grouping } from "../../import/database/names.js";
import type { CommandContext } from "../command-context.js";
import { visible } from "../console/visible.js";
import { allDiagnosticEntries } from "../diagnostics/all-diagnostic-entries.js";
import { hasErrors, printDiagnostics } from "../diagnostics/print-diagnostics.js";
import { CommandFailure, type ExitCode, exitCode } from "../exit.js";
import { databaseAsData, tablesAsData } from "../import/database-data.js";
import { renderDatabase, renderTables } from "../import/render-database.js";
import { isReading, makeImports, type ImportResult, runImport } from "../import/make-imports.js";
import { diagnosticsAsData } from "../diagnostics/json.js";
import { openSettings } from "../import/open-settings.js";
import { refuseSkillName, withHyphen } from "../import/skill-names.js";
import {
  completeImports,
  reportCutShort,
  reportDrift,
  writeImport,
} from "../import/write-import.js";
import { settingsOf } from "../project/compile-project.js";
import { withProgress } from "./compile-with-progress.js";

/** Flags of `skillc import database`; absent by default. */
export interface ImportDatabaseOptions {
  readonly into?: string;
  readonly name?: string;
  readonly skill?: string;
  readonly prefix?: string;
  readonly by?: string;
  readonly tables?: readonly string[];
  readonly list?: true;
  readonly check?: true;
  readonly json?: true;
}

const command = "skillc import database";

/** Creates or updates the skills for a database's tables. */
export function importDatabase(
  context: CommandContext,
  setting: string | undefined,
  options: ImportDatabaseOptions,
): Promise<ExitCode> {
  return runImport(context, options, (root) => importInto(context, root, setting, options));
}

async function importInto(
  context: CommandContext,
  root: string,
  setting: string | undefined,
  options: ImportDatabaseOptions,
): Promise<ExitCode> {
  refuseSkillName(options);
  const by = groupingOf(options);
  const folder = await skillsFolder(context, root, options.into);
  if (!isReading(options)) completeImports(root, folder);
  const sources =
    setting === undefined ? settingsBefore(root, folder) : [{ source: settingName(setting) }];
  const imports = sources.map(({ source, ...known }) => {
    const request = requestOf(source, by, options);
    const name = importName(request, options.name ?? ("name" in known ? known.name : undefined));
    return () => importOne({ context, root, folder, options, request, name });
  });
  return makeImports(context, imports, setting === undefined, options.json === true);
}

/** Name of a setting, written as `SHOP_URL` or `${SHOP_URL}`. */
function settingName(written: string): string {
  const name = /^\$\{\s*(\w+)\s*\}$/.exec(written)?.[1] ?? written;
  if (/^[A-Za-z_]\w*$/.test(name)) return name;
  throw CommandFailure.usage(
    written.includes("://")
      ? "skillc does not import a URL: the skills would contain it, with its password"
      : `\`${visible(written)}\` is not the name of a setting`,
    "name the setting that holds the URL: `skillc import database SHOP_URL`",
  );
}

function groupingOf({ by }: ImportDatabaseOptions): Grouping | undefined {
  if (by === undefined || by === "schema" || by === "group") return by;
  throw CommandFailure.usage(
    `an import can't group tables by \`${visible(by)}\``,
    "write `--by schema` or `--by group`",
  );
}

function settingsBefore(
  root: string,
  folder: string,
): readonly { readonly source: string; readonly name: string }[] {
  const found = importedBefore(root, folder, "database");
  if (found.length > 0) return found.map(({ name, request }) => ({ name, source: request.source }));
  throw CommandFailure.usage(
    `no database was imported into \`${visible(folder)}\` yet`,
    "name the setting that holds its URL: `skillc import database SHOP_URL`",
  );
}

function requestOf(
  source: string,
  by: Grouping | undefined,
  { prefix, skill, tables }: ImportDatabaseOptions,
): DatabaseRequest {
  return {
    source,
    ...(by !== undefined && { by }),
    ...(skill !== undefined && { skill }),
    ...(prefix !== undefined && { prefix: withHyphen(prefix) }),
    ...(tables !== undefined && { tables }),
  };
}

interface Task {
  readonly context: CommandContext;
  readonly root: string;
  /** Path of the skills folder, relative to `root`. */
  readonly folder: string;
  readonly options: ImportDatabaseOptions;
  readonly request: DatabaseRequest;
  readonly name: string;
}

async function importOne(task: Task): Promise<ImportResult> {
  const { context, folder, name, options, request, root } = task;
  const report = createReport(allDiagnosticEntries());
  const texts = new Map<string, SourceFile>();
  const found = await askDatabase(task, texts, report);
  const present = presentIn(root, folder, "the database", texts);
  const read = found && readDatabaseImport(found.database, request, name, present, report);
  if (read !== undefined) refuseChoice(read);
  if (read !== undefined && options.list === true) {
    if (options.json === true)
      return {
        code: exitCode.fine,
        data: { ...diagnosticsAsData(report.diagnostics(), [], texts), ...tablesAsData(read) },
      };
    context.io.stdout.write(renderTables(context, read));
    return { code: exitCode.fine };
  }
  const done = read && draftDatabaseImport(read, present, report);
  const isDrift = options.check === true && done !== undefined && done.isDrift;
  if (options.check === true) reportCutShort(root, folder, command, report);
  if (isDrift) reportDrift(done, present, command, report);
  const isSound = done !== undefined && !hasErrors(report.diagnostics());
  if (isSound && options.check !== true) writeImport(root, folder, done);
  const data = print(task, printedOf(report, texts), done, found);
  return { code: isSound ? exitCode.fine : exitCode.inputErrors, ...(data && { data }) };
}

function printedOf(report: ReportLog, sources: ReadonlyMap<string, SourceFile>) {
  return { diagnostics: report.diagnostics(), accepted: [], sources };
}

/** @param texts receives the files that diagnostics may point at */
async function askDatabase(
  { context, request, root }: Task,
  texts: Map<string, SourceFile>,
  report: ReportLog,
): Promise<Extract<ReadTables, { readonly kind: "read" }> | undefined> {
  const open = await openSettings(root, texts, report);
  if (open === undefined) return undefined;
  const { config, kinds, project } = open;
  const found = await withProgress(context, (progress) =>
    readDatabase({
      config,
      report,
      kinds: kinds.registry,
      name: request.source,
      files: project.files,
      ...(project.unread && { unread: project.unread }),
      setting: settingsOf(open.root),
      progress: (doing) => progress({ doing, done: 0, of: 1 }),
    }),
  );
  if (found?.kind === "refused") throw CommandFailure.input(found.message, found.help);
  return found;
}

function refuseChoice({ chosen, unknown }: ReadDatabaseImport): void {
  const [first] = unknown;
  if (first !== undefined)
    throw CommandFailure.usage(
      `\`${visible(first)}\` names no table of the database`,
      "`--list` shows all tables",
    );
  if (chosen.length === 0)
    throw CommandFailure.input("the database has no table that this role can see");
}

function print(
  task: Task,
  printed: ReturnType<typeof printedOf>,
  done: DatabaseImport | undefined,
  found: Awaited<ReturnType<typeof askDatabase>>,
): ImportResult["data"] {
  const { context, folder, options } = task;
  if (options.json === true) {
    const facts = done === undefined ? {} : databaseAsData(done, folder);
    return { ...diagnosticsAsData(printed.diagnostics, [], printed.sources), ...facts };
  }
  printDiagnostics(context, printed, "full", null);
  const isDrift = options.check === true && done?.isDrift === true;
  if (done !== undefined && (isDrift || !hasErrors(printed.diagnostics)))
    context.io.stdout.write(
      renderDatabase(context, done, {
        folder,
        isCheck: options.check === true,
        ...(found?.setting !== undefined && { setting: found.setting }),
        ...(found?.isPulled === true && { isPulled: true }),
      }),
    );
  return undefined;
}
