import { realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { createStopwatch } from "../../compiler/stopwatch.js";
import { createReport } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import { valueOf } from "../../core/syntax-node.js";
import type { ArgumentForm } from "../../import/hub/draft-command.js";
import {
  draftHubImport,
  type HubImport,
  type HubRequest,
  readHubImport,
  type ReadHubImport,
} from "../../import/hub/import-hub.js";
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
import { importedBefore, presentIn, skillsFolder } from "../import/import-folder.js";
import { isReading, makeImports, type ImportResult, runImport } from "../import/make-imports.js";
import { entriesAsData, hubAsData } from "../import/hub-data.js";
import { renderEntries, renderHub } from "../import/render-hub.js";
import { openSettings } from "../import/open-settings.js";
import { groupNotes } from "../import/group-notes.js";
import { maxInFull } from "../import/render-parts.js";
import { refuseSkillName } from "../import/skill-names.js";
import {
  completeImports,
  reportCutShort,
  reportDrift,
  writeImport,
} from "../import/write-import.js";

/** Flags of `skillc import manifest`; absent by default. */
export interface ImportManifestOptions {
  readonly into?: string;
  readonly name?: string;
  readonly skill?: string;
  readonly only?: readonly string[];
  readonly arguments?: ArgumentForm;
  readonly image?: string;
  readonly list?: true;
  readonly check?: true;
  readonly json?: true;
}

const command = "skillc import manifest";

/** Creates or updates the skill for the tools of a hub. */
export function importManifest(
  context: CommandContext,
  file: string | undefined,
  options: ImportManifestOptions,
): Promise<ExitCode> {
  return runImport(context, options, (root) => importInto(context, root, file, options));
}

async function importInto(
  context: CommandContext,
  root: string,
  file: string | undefined,
  options: ImportManifestOptions,
): Promise<ExitCode> {
  refuseSkillName(options);
  refuseUrl(file);
  const folder = await skillsFolder(context, root, options.into);
  if (!isReading(options)) completeImports(root, folder);
  const isRecorded = file === undefined;
  const sources = isRecorded ? hubsBefore(root, folder) : [{ path: file }];
  const directory = isRecorded ? root : context.directory;
  const imports = sources.map(
    (source) => () =>
      importOne({ context, root, folder, directory, options, isRecorded, ...source }),
  );
  return makeImports(context, imports, isRecorded, options.json === true);
}

function refuseUrl(file: string | undefined): void {
  if (file === undefined || !/^[a-z][a-z0-9+.-]*:\/\//i.test(file)) return;
  throw CommandFailure.usage(
    "skillc reads hub manifests from files only: a hub's answer needs a token, which would be recorded",
    'save the answer of the hub first: `curl -H "Authorization: Bearer $TOKEN" https://hub.example.com/tools > tools.json`',
  );
}

function hubsBefore(root: string, folder: string): readonly Pick<Task, "name" | "path">[] {
  const found = importedBefore(root, folder, "manifest");
  if (found.length > 0) return found.map(({ name, request }) => ({ name, path: request.source }));
  throw CommandFailure.usage(
    `no hub manifest was imported into \`${visible(folder)}\` yet`,
    "name its file: `skillc import manifest tools.json`",
  );
}

interface Task {
  readonly context: CommandContext;
  readonly root: string;
  /** Path of the skills folder, relative to `root`. */
  readonly folder: string;
  /** Base folder for the path of the hub manifest. */
  readonly directory: string;
  readonly options: ImportManifestOptions;
  readonly path: string;
  /** True if the path comes from the record of an import, and not from the command line. */
  readonly isRecorded: boolean;
  readonly name?: string;
}

async function importOne(task: Task): Promise<ImportResult> {
  const { context, folder, options, root } = task;
  const report = createReport(allDiagnosticEntries());
  const texts = new Map<string, SourceFile>();
  const file = await readFile(task);
  texts.set(file.path, file);
  const present = presentIn(root, folder, "the hub manifest", texts);
  const name = options.name ?? task.name;
  const request = requestOf(file.path, options);
  const input = { file, present, request, ...(name !== undefined && { name }) };
  const read = readHubImport(input, report);
  if (read !== undefined) refuseChoice(read);
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
  if (isSound && options.check !== true) writeImport(root, folder, done);
  const data = print(context, task, printed(), done);
  return { code: isSound ? exitCode.fine : exitCode.inputErrors, ...(data && { data }) };
}

async function readFile(task: Task): Promise<SourceFile> {
  const { directory, isRecorded, path, root } = task;
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

/** A command to copy, with the name of a recorded file. */
function commandNaming({ context, name, options, path, root }: Task): string {
  const written = relative(context.directory, join(root, path));
  const choices = Object.entries({ "--name": name, "--into": options.into });
  const words = [
    written.startsWith("-") ? `./${written}` : written,
    ...choices.flatMap(([flag, value]) => (value === undefined ? [] : [flag, value])),
  ];
  return `${command} ${words.map(quotedForShell).join(" ")}`;
}

function requestOf(
  source: string,
  { arguments: form, image, only, skill }: ImportManifestOptions,
): HubRequest {
  return {
    source,
    ...(skill !== undefined && { skill }),
    ...(only !== undefined && { only }),
    ...(form !== undefined && { arguments: form }),
    ...(image !== undefined && { image }),
  };
}

function refuseChoice({ unknown }: ReadHubImport): void {
  const [first] = unknown;
  if (first !== undefined)
    throw CommandFailure.usage(
      `\`${visible(first)}\` is not the id of a tool in the hub manifest`,
      "`--list` shows all tools",
    );
}

/** Drafts the import with the settings of the project. */
async function draft(
  { folder, root }: Task,
  read: ReadHubImport,
  {
    present,
    report,
    texts,
  }: Pick<Parameters<typeof readHubImport>[0], "present"> & {
    readonly report: ReturnType<typeof createReport>;
    readonly texts: Map<string, SourceFile>;
  },
): Promise<HubImport | undefined> {
  const open = await openSettings(root, texts, report);
  if (open === undefined) return undefined;
  const { config, kinds } = open;
  const image = valueOf(valueOf(config.settings["commands"], "docker"), "image");
  const compiling = {
    config: { ...config, skills: folder },
    kinds: kinds.registry,
    hasImage: image !== undefined,
    stopwatch: createStopwatch(() => performance.now()),
  };
  return draftHubImport(read, compiling, present, report);
}

function list(
  { context, options }: Task,
  read: ReadHubImport,
  { diagnostics, sources }: PrintedDiagnostics,
): ImportResult {
  if (options.json === true)
    return {
      code: exitCode.fine,
      data: { ...diagnosticsAsData(diagnostics, [], sources), ...entriesAsData(read) },
    };
  context.io.stdout.write(renderEntries(context, read));
  return { code: exitCode.fine };
}

/** @returns the data that `--json` prints */
function print(
  context: CommandContext,
  { folder, options }: Task,
  printed: PrintedDiagnostics,
  done: HubImport | undefined,
): ImportResult["data"] {
  if (options.json === true) {
    const facts = done === undefined ? {} : hubAsData(done, folder);
    return { ...diagnosticsAsData(printed.diagnostics, [], printed.sources), ...facts };
  }
  const diagnostics = groupNotes(printed.diagnostics);
  const isFew = diagnostics.length <= maxInFull;
  printDiagnostics(context, { ...printed, diagnostics }, isFew ? "full" : "brief", null);
  const isDrift = options.check === true && done?.isDrift === true;
  if (done !== undefined && (isDrift || !hasErrors(printed.diagnostics)))
    context.io.stdout.write(renderHub(context, done, folder, options.check === true));
  return undefined;
}
