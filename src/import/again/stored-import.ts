/**
 * What the last import wrote, kept beside the skills and committed with them: the base
 * from which people's edits and what has changed since are told apart. Folders that start with a dot are no
 * skills, so that nothing else reads it.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.js";
import { printJson, type SkillFiles } from "../skills/print-files.js";

/** Whose import it is: `skillc import openapi`, or `skillc import database`. */
export type ImportKind = "openapi" | "database";

/**
 * How an import was asked for, so that it can be asked for again: what it reads, and the choices
 * that were made.
 */
export interface ImportRequest {
  readonly source: string;
  readonly [choice: string]: string | readonly string[] | undefined;
}

export interface StoredImport {
  readonly kind: ImportKind;
  readonly request: ImportRequest;
  /** What becomes a tool, to its tool: `GET /pets` to `pets/list-pets`. */
  readonly names: ReadonlyMap<string, string>;
  readonly base: SkillFiles;
  /** Of the base, files that the last import would not have written: somebody needs them still. */
  readonly kept: ReadonlySet<string>;
}

/** Below the skills folder. */
export const importsFolder = ".import";

const recordName = "import.json";
const format = 1;

/** Below the skills folder. */
export function recordPath(name: string): string {
  return `${importsFolder}/${name}/${recordName}`;
}

/** The files that keep an import, by their paths below the skills folder. */
export function printStored(
  name: string,
  { base, kept, kind, names, request }: StoredImport,
): SkillFiles {
  const record: JsonObject = {
    format,
    kind,
    request: choicesIn(request),
    operations: Object.fromEntries([...names].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    files: [...base.keys()].toSorted(),
    ...(kept.size > 0 && { kept: [...kept].toSorted() }),
  };
  return new Map([
    [recordPath(name), printJson(record)],
    ...[...base].map(([path, text]) => [basePath(name, path), text] as const),
  ]);
}

function basePath(name: string, path: string): string {
  return `${importsFolder}/${name}/base/${path}`;
}

/**
 * The last import, as its files say.
 *
 * @param read gives the text of a file below the skills folder; undefined where there is none
 * @returns undefined where there is none; `broken` when the record is not as it was written
 */
export function readStored(
  name: string,
  read: (path: string) => string | undefined,
): StoredImport | "broken" | undefined {
  const text = read(recordPath(name));
  if (text === undefined) return undefined;
  const record = parsed(text);
  const { files, kept = [], kind, operations, request } = isJsonObject(record) ? record : {};
  if (!isJsonObject(record) || record["format"] !== format) return "broken";
  if (!Array.isArray(files) || !isJsonObject(operations) || !isJsonObject(request)) return "broken";
  if (kind !== "openapi" && kind !== "database") return "broken";
  const base = new Map<string, string>();
  for (const path of texts(files)) {
    if (!isPlainPath(path)) return "broken";
    const written = read(basePath(name, path));
    if (written !== undefined) base.set(path, written);
  }
  const { prefix = "", skill = "", source } = request;
  if (typeof source !== "string") return "broken";
  // Files are written below folders of these names.
  if (![prefix, skill].every((each) => each === "" || isPlainName(each))) return "broken";
  return {
    kind,
    request: { ...choicesIn(request), source },
    names: new Map(
      Object.entries(operations).flatMap(([key, id]) =>
        typeof id === "string" ? [[key, id] as const] : [],
      ),
    ),
    base,
    kept: new Set(Array.isArray(kept) ? texts(kept) : []),
  };
}

function parsed(text: string): JsonValue {
  try {
    // What `JSON.parse` gives is JSON.
    return JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
}

function texts(values: readonly unknown[]): readonly string[] {
  return values.filter((each) => typeof each === "string");
}

/** Whoever wrote the record, it names files below the skills folder. */
function isPlainPath(path: string): boolean {
  return (
    !/[\\:\p{Cc}]/u.test(path) &&
    path.split("/").every((step) => step !== "" && !step.startsWith("."))
  );
}

/** Whether it can name a folder of a skill, or begin its name. */
function isPlainName(value: JsonValue): boolean {
  return typeof value === "string" && isPlainPath(value) && !value.includes("/");
}

/** What of it says something: texts, and lists of texts. */
function choicesIn(
  request: JsonObject | ImportRequest,
): Readonly<Record<string, string | readonly string[]>> {
  return Object.fromEntries(
    Object.entries(request).flatMap(([key, value]): [string, string | readonly string[]][] => {
      if (typeof value === "string") return [[key, value]];
      return Array.isArray(value) ? [[key, texts(value)]] : [];
    }),
  );
}
