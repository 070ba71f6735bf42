/**
 * A description of an API becomes skills:
 *
 * - `read`: documents and the parts of them, with their places (`documents.ts`), from files and
 *   URLs (`fetch-document.ts`); whether they are as their version's schema says
 *   (`check-document.ts`)
 * - `operations`: any version as one model, `model.ts`; `choose.ts` takes some of them
 * - `skills`: what each tool takes, sends and answers (`plan-request.ts`, `plan-answers.ts`,
 *   `plan-auth.ts`), as a binding (`to-binding.ts`), with its schemas (`components.ts`), under its
 *   name (`names.ts`), as files (`print-skills.ts`)
 * - `again`: what people made of the last import stays (`plan-writes.ts`), and what has changed in
 *   the API is told (`api-changes.ts`)
 *
 * Nothing here writes: the command line does, all or nothing.
 */
import type { CatalogComparison } from "../../compiler/compare-tools/compare-catalogs.js";
import { parseTree } from "../../compiler/parse/parse-json.js";
import { mostBytes } from "../../compiler/read/read-file.js";
import { quote } from "../../core/names.js";
import { collectDiagnostics, type Report } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import { compareImports } from "./again/api-changes.js";
import { type PlannedWrites, planWrites, type Present } from "./again/plan-writes.js";
import {
  type ImportRequest,
  printStored,
  readStored,
  recordPath,
  type StoredImport,
} from "./again/stored-import.js";
import { chooseOperations } from "./choose.js";
import type { Api } from "./model.js";
import type { Note } from "./note.js";
import { formatOf, readApi } from "./operations/read-api.js";
import { checkDocument } from "./read/check-document.js";
import { type Documents, type FetchDocument, loadDocuments } from "./read/documents.js";
import { locateAll } from "./read/locate.js";
import { buildSkills, type BuiltApi, type Outcome } from "./skills/build-skills.js";
import { apiName, keyOf, slug } from "./skills/names.js";
import { printSkills } from "./skills/print-skills.js";

export interface ImportInput {
  /** The description's address and text. */
  readonly uri: string;
  readonly file: SourceFile;
  readonly fetch: FetchDocument;
  /** As the command line says it; what it leaves out is as it was the last time. */
  readonly request: ImportRequest;
  /** What the API is called; from its title when not given. */
  readonly name?: string;
  readonly present: Present;
}

/** A description that was read, and the operations that are meant. */
export interface ReadImport {
  readonly api: Api;
  readonly documents: Documents;
  readonly name: string;
  readonly request: ImportRequest;
  readonly stored: StoredImport | undefined;
  readonly chosen: Api["operations"];
  /** Words of the choice that name nothing. */
  readonly unknown: readonly string[];
}

export interface Import extends ReadImport {
  readonly built: BuiltApi;
  readonly writes: PlannedWrites;
  /** What has changed in the API since the last import; undefined where this is the first. */
  readonly changes?: CatalogComparison;
  /** Whether a file of a tool would change or go: what is kept of the import alone doesn't count. */
  readonly isDrift: boolean;
}

/** @returns undefined, with an error in `report`, when it can't be read */
export async function readImport(
  input: ImportInput,
  report: Report,
): Promise<ReadImport | undefined> {
  const documents = await loadDocuments(input.uri, input.file, input.fetch, report);
  if (documents === undefined) return undefined;
  const api = readApi(documents, report);
  const format = formatOf(documents.root);
  if (api === undefined || format === undefined) return undefined;
  const name = input.name === undefined ? apiName(api.title) : slug(input.name, "api");
  const stored = readStored(name, input.present.read);
  if (stored === "broken") {
    report.add({
      code: "import/broken-record",
      span: { file: input.present.nameOf(recordPath(name)), start: 0, end: 0 },
      message: "the record of the last import is not as skillc wrote it",
      help: "take it from the last commit; without it, remove its folder and the skills that it wrote",
    });
    return undefined;
  }
  const request = withStored(input.request, stored?.request);
  const { operations, unknown } = chooseOperations(api.operations, request);
  const notes = [
    ...documents.notes,
    ...api.notes,
    ...checkDocument(documents.root.at.document, format.version),
  ];
  reportNotes(notes, report);
  return { api, documents, name, request, stored, chosen: operations, unknown };
}

const choices = ["only", "tags", "paths", "methods"] as const;

/** A choice that is not made again is the one that was made. */
function withStored(request: ImportRequest, stored: ImportRequest | undefined): ImportRequest {
  if (stored === undefined) return request;
  const isChosen = choices.some((key) => request[key] !== undefined);
  const { only, paths, prefix, skill, tags, methods } = stored;
  const before = isChosen ? {} : { only, tags, paths, methods };
  const kept = Object.entries({ prefix, skill, ...before }).filter(
    ([, value]) => value !== undefined,
  );
  return { ...Object.fromEntries(kept), ...request };
}

/** The skills of what was read, and what has to be done for them to be there. */
export function planImport(read: ReadImport, present: Present, report: Report): Import | undefined {
  const { api, chosen, documents, name, request, stored } = read;
  const built = buildSkills(api, chosen, documents, {
    name,
    prefix: request.prefix ?? "",
    known: stored?.names ?? new Map(),
    ...(request.skill !== undefined && { skill: request.skill }),
  });
  reportNotes(built.notes, report);
  reportOutcomes(built.outcomes, report);
  const files = printSkills(api, built);
  for (const [path, text] of files) checkPrinted(present.nameOf(path), text, report);
  const errors = report.errorCount();
  const writes = planWrites(files, stored, present, report);
  for (const path of writes.foreign)
    report.add({
      code: "import/foreign-file",
      span: { file: present.nameOf(path), start: 0, end: 0 },
      message: "this file is there already, and no import of this API wrote it",
      help: "give the skills other names: `--prefix crm-`, or `--skill` for one of all",
    });
  if (report.errorCount() > errors) return undefined;
  const names = new Map(
    built.outcomes.flatMap(({ operation, skill, tool }) =>
      skill === undefined ? [] : [[keyOf(operation), `${skill}/${tool}`] as const],
    ),
  );
  const kept = printStored(name, { request, names, base: files });
  const goneOfBase = [...(stored?.base.keys() ?? [])].filter((path) => !files.has(path));
  const record = withRecord(kept, goneOfBase, name, present);
  return {
    ...read,
    built,
    isDrift: writes.changed.size + writes.removed.length > 0,
    writes: {
      ...writes,
      changed: new Map([...writes.changed, ...record.changed]),
      removed: [...writes.removed, ...record.removed],
    },
    ...(stored && { changes: compareImports(stored.base, files) }),
  };
}

function withRecord(
  kept: ReadonlyMap<string, string>,
  gone: readonly string[],
  name: string,
  { read }: Present,
): {
  readonly changed: readonly (readonly [string, string])[];
  readonly removed: readonly string[];
} {
  return {
    changed: [...kept].filter(([path, text]) => read(path) !== text),
    removed: gone.map((path) => recordPath(name).replace(/[^/]+$/, `base/${path}`)),
  };
}

/** All that is told of an operation, what keeps it from being a tool last. */
export function notesOf({ notes, obstacle }: Outcome): readonly Note[] {
  return obstacle === undefined
    ? notes
    : [...notes, { ...obstacle, code: "import/operation-left-out" }];
}

function reportOutcomes(outcomes: readonly Outcome[], report: Report): void {
  const locate = locateAll(outcomes.flatMap(notesOf).map(({ at }) => at));
  for (const outcome of outcomes) {
    const { skill, tool } = outcome;
    const named = report.within({
      ...(skill !== undefined && { skill }),
      ...(tool !== undefined && { tool }),
    });
    for (const { at, ...note } of notesOf(outcome)) named.add({ ...note, span: locate(at) });
  }
}

function reportNotes(notes: readonly Note[], report: Report): void {
  const locate = locateAll(notes.map(({ at }) => at));
  for (const { at, ...note } of notes) report.add({ ...note, span: locate(at) });
}

/** What the compiler could not read must not be written. */
function checkPrinted(path: string, text: string, report: Report): void {
  const found = collectDiagnostics();
  const size = Buffer.byteLength(text);
  if (size <= mostBytes && path.endsWith(".yaml")) parseTree({ path, text }, found.report);
  const [first] = found.diagnostics;
  if (size <= mostBytes && first === undefined) return;
  report.add({
    code: "import/too-large",
    span: { file: path, start: 0, end: 0 },
    message: `${quote(path)} would be more than is read of a file: ${first?.message ?? `it is larger than ${mostBytes / 1024 / 1024} MiB`}`,
    help: "choose fewer operations, by `--tag` or `--path`, or leave `--skill` out",
  });
}
