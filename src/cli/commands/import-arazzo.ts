import { realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { createStopwatch } from "../../compiler/stopwatch.js";
import { createReport, type ReportLog } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import {
  type ArazzoImport,
  draftArazzoImport,
  type ReadArazzo,
  readArazzoImport,
} from "../../import/arazzo/import-arazzo.js";
import { type Linter, loadLinter } from "../../import/arazzo/lint-description.js";
import {
  addressOfSource,
  createFetch,
  nameOfAddress,
} from "../../import/openapi/read/fetch-document.js";
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
import { arazzoAsData, workflowsAsData } from "../import/arazzo-data.js";
import { importSources, type SourceImports } from "../import/arazzo-sources.js";
import { groupNotes } from "../import/group-notes.js";
import { importedBefore, presentIn, skillsFolder } from "../import/import-folder.js";
import { isReading, makeImports, type ImportResult, runImport } from "../import/make-imports.js";
import { openSettings } from "../import/open-settings.js";
import { renderArazzo, renderWorkflows } from "../import/render-arazzo.js";
import { maxInFull } from "../import/render-parts.js";
import { refuseSkillName } from "../import/skill-names.js";
import {
  completeImports,
  joinWrites,
  reportCutShort,
  reportDrift,
  writeImport,
} from "../import/write-import.js";

/** Flags of `skillc import arazzo`; absent by default. */
export interface ImportArazzoOptions {
  readonly into?: string;
  readonly name?: string;
  readonly skill?: string;
  readonly allow?: readonly string[];
  readonly list?: true;
  readonly check?: true;
  readonly json?: true;
}

const command = "skillc import arazzo";

/** Creates or updates the plans for the workflows of an Arazzo document, and the tools they call. */
export function importArazzo(
  context: CommandContext,
  document: string | undefined,
  options: ImportArazzoOptions,
): Promise<ExitCode> {
  return runImport(context, options, (root) => importInto(context, root, document, options));
}

async function importInto(
  context: CommandContext,
  root: string,
  document: string | undefined,
  options: ImportArazzoOptions,
): Promise<ExitCode> {
  refuseSkillName(options);
  const loaded = await loadLinter(process.version, () => import("@redocly/openapi-core"));
  if (loaded.kind === "missing") throw CommandFailure.input(loaded.message, loaded.help);
  const folder = await skillsFolder(context, root, options.into);
  if (!isReading(options)) completeImports(root, folder);
  const isRecorded = document === undefined;
  const sources = isRecorded ? documentsBefore(root, folder) : [{ document }];
  const directory = isRecorded ? root : context.directory;
  const imports = sources.map(
    (source) => () =>
      importOne({
        context,
        root,
        folder,
        directory,
        options,
        isRecorded,
        linter: loaded.linter,
        ...source,
      }),
  );
  return makeImports(context, imports, isRecorded, options.json === true);
}

function documentsBefore(root: string, folder: string): readonly Pick<Task, "document" | "name">[] {
  const found = importedBefore(root, folder, "arazzo");
  if (found.length > 0)
    return found.map(({ name, request }) => ({ name, document: request.source }));
  throw CommandFailure.usage(
    `no Arazzo document was imported into \`${visible(folder)}\` yet`,
    `name a document: \`${command} flows.arazzo.yaml\``,
  );
}

interface Task {
  readonly context: CommandContext;
  readonly root: string;
  /** Path of the skills folder, relative to `root`. */
  readonly folder: string;
  /** Base folder for the path of the document. */
  readonly directory: string;
  readonly options: ImportArazzoOptions;
  readonly document: string;
  /** True if the document comes from the record of an import, and not from the command line. */
  readonly isRecorded: boolean;
  readonly name?: string;
  readonly linter: Linter;
}

async function importOne(task: Task): Promise<ImportResult> {
  const { context, folder, linter, options, root } = task;
  const name = options.name ?? task.name;
  const report = createReport(allDiagnosticEntries());
  const texts = new Map<string, SourceFile>();
  const address = addressOfSource(task.document, task.directory);
  const file = await readFile(task, address, texts);
  const present = presentIn(root, folder, "the Arazzo document", texts);
  const { allow = [], skill } = options;
  const request = {
    source: nameOfAddress(address, root),
    ...(skill !== undefined && { skill }),
    ...(allow.length > 0 && {
      allow: allow.map((each) => nameOfAddress(addressOfSource(each, context.directory), root)),
    }),
  };
  const input = { uri: plainUri(address), file, present, request, linter };
  const read = await readArazzoImport({ ...input, ...(name !== undefined && { name }) }, report);
  const printed = (): PrintedDiagnostics => ({
    diagnostics: report.diagnostics(),
    accepted: [],
    sources: texts,
  });
  if (read !== undefined && options.list === true) return list(task, read, printed());
  const sources = read && (await importSources({ ...task, address, read, report, texts }));
  const done = sources && (await draft(task, sources, { present, read, report, texts }));
  return finish(task, { done, present, report, sources, texts });
}

/** Address without the query, which may contain a token, and without user and password. */
function plainUri(address: URL): string {
  const plain = new URL(address);
  plain.username = "";
  plain.password = "";
  plain.hash = "";
  return plain.href;
}

async function readFile(
  task: Task,
  address: URL,
  texts: Map<string, SourceFile>,
): Promise<SourceFile> {
  const { isRecorded, root } = task;
  const fetch = createFetch({
    root: address,
    allowed: [],
    project: realpathSync(root),
    environment: process.env,
    ...(isRecorded && { recorded: { help: `to read it, name it: \`${commandNaming(task)}\`` } }),
  });
  const found = await fetch(address.href);
  if (found.kind === "file") {
    texts.set(found.file.path, found.file);
    return found.file;
  }
  throw CommandFailure.input(
    `skillc can't import \`${visible(nameOfAddress(address, root))}\`: ${found.message}`,
    found.help,
  );
}

/** A command to copy, with the name of a recorded document. */
function commandNaming({ context, document, name, options, root }: Task): string {
  const path = relative(context.directory, join(root, document));
  const source = /^https?:/i.test(document) ? document : path.startsWith("-") ? `./${path}` : path;
  const choices = Object.entries({ "--name": name, "--into": options.into });
  const words = [
    source,
    ...choices.flatMap(([flag, value]) => (value === undefined ? [] : [flag, value])),
  ];
  return `${command} ${words.map(quotedForShell).join(" ")}`;
}

interface Surroundings {
  readonly present: ReturnType<typeof presentIn>;
  readonly report: ReportLog;
  readonly texts: Map<string, SourceFile>;
}

/** Drafts the import with the settings of the project. */
async function draft(
  { folder, root }: Task,
  { imported, unread }: SourceImports,
  { present, read, report, texts }: Surroundings & { readonly read: ReadArazzo },
): Promise<ArazzoImport | undefined> {
  const open = await openSettings(root, texts, report);
  if (open === undefined) return undefined;
  const { config, kinds } = open;
  const compiling = {
    config: { ...config, skills: folder },
    kinds: kinds.registry,
    stopwatch: createStopwatch(() => performance.now()),
  };
  return draftArazzoImport(read, { sources: imported, unread, compiling, present }, report);
}

interface Finished extends Surroundings {
  readonly done: ArazzoImport | undefined;
  readonly sources: SourceImports | undefined;
}

/** Writes all files of the workflows and of the operations, or none, and prints the report. */
function finish(task: Task, { done, present, report, sources, texts }: Finished): ImportResult {
  const { context, folder, options, root } = task;
  const isCheck = options.check === true;
  const drafts = done && sources ? [...sources.imported.map((each) => each.done), done] : [];
  const writes = joinWrites(drafts, present, report);
  const whole = { writes, isDrift: drafts.some((each) => each.isDrift) };
  if (isCheck) reportCutShort(root, folder, command, report);
  if (isCheck && whole.isDrift) reportDrift(whole, present, command, report);
  const isSound = done !== undefined && !hasErrors(report.diagnostics());
  if (isSound && !isCheck) writeImport(root, folder, whole);
  const code = isSound ? exitCode.fine : exitCode.inputErrors;
  const diagnostics = report.diagnostics();
  if (options.json === true) {
    const facts = done && sources ? arazzoAsData(done, sources, writes, folder) : {};
    return { code, data: { ...diagnosticsAsData(diagnostics, [], texts), ...facts } };
  }
  const notes = groupNotes(diagnostics);
  const form = notes.length <= maxInFull ? "full" : "brief";
  printDiagnostics(context, { diagnostics: notes, accepted: [], sources: texts }, form, null);
  if (done && sources && (isSound || (isCheck && whole.isDrift)))
    context.io.stdout.write(renderArazzo(context, done, { ...whole, folder, isCheck, sources }));
  return { code };
}

function list(
  { context, options }: Task,
  read: ReadArazzo,
  { diagnostics, sources }: PrintedDiagnostics,
): ImportResult {
  if (options.json === true)
    return {
      code: exitCode.fine,
      data: { ...diagnosticsAsData(diagnostics, [], sources), ...workflowsAsData(read) },
    };
  context.io.stdout.write(renderWorkflows(context, read));
  return { code: exitCode.fine };
}
