import { realpathSync } from "node:fs";
import {
  type Import,
  type OpenApiRequest,
  planImport,
  readImport,
  type ReadImport,
} from "../../import/openapi/import-openapi.js";
import { authForms, readAuth } from "../../import/openapi/given-auth.js";
import {
  addressOfSource,
  createFetch,
  nameOfAddress,
} from "../../import/openapi/read/fetch-document.js";
import type { Diagnostic } from "../../core/diagnostic.js";
import type { SourceFile } from "../../core/source-file.js";
import { createReport, type ReportLog } from "../../core/report.js";
import type { CommandContext } from "../command-context.js";
import { visible } from "../console/visible.js";
import { allDiagnosticEntries } from "../diagnostics/all-diagnostic-entries.js";
import {
  hasErrors,
  printDiagnostics,
  printDiagnosticsJson,
  type PrintedDiagnostics,
} from "../diagnostics/print-diagnostics.js";
import { plural } from "../diagnostics/summary.js";
import { CommandFailure, type ExitCode, exitCode } from "../exit.js";
import { importedBefore, presentIn, skillsFolder } from "../import/import-folder.js";
import { importAsData, listAsData } from "../import/report-data.js";
import { renderImport, renderOperations } from "../import/render-import.js";
import { refuseSkillName, withHyphen } from "../import/skill-names.js";
import { reportDrift, writeImport } from "../import/write-import.js";
import { projectRoot } from "../project/project-root.js";
import { withProjectLock } from "./write-project.js";

/** The flags of `skillc import openapi`: absent when not given. */
export interface ImportOpenApiOptions {
  readonly into?: string;
  readonly name?: string;
  readonly skill?: string;
  readonly prefix?: string;
  readonly operation?: readonly string[];
  readonly add?: readonly string[];
  readonly tag?: readonly string[];
  readonly path?: readonly string[];
  readonly method?: readonly string[];
  readonly auth?: string;
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
  refuseAuth(options);
  const folder = await skillsFolder(context, root, options.into);
  const sources = document === undefined ? documentsBefore(root, folder) : [{ document }];
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
  const project = realpathSync(root);
  const fetch = createFetch({ root: address, allowed, project, environment: process.env });
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
  const present = presentIn(root, folder, "the API", texts);
  const request = requestOf(nameOfAddress(address, root), options);
  const input = {
    uri,
    file: first.file,
    fetch: reading,
    request,
    present,
    ...(name !== undefined && { name }),
    ...(options.add !== undefined && { add: options.add }),
  };
  const read = await readImport(input, report);
  if (read !== undefined) refuseChoice(read);
  if (read !== undefined && options.list === true) return list(task, read, report, texts);
  const done = read && (await planImport(read, present, report));
  const isDrift = options.check === true && done !== undefined && done.isDrift;
  if (isDrift) reportDrift(done, present, "skillc import openapi", report);
  const diagnostics = report.diagnostics();
  const isSound = done !== undefined && !hasErrors(diagnostics);
  if (isSound && options.check !== true) writeImport(root, folder, done);
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

/** Each document that was imported into the folder. */
function documentsBefore(
  root: string,
  folder: string,
): readonly { readonly document: string; readonly name: string }[] {
  const found = importedBefore(root, folder, "openapi");
  if (found.length > 0) return found.map(({ name, source }) => ({ name, document: source }));
  throw CommandFailure.usage(
    `nothing was imported into \`${visible(folder)}\` yet`,
    "name a document: `skillc import openapi api.yaml`",
  );
}

function requestOf(source: string, options: ImportOpenApiOptions): OpenApiRequest {
  const { auth, method, operation, path, prefix, skill, tag } = options;
  return {
    source,
    ...(skill !== undefined && { skill }),
    ...(prefix !== undefined && { prefix: withHyphen(prefix) }),
    ...(auth !== undefined && { auth }),
    ...(operation !== undefined && { only: operation }),
    ...(tag !== undefined && { tags: tag }),
    ...(path !== undefined && { paths: path }),
    ...(method !== undefined && { methods: method.map((each) => each.toUpperCase()) }),
  };
}

function refuseAuth({ auth }: ImportOpenApiOptions): void {
  if (auth !== undefined && readAuth(auth) === undefined)
    throw CommandFailure.usage(`\`--auth ${visible(auth)}\` is none`, `write ${authForms}`);
}

function refuseChoice({ api, chosen, unknown }: ReadImport): void {
  const [first] = unknown;
  if (first !== undefined)
    throw CommandFailure.usage(
      `\`${visible(first)}\` names no operation of the document`,
      "`--list` without a choice shows all",
    );
  if (api.operations.length === 0)
    throw CommandFailure.input(
      "the document has no operations",
      "tools are made of what stands below `paths`; a webhook is a call that the API makes",
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

function losesSomething({ code }: Diagnostic): boolean {
  return code !== "import/taken-otherwise";
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
  const shown = isFew ? printed.diagnostics : printed.diagnostics.filter(losesSomething);
  printDiagnostics(context, { ...printed, diagnostics: shown }, isFew ? "full" : "brief", null);
  const others = printed.diagnostics.length - shown.length;
  if (others > 0)
    context.io.stderr.write(
      `${plural(others, "more note")} on texts that are cut, or one way of several: see \`--json\`\n\n`,
    );
  if (done !== undefined && !(hasErrors(printed.diagnostics) && options.check !== true))
    context.io.stdout.write(renderImport(context, done, task.folder, options.check === true));
}
