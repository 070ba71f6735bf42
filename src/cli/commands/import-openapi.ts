import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { isAbsolute, join, posix, relative, sep } from "node:path";
import type { ImportRequest } from "../../import/openapi/again/stored-import.js";
import { importsFolder, readStored } from "../../import/openapi/again/stored-import.js";
import type { Present } from "../../import/openapi/again/plan-writes.js";
import {
  type Import,
  planImport,
  readImport,
  type ReadImport,
} from "../../import/openapi/import-openapi.js";
import {
  addressOfSource,
  createFetch,
  nameOfAddress,
} from "../../import/openapi/read/fetch-document.js";
import type { SourceFile } from "../../core/source-file.js";
import { createReport, type ReportLog } from "../../core/report.js";
import { readRegularFile, systemCode } from "@skillc/runtime/internal";
import type { CommandContext } from "../command-context.js";
import { visible } from "../console/visible.js";
import { allDiagnosticEntries } from "../diagnostics/all-diagnostic-entries.js";
import {
  hasErrors,
  printDiagnostics,
  printDiagnosticsJson,
  type PrintedDiagnostics,
} from "../diagnostics/print-diagnostics.js";
import { CommandFailure, type ExitCode, exitCode, orSayWhatIsInTheWay } from "../exit.js";
import { importAsData, listAsData } from "../import/report-data.js";
import { renderImport, renderOperations } from "../import/render-import.js";
import { writeFiles } from "../output/write-files.js";
import { WriteFailure } from "../output/write-output.js";
import { readSettings } from "../project/read-settings.js";
import { withProjectLock } from "./write-project.js";
import { projectRoot } from "../project/project-root.js";

/** The flags of `skillc import openapi`: absent when not given. */
export interface ImportOpenApiOptions {
  readonly into?: string;
  readonly name?: string;
  readonly skill?: string;
  readonly prefix?: string;
  readonly operation?: readonly string[];
  readonly tag?: readonly string[];
  readonly path?: readonly string[];
  readonly method?: readonly string[];
  readonly allow?: readonly string[];
  readonly list?: true;
  readonly check?: true;
  readonly json?: true;
}

/** Makes skills of a description, or brings those that were made of it up to date. */
export function importOpenApi(
  context: CommandContext,
  document: string | undefined,
  options: ImportOpenApiOptions,
): Promise<ExitCode> {
  const run = (root: string) => importInto(context, root, document, options);
  const isReading = options.list === true || options.check === true;
  return isReading ? projectRoot(context.directory).then(run) : withProjectLock(context, run);
}

async function importInto(
  context: CommandContext,
  root: string,
  document: string | undefined,
  options: ImportOpenApiOptions,
): Promise<ExitCode> {
  refuseSkillName(options);
  const folder = await skillsFolder(context, root, options);
  const sources = document === undefined ? importedBefore(root, folder) : [{ document }];
  let worst: ExitCode = exitCode.fine;
  for (const source of sources) {
    const directory = document === undefined ? root : context.directory;
    const code = await importOne({ context, root, folder, directory, options, ...source });
    if (code !== exitCode.fine) worst = code;
  }
  return worst;
}

interface Task {
  readonly context: CommandContext;
  readonly root: string;
  /** The skills folder, relative to `root`. */
  readonly folder: string;
  /** Where relative paths of documents start. */
  readonly directory: string;
  readonly options: ImportOpenApiOptions;
  readonly document: string;
  readonly name?: string;
}

async function importOne(task: Task): Promise<ExitCode> {
  const { context, document, folder, options, root } = task;
  const name = options.name ?? task.name;
  const report = createReport(allDiagnosticEntries());
  const address = addressOfSource(document, task.directory);
  const allowed = (options.allow ?? []).map((each) => addressOfSource(each, context.directory));
  const texts = new Map<string, SourceFile>();
  const fetch = createFetch({ root: address, allowed, project: realpathSync(root) });
  const reading = async (uri: string) => {
    const fetched = await fetch(uri);
    if (fetched.kind === "file") texts.set(fetched.file.path, fetched.file);
    return fetched;
  };
  const uri = withoutSecrets(address).href;
  const first = await reading(address.href);
  if (first.kind === "refused")
    throw CommandFailure.input(
      `\`${visible(nameOfAddress(address, root))}\` is not imported: ${first.message}`,
      first.help,
    );
  const present = presentIn(root, folder, texts);
  const request = requestOf(nameOfAddress(address, root), options);
  const input = {
    uri,
    file: first.file,
    fetch: reading,
    request,
    present,
    ...(name !== undefined && { name }),
  };
  const read = await readImport(input, report);
  if (read !== undefined) refuseChoice(read);
  if (read !== undefined && options.list === true) return list(task, read, report, texts);
  const done = read && planImport(read, present, report);
  const isDrift = options.check === true && done !== undefined && done.isDrift;
  if (isDrift) reportDrift(done, present, report);
  const diagnostics = report.diagnostics();
  const isSound = done !== undefined && !hasErrors(diagnostics);
  if (isSound && options.check !== true) write(root, folder, done);
  print(task, { diagnostics, accepted: [], sources: texts }, done);
  return isSound ? exitCode.fine : exitCode.inputErrors;
}

/** What follows `?` may be a token, and `user:password@` is one. */
function withoutSecrets(address: URL): URL {
  const plain = new URL(address);
  plain.username = "";
  plain.password = "";
  plain.hash = "";
  return plain;
}

function refuseSkillName({ prefix, skill }: ImportOpenApiOptions): void {
  const isName = (text: string) => /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text) && text.length <= 34;
  if (skill !== undefined && !isName(skill))
    throw CommandFailure.usage(
      `\`${visible(skill)}\` is no name for a skill`,
      "letters in lower case, digits and single hyphens, at most 34 characters: `--skill pet-store`",
    );
  if (prefix !== undefined && !/^[a-z0-9]+(?:-[a-z0-9]+)*-?$/.test(prefix))
    throw CommandFailure.usage(
      `\`${visible(prefix)}\` can't stand before the name of a skill`,
      "letters in lower case, digits and single hyphens: `--prefix crm-`",
    );
}

async function skillsFolder(
  { directory }: CommandContext,
  root: string,
  { into }: ImportOpenApiOptions,
): Promise<string> {
  if (into === undefined) return (await readSettings(root)).skills;
  const folder = relative(root, join(isAbsolute(into) ? "" : directory, into)).replaceAll(sep, "/");
  if (folder === "" || folder.startsWith("..") || isAbsolute(folder))
    throw CommandFailure.usage(
      `\`${visible(into)}\` is no folder below the project's`,
      "name the skills folder: `--into skills`",
    );
  return posix.normalize(folder);
}

/** Each API that was imported into the folder, by its record. */
function importedBefore(
  root: string,
  folder: string,
): readonly { readonly document: string; readonly name: string }[] {
  const place = join(root, folder, importsFolder);
  const isThere = lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
  const names = isThere
    ? readdirSync(place, { withFileTypes: true }).filter((each) => each.isDirectory())
    : [];
  const { read } = presentIn(root, folder, new Map());
  const found = names
    .map(({ name }) => name)
    .toSorted()
    .flatMap((name) => {
      const stored = readStored(name, read);
      return stored === undefined || stored === "broken"
        ? []
        : [{ name, document: stored.request.source }];
    });
  if (found.length > 0) return found;
  throw CommandFailure.usage(
    `nothing was imported into \`${visible(folder)}\` yet`,
    "name a document: `skillc import openapi api.yaml`",
  );
}

/** @param texts are given what is read, for whoever shows a place in it */
function presentIn(root: string, folder: string, texts: Map<string, SourceFile>): Present {
  const nameOf = (path: string): string => posix.join(folder, path);
  return {
    nameOf,
    read(path) {
      const name = nameOf(path);
      try {
        const text = readRegularFile(join(root, name), { links: false }).toString("utf8");
        texts.set(name, { path: name, text });
        return text;
      } catch (error) {
        const code = systemCode(error);
        if (code === "ENOENT" || code === "ENOTDIR") return undefined;
        if (code === undefined) throw error;
        throw CommandFailure.input(`\`${visible(name)}\` can't be read: ${code}`);
      }
    },
  };
}

function requestOf(source: string, options: ImportOpenApiOptions): ImportRequest {
  const { method, operation, path, prefix, skill, tag } = options;
  return {
    source,
    ...(skill !== undefined && { skill }),
    ...(prefix !== undefined && { prefix: prefix.endsWith("-") ? prefix : `${prefix}-` }),
    ...(operation !== undefined && { only: operation }),
    ...(tag !== undefined && { tags: tag }),
    ...(path !== undefined && { paths: path }),
    ...(method !== undefined && { methods: method.map((each) => each.toUpperCase()) }),
  };
}

function refuseChoice({ chosen, unknown }: ReadImport): void {
  const [first] = unknown;
  if (first !== undefined)
    throw CommandFailure.usage(
      `\`${visible(first)}\` names no operation of the document`,
      "`--list` without a choice shows all",
    );
  if (chosen.length === 0)
    throw CommandFailure.input("the document has no operation that was asked for");
}

function list(
  { context, options }: Task,
  read: ReadImport,
  report: ReportLog,
  sources: PrintedDiagnostics["sources"],
): ExitCode {
  const printed = { diagnostics: report.diagnostics(), accepted: [], sources };
  if (options.json === true) printDiagnosticsJson(context, printed, listAsData(read));
  else context.io.stdout.write(renderOperations(context, read));
  return exitCode.fine;
}

function reportDrift({ writes }: Import, { nameOf }: Present, report: ReportLog): void {
  const paths = [...writes.changed.keys(), ...writes.removed];
  for (const path of paths.filter((each) => !each.startsWith(`${importsFolder}/`))) {
    const isNew = writes.added.has(path);
    const isGone = writes.removed.includes(path);
    report.add({
      code: "import/out-of-date",
      span: { file: nameOf(path), start: 0, end: 0 },
      message: isGone
        ? "the document has none of this any more"
        : `this file ${isNew ? "is missing" : "is out of date"}`,
      help: "run `skillc import openapi`",
    });
  }
}

function write(root: string, folder: string, { writes }: Import): void {
  const at = (path: string): string => posix.join(folder, path);
  const changed = new Map([...writes.changed].map(([path, text]) => [at(path), text]));
  try {
    orSayWhatIsInTheWay(() =>
      writeFiles(root, folder, { changed, removed: writes.removed.map(at) }),
    );
  } catch (error) {
    if (!(error instanceof WriteFailure)) throw error;
    const path = visible(relative(root, error.path));
    throw CommandFailure.input(
      `\`${path}\` can't be written: ${error.message.replaceAll(`${root}/`, "")}`,
      "everything is as it was",
    );
  }
}

/** Of more diagnostics only errors are shown with their source. */
const mostInFull = 10;

function print(task: Task, printed: PrintedDiagnostics, done: Import | undefined): void {
  const { context, options } = task;
  if (options.json === true) {
    printDiagnosticsJson(
      context,
      printed,
      done === undefined ? {} : importAsData(done, task.folder),
    );
    return;
  }
  const isFew = printed.diagnostics.length <= mostInFull;
  printDiagnostics(context, printed, isFew ? "full" : "brief", null);
  if (done !== undefined && !(hasErrors(printed.diagnostics) && options.check !== true))
    context.io.stdout.write(renderImport(context, done, task.folder, options.check === true));
}
