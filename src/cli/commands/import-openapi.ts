import { realpathSync } from "node:fs";
import { join, relative } from "node:path";
import {
  type Import,
  type ImportInput,
  type OpenApiRequest,
  draftImport,
  readImport,
  type ReadImport,
} from "../../import/openapi/import-openapi.js";
import type { GivenOverride } from "../../import/openapi/overrides.js";
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
import { quotedForShell } from "../console/quoted-for-shell.js";
import { visible } from "../console/visible.js";
import { allDiagnosticEntries } from "../diagnostics/all-diagnostic-entries.js";
import { diagnosticsAsData } from "../diagnostics/json.js";
import {
  hasErrors,
  printDiagnostics,
  type PrintedDiagnostics,
} from "../diagnostics/print-diagnostics.js";
import { plural } from "../diagnostics/summary.js";
import { CommandFailure, type ExitCode, exitCode } from "../exit.js";
import { groupNotes } from "../import/group-notes.js";
import { importedBefore, presentIn, skillsFolder } from "../import/import-folder.js";
import { importAsData, listAsData } from "../import/report-data.js";
import { renderImport, renderOperations } from "../import/render-import.js";
import { maxInFull } from "../import/render-parts.js";
import { isReading, makeImports, type ImportResult, runImport } from "../import/make-imports.js";
import { refuseSkillName, withHyphen } from "../import/skill-names.js";
import {
  completeImports,
  reportCutShort,
  reportDrift,
  writeImport,
} from "../import/write-import.js";

/** Flags of `skillc import openapi`; absent by default. */
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
  /** `bearer`, or `getPet=bearer` for one operation. */
  readonly auth?: readonly string[];
  readonly rename?: readonly string[];
  readonly mediaType?: readonly string[];
  readonly int64?: "number" | "string";
  readonly single?: true;
  readonly allow?: readonly string[];
  readonly list?: true;
  readonly check?: true;
  readonly json?: true;
}

/** Creates or updates the skills for an API description. */
export function importOpenApi(
  context: CommandContext,
  document: string | undefined,
  options: ImportOpenApiOptions,
): Promise<ExitCode> {
  return runImport(context, options, (root) => importInto(context, root, document, options));
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
  if (!isReading(options)) completeImports(root, folder);
  const sources = document === undefined ? documentsBefore(root, folder) : [{ document }];
  const isRecorded = document === undefined;
  const directory = isRecorded ? root : context.directory;
  const imports = sources.map(
    (source) => () =>
      importOne({ context, root, folder, directory, options, isRecorded, ...source }),
  );
  return makeImports(context, imports, document === undefined, options.json === true);
}

interface Task {
  readonly context: CommandContext;
  readonly root: string;
  /** Path of the skills folder, relative to `root`. */
  readonly folder: string;
  /** Base folder for relative paths of documents. */
  readonly directory: string;
  readonly options: ImportOpenApiOptions;
  readonly document: string;
  /** True if the document comes from the record of an import, and not from the command line. */
  readonly isRecorded: boolean;
  readonly name?: string;
  /** True if the address had a query, which `document` omits. */
  readonly hadQuery?: boolean;
}

async function importOne(task: Task): Promise<ImportResult> {
  refuseWithoutQuery(task);
  const { context, document, folder, options, root } = task;
  const name = options.name ?? task.name;
  const report = createReport(allDiagnosticEntries());
  const address = addressOfSource(document, task.directory);
  const allowed = (options.allow ?? []).map((each) => addressOfSource(each, context.directory));
  const texts = new Map<string, SourceFile>();
  const project = realpathSync(root);
  const fetch = createFetch({
    root: address,
    allowed,
    project,
    environment: process.env,
    ...(task.isRecorded && {
      recorded: { help: `to read it, name it: \`${commandNaming(task)}\`` },
    }),
  });
  const reading = async (uri: string) => {
    const fetched = await fetch(uri);
    if (fetched.kind === "file") texts.set(fetched.file.path, fetched.file);
    return fetched;
  };
  const uri = withoutSecrets(address).href;
  const first = await reading(address.href);
  if (first.kind === "refused")
    throw CommandFailure.input(
      `skillc can't import \`${visible(nameOfAddress(address, root))}\`: ${first.message}`,
      first.help,
    );
  const present = presentIn(root, folder, "the API", texts);
  const request: OpenApiRequest = {
    ...requestOf(nameOfAddress(address, root), options),
    ...(allowed.length > 0 && { allow: allowed.map((each) => nameOfAddress(each, root)) }),
    ...(address.search !== "" && { query: "left out" }),
  };
  const input = {
    uri,
    file: first.file,
    fetch: reading,
    request,
    present,
    ...(name !== undefined && { name }),
    ...choicesOf(options),
  };
  const read = await readImport(input, report);
  if (read !== undefined) refuseChoice(read);
  if (read !== undefined && options.list === true) return list(task, read, report, texts);
  if (read !== undefined) refuseReadingLess(read, task);
  const done = read && (await draftImport(read, present, report));
  const isDrift = options.check === true && done !== undefined && done.isDrift;
  if (options.check === true) reportCutShort(root, folder, "skillc import openapi", report);
  if (isDrift) reportDrift(done, present, "skillc import openapi", report);
  const diagnostics = report.diagnostics();
  const isSound = done !== undefined && !hasErrors(diagnostics);
  if (isSound && options.check !== true) writeImport(root, folder, done);
  const data = print(task, { diagnostics, accepted: [], sources: texts }, done);
  return { code: isSound ? exitCode.fine : exitCode.inputErrors, ...(data && { data }) };
}

/** Removes the query, which may contain a token, and the user and password. */
function withoutSecrets(address: URL): URL {
  const plain = new URL(address);
  plain.username = "";
  plain.password = "";
  plain.hash = "";
  return plain;
}

/** Lists documents that were imported into the folder before. */
function documentsBefore(
  root: string,
  folder: string,
): readonly Pick<Task, "document" | "hadQuery" | "name">[] {
  const found = importedBefore(root, folder, "openapi");
  if (found.length > 0)
    return found.map(({ name, request }) => ({
      name,
      document: request.source,
      hadQuery: request["query"] !== undefined,
    }));
  throw CommandFailure.usage(
    `nothing was imported into \`${visible(folder)}\` yet`,
    "name a document: `skillc import openapi api.yaml`",
  );
}

function requestOf(source: string, options: ImportOpenApiOptions): OpenApiRequest {
  const auth = authOfAll(options);
  const { int64, method, operation, path, prefix, single, skill, tag } = options;
  return {
    source,
    ...(skill !== undefined && { skill }),
    ...(single === true && { layout: "single" }),
    ...(prefix !== undefined && { prefix: withHyphen(prefix) }),
    ...(auth !== undefined && { auth }),
    ...(int64 !== undefined && { int64 }),
    ...(operation !== undefined && { only: operation }),
    ...(tag !== undefined && { tags: tag }),
    ...(path !== undefined && { paths: path }),
    ...(method !== undefined && { methods: method.map((each) => each.toUpperCase()) }),
  };
}

function choicesOf(
  options: ImportOpenApiOptions,
): Pick<ImportInput, "add" | "lists" | "overrides"> {
  return {
    overrides: overridesOf(options),
    ...(options.add !== undefined && { add: options.add }),
    lists: options.list === true,
  };
}

/** Returns the authentication for all operations. */
function authOfAll({ auth = [] }: ImportOpenApiOptions): string | undefined {
  return auth.findLast((each) => !each.includes("="));
}

function refuseAuth(options: ImportOpenApiOptions): void {
  const auth = authOfAll(options);
  if (auth !== undefined && readAuth(auth) === undefined)
    throw CommandFailure.usage(
      `\`--auth ${visible(auth)}\` is not a known authentication`,
      `write ${authForms}`,
    );
}

/** Returns the options for single operations: `getPet=show-pet`. */
function overridesOf({
  auth = [],
  mediaType = [],
  rename = [],
}: ImportOpenApiOptions): readonly GivenOverride[] {
  const given = [
    ...rename.map((text) => ({ flag: "--rename", key: "name", text }) as const),
    ...mediaType.map((text) => ({ flag: "--media-type", key: "media_type", text }) as const),
    ...auth
      .filter((each) => each.includes("="))
      .map((text) => ({ flag: "--auth", key: "auth", text }) as const),
  ];
  return given.map(({ flag, key, text }) => {
    const [, operation, value] = /^(.+)=([^=]+)$/s.exec(text) ?? [];
    if (operation === undefined || value === undefined)
      throw CommandFailure.usage(
        `\`${flag} ${visible(text)}\` does not name an operation and a value`,
        `write \`${flag} getPet=VALUE\`, or \`${flag} "GET /pets=VALUE"\``,
      );
    return { key, operation, value };
  });
}

function refuseWithoutQuery({ document, hadQuery }: Pick<Task, "document" | "hadQuery">): void {
  if (hadQuery === true)
    throw CommandFailure.usage(
      `the last import of \`${visible(document)}\` had a query (\`?…\`), which skillc does not store`,
      `write the query again: \`skillc import openapi ${quotedForShell(`${document}?…`)}\``,
    );
}

/** A command to copy, with the name of a recorded document. */
function commandNaming({ context, document, name, options, root }: Task): string {
  const isWeb = /^https?:/i.test(document);
  const path = relative(context.directory, join(root, document));
  const source = isWeb ? document : path.startsWith("-") ? `./${path}` : path;
  const choices = Object.entries({ "--name": name, "--into": options.into });
  const words = [
    source,
    ...choices.flatMap(([flag, value]) => (value === undefined ? [] : [flag, value])),
  ].map(quotedForShell);
  const check = options.check === true ? " --check" : "";
  return `skillc import openapi ${words.join(" ")}${check}`;
}

/**
 * Rejects a document that lacks the operations it had before, such as another page, or one without
 * its referenced files. Otherwise skills would be removed.
 */
function refuseReadingLess(
  { request, stored }: ReadImport,
  { context, root }: Pick<Task, "context" | "root">,
): void {
  if (request.query === undefined && stored?.request["query"] !== undefined)
    refuseWithoutQuery({ document: request.source, hadQuery: true });
  const before = stored?.request["allow"] ?? [];
  const missing = [before].flat().find((each) => request.allow?.includes(each) !== true);
  const isWeb = /^https?:/.test(missing ?? "");
  if (missing !== undefined)
    throw CommandFailure.usage(
      `the last import was allowed to read \`${visible(missing)}\`, but this one is not`,
      `repeat the option: \`--allow ${visible(isWeb ? missing : relative(context.directory, join(root, missing)) || ".")}\``,
    );
}

function refuseChoice({ api, chosen, unknown }: ReadImport): void {
  const [first] = unknown;
  if (first !== undefined)
    throw CommandFailure.usage(
      `\`${visible(first)}\` names no operation of the document`,
      "`--list` shows all operations",
    );
  if (api.operations.length === 0)
    throw CommandFailure.input(
      "the document has no operations",
      "an import makes tools from `paths`, not from webhooks",
    );
  if (chosen.length === 0)
    throw CommandFailure.input("no operation of the document matches all options");
}

function list(
  { context, options }: Task,
  read: ReadImport,
  report: ReportLog,
  sources: PrintedDiagnostics["sources"],
): ImportResult {
  if (options.json === true)
    return {
      code: exitCode.fine,
      data: { ...diagnosticsAsData(report.diagnostics(), [], sources), ...listAsData(read) },
    };
  context.io.stdout.write(renderOperations(context, read));
  return { code: exitCode.fine };
}

function losesSomething({ code }: Diagnostic): boolean {
  return code !== "import/taken-otherwise";
}

/** @returns the data that `--json` prints */
function print(
  task: Task,
  printed: PrintedDiagnostics,
  done: Import | undefined,
): ImportResult["data"] {
  const { context, options } = task;
  if (options.json === true) {
    const { diagnostics, sources } = printed;
    const facts = done === undefined ? {} : importAsData(done, task.folder);
    return { ...diagnosticsAsData(diagnostics, [], sources), ...facts };
  }
  const notes = groupNotes(printed.diagnostics);
  const isFew = notes.length <= maxInFull;
  const shown = isFew ? notes : notes.filter(losesSomething);
  printDiagnostics(context, { ...printed, diagnostics: shown }, isFew ? "full" : "brief", null);
  const others = notes.length - shown.length;
  if (others > 0)
    context.io.stderr.write(
      `${plural(others, "more note")} about shortened texts, limits that no call reaches, and one of several options: see \`--json\`\n\n`,
    );
  const isDrift = options.check === true && done?.isDrift === true;
  if (done !== undefined && (isDrift || !hasErrors(printed.diagnostics)))
    context.io.stdout.write(renderImport(context, done, task.folder, options.check === true));
  return undefined;
}
