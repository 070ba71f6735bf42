/** Imports the OpenAPI documents that an Arazzo document names, as `skillc import openapi` does. */
import { realpathSync } from "node:fs";
import { relative } from "node:path";
import { quote } from "../../core/names.js";
import { createReport, type ReportLog } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import type { SourceDescription } from "../../import/arazzo/description.js";
import type { ReadArazzo } from "../../import/arazzo/import-arazzo.js";
import { type ImportedSource, withKnownWords, wordsFor } from "../../import/arazzo/operations.js";
import type { StoredImport } from "../../import/again/stored-import.js";
import { draftImport, readImport } from "../../import/openapi/import-openapi.js";
import { placeBelow } from "../../import/openapi/read/document.js";
import type { FetchDocument } from "../../import/openapi/read/documents.js";
import {
  addressOfSource,
  createFetch,
  nameOfAddress,
} from "../../import/openapi/read/fetch-document.js";
import { locateAll } from "../../import/openapi/read/locate.js";
import type { CommandContext } from "../command-context.js";
import { visible } from "../console/visible.js";
import { allDiagnosticEntries } from "../diagnostics/all-diagnostic-entries.js";
import { hasErrors } from "../diagnostics/print-diagnostics.js";
import { CommandFailure } from "../exit.js";
import { importedBefore, presentIn } from "./import-folder.js";

/** The documents of the operations. */
export interface SourceImports {
  readonly imported: readonly ImportedSource[];
  /** Reasons why source descriptions are not read, by their names. */
  readonly unread: ReadonlyMap<string, string>;
}

interface Task {
  readonly context: CommandContext;
  readonly root: string;
  readonly folder: string;
  readonly options: { readonly allow?: readonly string[] };
  /** True if the record of an import names the Arazzo document. */
  readonly isRecorded: boolean;
  /** Address of the Arazzo document. */
  readonly address: URL;
  readonly read: ReadArazzo;
  readonly report: ReportLog;
  readonly texts: Map<string, SourceFile>;
}

/** @returns undefined, with errors in the report, if an import of a document fails */
export async function importSources(task: Task): Promise<SourceImports | undefined> {
  const { read, report } = task;
  const { sources, workflows } = read.description;
  const imported: ImportedSource[] = [];
  const unread = new Map<string, string>();
  const errors = report.errorCount();
  for (const source of sources) {
    const words = wordsFor(workflows, source.name);
    if (words.length === 0 || imported.some(({ name }) => name === source.name)) continue;
    const result = await importSource(source, words, task);
    if ("why" in result) unread.set(source.name, result.why);
    else if (result.done !== undefined) imported.push({ name: source.name, done: result.done });
  }
  return report.errorCount() > errors ? undefined : { imported, unread };
}

type Result = { readonly why: string } | { readonly done: ImportedSource["done"] | undefined };

async function importSource(
  source: SourceDescription,
  words: readonly string[],
  task: Task,
): Promise<Result> {
  const { folder, report, root, texts } = task;
  if (source.type !== "openapi")
    return { why: `${quote(source.name)} is no OpenAPI document, and the import reads no other` };
  if (!URL.canParse(source.url, task.address.href))
    return refused(source, "its URL is not valid", undefined, task);
  const address = new URL(source.url, task.address.href);
  address.hash = "";
  const name = nameOfAddress(address, root);
  const earlier = importedBefore(root, folder, "openapi").find(
    ({ request }) => request.source === name,
  );
  refuseLessAllowed(earlier, task);
  const fetch = fetchFor(address, earlier !== undefined, task);
  const first = await fetch(address.href);
  if (first.kind === "refused") return refused(source, first.message, first.help, task);
  const own = createReport(allDiagnosticEntries());
  const present = presentIn(root, folder, "the API", texts);
  const plain = new URL(address);
  plain.username = "";
  plain.password = "";
  const allowed = earlier?.request["allow"];
  const request = {
    source: name,
    ...(Array.isArray(allowed) && { allow: allowed as readonly string[] }),
    ...(address.search !== "" && { query: "left out" as const }),
  };
  const input = { uri: plain.href, file: first.file, fetch, request, present, add: words };
  const read = await readImport({ ...input, ...(earlier && { name: earlier.name }) }, own);
  if (read !== undefined && read.chosen.length === 0)
    return { why: `no operation of ${quote(source.name)} is called like one of a step` };
  const done = read && (await draftImport(withKnownWords(read), present, own));
  const diagnostics = own.diagnostics();
  // Notes about a document that is imported already would only repeat.
  if (done?.isDrift !== false || hasErrors(diagnostics))
    for (const { severity: _, ...each } of diagnostics) report.add(each);
  return { done };
}

function refused(
  { at, name }: SourceDescription,
  why: string,
  help: string | undefined,
  { report }: Task,
): Result {
  const place = placeBelow(at, "url");
  report.add({
    code: "import/unread-reference",
    span: locateAll([place])(place),
    message: `the import does not read ${quote(name)}: ${why}`,
    help,
  });
  return { why: `the import does not read ${quote(name)}: ${why}` };
}

/**
 * Reads what the Arazzo document may name, and notes the texts. An address that was imported before is
 * read under the same limits as by `skillc import openapi` without a document.
 */
function fetchFor(
  address: URL,
  isKnown: boolean,
  { address: root, context, isRecorded, options, root: folder, texts }: Task,
): FetchDocument {
  const isPage = address.protocol !== "file:";
  const usesRecord = isRecorded || (isKnown && isPage && address.origin !== root.origin);
  const fetch = createFetch({
    root: usesRecord ? address : root,
    allowed: (options.allow ?? []).map((each) => addressOfSource(each, context.directory)),
    project: realpathSync(folder),
    environment: process.env,
    ...(usesRecord && {
      recorded: {
        help: `to read it, name it: \`skillc import openapi ${nameOfAddress(address, folder)}\``,
      },
    }),
  });
  return async (uri) => {
    const fetched = await fetch(uri);
    if (fetched.kind === "file") texts.set(fetched.file.path, fetched.file);
    return fetched;
  };
}

/** Rejects a document without the files that its earlier import was allowed to read. */
function refuseLessAllowed(
  earlier: StoredImport | undefined,
  { context, options, root }: Task,
): void {
  const given = new Set(
    (options.allow ?? []).map((each) =>
      nameOfAddress(addressOfSource(each, context.directory), root),
    ),
  );
  const before = [earlier?.request["allow"] ?? []].flat();
  const missing = before.find((each) => !given.has(each));
  if (missing !== undefined)
    throw CommandFailure.usage(
      `the last import of \`${visible(earlier?.request.source ?? "")}\` was allowed to read \`${visible(missing)}\`, but this one is not`,
      `repeat the option: \`--allow ${visible(/^https?:/.test(missing) ? missing : relative(context.directory, `${root}/${missing}`) || ".")}\``,
    );
}
