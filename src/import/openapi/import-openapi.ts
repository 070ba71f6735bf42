/**
 * Converts the description of an API to skills:
 *
 * - `read`: documents and their parts, with their places (`documents.ts`), from files and URLs
 * (`fetch-document.ts`); validates them against the schema of their version (`check-document.ts`)
 * - `operations`: reads every version into one model, `model.ts`; `choose.ts` selects operations,
 * `given-auth.ts` replaces their authentication from the command line, and `overrides.ts` applies
 * the choices of a person for single operations
 * - `skills`: the request of each tool (`draft-request.ts`: `draft-parameters.ts` and
 * `draft-body.ts`, forms by `form-fields.ts`, maps by `fixed-names.ts`), its responses
 * (`draft-answers.ts`, events by `event-data.ts`) and its authentication (`draft-auth.ts`,
 * `token-urls.ts`). The result is a binding (`to-binding.ts`) with schemas (`components.ts`, their
 * defaults by `default-in-words.ts`, integers too large for a number by `rounded-keywords.ts`) and
 * a name (`names.ts`), printed as files (`print-skills.ts`, or without schema files by
 * `inline-components.ts`) without secrets (`mask-secrets.ts`).
 * The compiler then checks the files, and the import leaves out rejected tools (`sound-skills.ts`)
 *
 * `../again` then separates people's edits of the last import from changes in the API.
 *
 * Nothing here writes files; the command line does, all or none.
 */
import type { Report } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import { type ImportDraft, draftImportedFiles, readLastImport } from "../again/draft-import.js";
import type { Present } from "../again/draft-writes.js";
import { reportOtherSource } from "../again/other-source.js";
import type { ImportRequest, StoredImport } from "../again/stored-import.js";
import { slug } from "../skills/names.js";
import { type Choice, chooseOperations, isNamed } from "./choose.js";
import { readAuth, withAuth } from "./given-auth.js";
import type { Api } from "./model.js";
import type { Note } from "./note.js";
import { formatOf, readApi } from "./operations/read-api.js";
import {
  type GivenOverride,
  type Overrides,
  readOverrides,
  reportOtherNames,
  withOverrides,
} from "./overrides.js";
import { checkDocument } from "./read/check-document.js";
import { type Documents, type FetchDocument, loadDocuments } from "./read/documents.js";
import { locateAll } from "./read/locate.js";
import { buildSkills, type BuiltApi, type Outcome } from "./skills/build-skills.js";
import { apiName, keyOf } from "./skills/names.js";
import { maskSecrets } from "./skills/mask-secrets.js";
import { printSkills } from "./skills/print-skills.js";
import { soundSkills } from "./skills/sound-skills.js";
import { literalTokenUrls } from "./skills/token-urls.js";

/** Options of an API import. */
export type OpenApiRequest = {
  /** Path relative to the project, or a URL, without user, password and query. */
  readonly source: string;
  readonly skill?: string;
  /** Set to write one skill without files for its schemas. */
  readonly layout?: "single";
  readonly prefix?: string;
  /** Authentication of calls, which replaces the document's (`given-auth.ts`). */
  readonly auth?: string;
  /** Form of 64-bit integers; numbers if absent. */
  readonly int64?: string;
  /** Further places that the document may refer to. */
  readonly allow?: readonly string[];
  /** Set if the address had a query. The query may be a secret, so it is not recorded. */
  readonly query?: "left out";
} & Choice;

export interface ImportInput {
  /** The description's address and text. */
  readonly uri: string;
  readonly file: SourceFile;
  readonly fetch: FetchDocument;
  /** Options from the command line; missing options keep the values of the last import. */
  readonly request: OpenApiRequest;
  /** Choices for single operations. */
  readonly overrides?: readonly GivenOverride[];
  /** Operations to add to those of the last choice. */
  readonly add?: readonly string[];
  /** True to list all operations, whatever was chosen the last time. */
  readonly lists?: boolean;
  /** Name of the API; derived from its title if absent. */
  readonly name?: string;
  readonly present: Present;
}

/** A description and its selected operations. */
export interface ReadImport {
  readonly api: Api;
  readonly documents: Documents;
  readonly name: string;
  readonly request: OpenApiRequest;
  readonly stored: StoredImport | undefined;
  readonly chosen: Api["operations"];
  readonly overrides: Overrides;
  /** Words of a new choice without a match. */
  readonly unknown: readonly string[];
  /** True if the choice of operations differs from the last one. */
  readonly isOtherChoice: boolean;
}

export interface Import extends ReadImport, ImportDraft {
  readonly built: BuiltApi;
}

/** @returns undefined, with an error in `report`, if the description can't be read */
export async function readImport(
  input: ImportInput,
  report: Report,
): Promise<ReadImport | undefined> {
  const documents = await loadDocuments(input.uri, input.file, input.fetch, report);
  if (documents === undefined) return undefined;
  const described = readApi(documents, report);
  const format = formatOf(documents.root);
  if (described === undefined || format === undefined) return undefined;
  const name = input.name === undefined ? apiName(described.title) : slug(input.name, "api");
  const stored = readLastImport("openapi", name, input.present, report);
  if (stored === "unusable") return undefined;
  const source = {
    name,
    source: input.request.source,
    file: documents.root.at.document.file.path,
    keys: described.operations.map(keyOf),
    things: "operations",
  };
  if (stored && input.name === undefined && reportOtherSource(source, stored, report))
    return undefined;
  const given = withAdded(input.request, input.add, stored);
  const request = withStored(given, stored?.request, input.lists === true);
  const scheme = request.auth === undefined ? undefined : readAuth(request.auth);
  const overrides = readOverrides(name, input.overrides ?? [], input.present, report);
  if (overrides === undefined) return undefined;
  const plain = scheme ? withAuth(described, scheme, documents.root.at) : described;
  const wrong = (input.overrides ?? []).filter(
    (given) => !plain.operations.some((each) => isNamed(each, given.operation)),
  );
  const api = withOverrides(plain, overrides, report);
  const { operations, unknown } = chooseOperations(api.operations, request);
  const isChosen = makesChoice(given);
  // Former operations that no longer exist are a change in the API, and not unknown words.
  const before = new Set(isChosen && input.request.only === undefined ? chosenBefore(stored) : []);
  const notes = [
    ...documents.notes,
    ...api.notes,
    ...checkDocument(documents.root.at.document, format.version),
  ];
  reportNotes(notes, report);
  return {
    api,
    documents,
    name,
    request,
    stored,
    chosen: operations,
    overrides,
    unknown: [
      ...(isChosen ? unknown.filter((word) => !before.has(word)) : []),
      ...wrong.map(({ operation }) => operation),
    ],
    isOtherChoice: isChosen && stored !== undefined,
  };
}

const choices = ["only", "tags", "paths", "methods"] as const;

function makesChoice(request: OpenApiRequest): boolean {
  return choices.some((key) => request[key] !== undefined);
}

/** Adds operations to the last choice. */
function withAdded(
  request: OpenApiRequest,
  add: readonly string[] | undefined,
  stored: StoredImport | undefined,
): OpenApiRequest {
  if (add === undefined) return request;
  const isAll = stored !== undefined && choices.every((key) => stored.request[key] === undefined);
  // The last choice already has all operations.
  if (isAll && request.only === undefined) return request;
  const before = request.only ?? chosenBefore(stored);
  return { ...request, only: [...new Set([...before, ...add])] };
}

/** Returns the names of the last choice, or else every operation that became a tool. */
function chosenBefore(stored: StoredImport | undefined): readonly string[] {
  const named = stored?.request["only"];
  return named === undefined ? [...(stored?.names.keys() ?? [])] : [named].flat();
}

/** Completes the request with the choices of the last import. */
function withStored(
  request: OpenApiRequest,
  stored: ImportRequest | undefined,
  isForAll: boolean,
): OpenApiRequest {
  if (stored === undefined) return request;
  const isChosen = isForAll || makesChoice(request);
  const lists = choices.flatMap((key) => {
    const list = stored[key];
    return Array.isArray(list) && !isChosen ? [[key, list as readonly string[]] as const] : [];
  });
  const { auth, int64, layout, prefix, skill } = stored;
  return {
    ...(typeof auth === "string" && { auth }),
    ...(typeof int64 === "string" && { int64 }),
    ...(typeof skill === "string" && { skill }),
    ...(layout === "single" && { layout }),
    ...(typeof prefix === "string" && { prefix }),
    ...Object.fromEntries(lists),
    ...request,
  };
}

const withoutSingle = "omit `--single`: each large schema then becomes a file of its own";

/** Drafts the skills for the operations, and the steps to write them. */
export async function draftImport(
  read: ReadImport,
  present: Present,
  report: Report,
): Promise<Import | undefined> {
  const { api, chosen, documents, name, request, stored } = read;
  const isSingle = request.layout === "single";
  const skill = request.skill ?? (isSingle ? name : undefined);
  const options = {
    name,
    prefix: request.prefix ?? "",
    known: stored?.names ?? new Map(),
    literalTokenUrls: literalTokenUrls(stored?.base ?? new Map(), present.read),
    ...(skill !== undefined && { skill }),
    ...(request.int64 !== undefined && { int64: request.int64 }),
  };
  const { built, files, notes } = await soundSkills(chosen, {
    build: (operations) => buildSkills(api, operations, documents, options),
    print: (drafted, accepted) =>
      maskSecrets(
        printSkills(api, drafted, { int64: request.int64, accepted, isSingle }),
        documents.root.at,
      ),
    helpOn: (code) => (isSingle && code === "schema/too-large" ? withoutSingle : undefined),
  });
  reportNotes([...built.notes, ...notes], report);
  reportOutcomes(built.outcomes, built.notes, report);
  reportOtherNames(built.outcomes, read.overrides, report);
  const names = new Map(
    built.outcomes.flatMap(({ operation, skill, tool }) =>
      skill === undefined ? [] : [[keyOf(operation), `${skill}/${tool}`] as const],
    ),
  );
  const made = {
    kind: "openapi",
    name,
    names,
    request: { ...request },
    stored,
    files,
    source: { file: documents.root.at.document.file.path, things: "operation of the document" },
    help: {
      fewer: `choose fewer operations with \`--only\`, \`--tag\` or \`--path\`${isSingle || skill !== undefined ? `, or omit \`--${isSingle ? "single" : "skill"}\`` : ""}`,
      otherNames:
        "give the skills other names with `--prefix crm-`, or make one skill with `--skill`",
    },
  } as const;
  const draft = draftImportedFiles(made, present, report);
  if (draft === undefined) return undefined;
  const { path, text } = read.overrides;
  const changed = new Map([
    ...draft.writes.changed,
    ...(text === undefined ? [] : [[path, text] as const]),
  ]);
  return { ...read, ...draft, writes: { ...draft.writes, changed }, built };
}

/** All notes about an operation; the reason why it is not a tool comes last. */
export function notesOf({ notes, obstacle }: Outcome): readonly Note[] {
  return obstacle === undefined
    ? notes
    : [...notes, { ...obstacle, code: "import/operation-left-out" }];
}

/**
 * @param shared notes that are already reported, because a tool that uses a component repeats them
 */
function reportOutcomes(
  outcomes: readonly Outcome[],
  shared: readonly Note[],
  report: Report,
): void {
  const known = new Set(shared.map(identityOf));
  const locate = locateAll(outcomes.flatMap(notesOf).map(({ at }) => at));
  for (const outcome of outcomes) {
    const { skill, tool } = outcome;
    const named = report.within({
      ...(skill !== undefined && { skill }),
      ...(tool !== undefined && { tool }),
    });
    const own = notesOf(outcome).filter((note) => !known.has(identityOf(note)));
    for (const { at, ...note } of own) named.add({ ...note, span: locate(at) });
  }
}

function identityOf({ at, code, message }: Note): string {
  return JSON.stringify([code, message, at.document.uri, at.pointer]);
}

function reportNotes(notes: readonly Note[], report: Report): void {
  const locate = locateAll(notes.map(({ at }) => at));
  for (const { at, ...note } of notes) report.add({ ...note, span: locate(at) });
}
