/** Runs the imports of sources that list tools: `skillc import manifest` and `auto-agent`. */
import { realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { createStopwatch } from "../../compiler/stopwatch.js";
import { createReport, type Report } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import type { Present } from "../../import/again/draft-writes.js";
import type { ImportKind, ImportRequest } from "../../import/again/stored-import.js";
import {
  addressOfSource,
  createFetch,
  nameOfAddress,
} from "../../import/openapi/read/fetch-document.js";
import type { Compiling } from "../../import/tools/check-tools.js";
import type { ToolsDraft } from "../../import/tools/draft-tools.js";
import type { SourceTool } from "../../import/tools/entry.js";
import type { CommandContext } from "../command-context.js";
import { quotedForShell } from "../console/quoted-for-shell.js";
import { visible } from "../console/visible.js";
import { allDiagnosticEntries } from "../diagnostics/all-diagnostic-entries.js";
import { diagnosticsAsData } from "../diagnostics/json.js";
import {
  hasErrors,
  printDiagnostics,
  type PrintedDiagnostics,
} from "../diagnostics/print-diagnostics.js";
import { CommandFailure, type ExitCode, exitCode } from "../exit.js";
import { groupNotes } from "./group-notes.js";
import { importedBefore, presentIn, skillsFolder } from "./import-folder.js";
import { isReading, makeImports, type ImportResult, runImport } from "./make-imports.js";
import { openSettings } from "./open-settings.js";
import { maxInFull } from "./render-parts.js";
import { renderEntries, renderTools } from "./render-tools.js";
import { refuseSkillName } from "./skill-names.js";
import { entriesAsData, toolsAsData } from "./tools-data.js";
import type { AnyRead, ToolsView } from "./tools-view.js";
import { completeImports, reportCutShort, reportDrift, writeImport } from "./write-import.js";

/** Flags of every import of tools; absent by default. */
export interface ImportToolsOptions {
  readonly into?: string;
  readonly name?: string;
  readonly skill?: string;
  readonly prefix?: string;
  readonly only?: readonly string[];
  readonly list?: true;
  readonly check?: true;
  readonly json?: true;
}

/** The parts of an import that differ between sources that list tools. */
export interface ToolsFormat<Tool extends SourceTool, Read extends AnyRead<Tool>> {
  readonly kind: ImportKind;
  /** The source in sentences: `the hub manifest`. */
  readonly origin: string;
  /** Name of a tool of the source in sentences: `the id of a tool in the hub manifest`. */
  readonly toolName: string;
  /** Error for a URL: message and help. */
  readonly noUrl: readonly [message: string, help: string];
  /** Error if nothing was imported before: start of its message, and help. */
  readonly noneBefore: readonly [message: string, help: string];
  /** Paths of the files that a request names. */
  readonly sourcesOf: (request: ImportRequest) => readonly string[];
  /** @param files read files, at least one */
  readonly read: (
    files: readonly SourceFile[],
    name: string | undefined,
    present: Present,
    report: Report,
  ) => Read | undefined;
  /** @param compiling settings and kinds of the project */
  readonly draft: (
    read: Read,
    compiling: Compiling,
    present: Present,
    report: Report,
  ) => Promise<ToolsDraft<Tool> | undefined>;
  readonly view: (read: Read) => ToolsView<Tool>;
}

interface Command<Tool extends SourceTool, Read extends AnyRead<Tool>> {
  readonly context: CommandContext;
  readonly format: ToolsFormat<Tool, Read>;
  readonly options: ImportToolsOptions;
}

/** Creates or updates the skills of the files; without files, those of all earlier imports. */
export function importTools<Tool extends SourceTool, Read extends AnyRead<Tool>>(
  command: Command<Tool, Read>,
  files: readonly string[],
): Promise<ExitCode> {
  return runImport(command.context, command.options, (root) => importInto(command, root, files));
}

async function importInto<Tool extends SourceTool, Read extends AnyRead<Tool>>(
  command: Command<Tool, Read>,
  root: string,
  files: readonly string[],
): Promise<ExitCode> {
  const { context, format, options } = command;
  refuseSkillName(options);
  refuseUrls(files, format.noUrl);
  const folder = await skillsFolder(context, root, options.into);
  if (!isReading(options)) completeImports(root, folder);
  const isRecorded = files.length === 0;
  const sources = isRecorded ? sourcesBefore(command, root, folder) : [{ paths: files }];
  const directory = isRecorded ? root : context.directory;
  const imports = sources.map(
    (source) => () => importOne({ ...command, root, folder, directory, isRecorded, ...source }),
  );
  return makeImports(context, imports, isRecorded, options.json === true);
}

function refuseUrls(files: readonly string[], [message, help]: readonly [string, string]): void {
  if (files.some((each) => /^[a-z][a-z0-9+.-]*:\/\//i.test(each)))
    throw CommandFailure.usage(message, help);
}

function sourcesBefore<Tool extends SourceTool, Read extends AnyRead<Tool>>(
  { format }: Command<Tool, Read>,
  root: string,
  folder: string,
): readonly Pick<Task<Tool, Read>, "name" | "paths">[] {
  const found = importedBefore(root, folder, format.kind);
  const [message, help] = format.noneBefore;
  if (found.length === 0)
    throw CommandFailure.usage(`${message} into \`${visible(folder)}\` yet`, help);
  return found.map(({ name, request }) => ({ name, paths: format.sourcesOf(request) }));
}

interface Task<Tool extends SourceTool, Read extends AnyRead<Tool>> extends Command<Tool, Read> {
  readonly root: string;
  /** Path of the skills folder, relative to `root`. */
  readonly folder: string;
  /** Base folder for the paths of the files. */
  readonly directory: string;
  readonly paths: readonly string[];
  /** True if the paths come from the record of an import, and not from the command line. */
  readonly isRecorded: boolean;
  readonly name?: string;
}

async function importOne<Tool extends SourceTool, Read extends AnyRead<Tool>>(
  task: Task<Tool, Read>,
): Promise<ImportResult> {
  const { context, folder, format, options, root } = task;
  const command = commandOf(format);
  const report = createReport(allDiagnosticEntries());
  const texts = new Map<string, SourceFile>();
  for (const path of task.paths) {
    const file = await readFile(task, path);
    texts.set(file.path, file);
  }
  const files = [...texts.values()];
  const present = presentIn(root, folder, format.origin, texts);
  const read = format.read(files, options.name ?? task.name, present, report);
  if (read !== undefined) refuseChoice(read, format.toolName);
  const printed = (): PrintedDiagnostics => ({
    diagnostics: report.diagnostics(),
    accepted: [],
    sources: texts,
  });
  if (read !== undefined && options.list === true) return list(task, read, printed());
  const done = read && (await draft(task, read, { present, report, texts }));
  const isDrift = options.check === true && done !== undefined && done.isDrift;
  if (options.check === true) reportCutShort(root, folder, command, report);
  if (isDrift) reportDrift(done, present, command, report);
  const isSound = done !== undefined && !hasErrors(report.diagnostics());
  if (read !== undefined && isSound && options.check !== true)
    writeImport(root, folder, { ...read, ...done });
  const data = print(context, task, printed(), read && done && { read, done });
  return { code: isSound ? exitCode.fine : exitCode.inputErrors, ...(data && { data }) };
}

function commandOf({ kind }: { readonly kind: ImportKind }): string {
  return `skillc import ${kind}`;
}

async function readFile<Tool extends SourceTool, Read extends AnyRead<Tool>>(
  task: Task<Tool, Read>,
  path: string,
): Promise<SourceFile> {
  const { directory, isRecorded, root } = task;
  const address = addressOfSource(path, directory);
  const fetch = createFetch({
    root: address,
    allowed: [],
    project: realpathSync(root),
    environment: {},
    ...(isRecorded && { recorded: { help: `to read it, name it: \`${commandNaming(task)}\`` } }),
  });
  const found = await fetch(address.href);
  if (found.kind === "file") return found.file;
  throw CommandFailure.input(
    `skillc can't import \`${visible(nameOfAddress(address, root))}\`: ${found.message}`,
    found.help,
  );
}

/** A command to copy, with the names of recorded files. */
function commandNaming<Tool extends SourceTool, Read extends AnyRead<Tool>>({
  context,
  format,
  name,
  options,
  paths,
  root,
}: Task<Tool, Read>): string {
  const written = paths
    .map((path) => relative(context.directory, join(root, path)))
    .map((path) => (path.startsWith("-") ? `./${path}` : path));
  const choices = Object.entries({ "--name": name, "--into": options.into });
  const flags = choices.flatMap(([flag, value]) => (value === undefined ? [] : [flag, value]));
  return `${commandOf(format)} ${[...written, ...flags].map(quotedForShell).join(" ")}`;
}

function refuseChoice({ unknown }: AnyRead<SourceTool>, toolName: string): void {
  const [first] = unknown;
  if (first !== undefined)
    throw CommandFailure.usage(
      `\`${visible(first)}\` is not ${toolName}`,
      "`--list` shows all tools",
    );
}

/** Drafts the import with the settings of the project. */
async function draft<Tool extends SourceTool, Read extends AnyRead<Tool>>(
  { folder, format, root }: Task<Tool, Read>,
  read: Read,
  {
    present,
    report,
    texts,
  }: {
    readonly present: Present;
    readonly report: Report;
    readonly texts: Map<string, SourceFile>;
  },
): Promise<ToolsDraft<Tool> | undefined> {
  const open = await openSettings(root, texts, report);
  if (open === undefined) return undefined;
  const compiling = {
    config: { ...open.config, skills: folder },
    kinds: open.kinds.registry,
    stopwatch: createStopwatch(() => performance.now()),
  };
  return format.draft(read, compiling, present, report);
}

function list<Tool extends SourceTool, Read extends AnyRead<Tool>>(
  { context, format, options }: Task<Tool, Read>,
  read: Read,
  { diagnostics, sources }: PrintedDiagnostics,
): ImportResult {
  const view = format.view(read);
  if (options.json === true)
    return {
      code: exitCode.fine,
      data: { ...diagnosticsAsData(diagnostics, [], sources), ...entriesAsData(read, view) },
    };
  context.io.stdout.write(renderEntries(context, read, view));
  return { code: exitCode.fine };
}

/** @returns the data that `--json` prints */
function print<Tool extends SourceTool, Read extends AnyRead<Tool>>(
  context: CommandContext,
  { folder, format, options }: Task<Tool, Read>,
  printed: PrintedDiagnostics,
  found: { readonly read: Read; readonly done: ToolsDraft<Tool> } | undefined,
): ImportResult["data"] {
  const view = found && format.view(found.read);
  if (options.json === true) {
    const facts = found && view ? toolsAsData(found.read, found.done, folder, view) : {};
    return { ...diagnosticsAsData(printed.diagnostics, [], printed.sources), ...facts };
  }
  const diagnostics = groupNotes(printed.diagnostics);
  const isFew = diagnostics.length <= maxInFull;
  printDiagnostics(context, { ...printed, diagnostics }, isFew ? "full" : "brief", null);
  const isDrift = options.check === true && found?.done.isDrift === true;
  if (found && view && (isDrift || !hasErrors(printed.diagnostics)))
    context.io.stdout.write(renderTools(context, found.done, folder, options.check === true, view));
  return undefined;
}
