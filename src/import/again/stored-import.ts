/**
 * The record of the last import, stored beside the skills and committed with them. It is the base
 * that separates people's edits from changes in the source. Folders that start with a dot are not
 * skills, so nothing else reads it.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.js";
import { printJson, type SkillFiles } from "../skills/print-files.js";

/** Commands of imports: `skillc import openapi`. */
const importKinds = ["openapi", "database", "manifest", "auto-agent", "arazzo"] as const;
export type ImportKind = (typeof importKinds)[number];

/** The options of an import, stored to repeat it: the source and the choices. */
export interface ImportRequest {
  readonly source: string;
  readonly [choice: string]: string | readonly string[] | undefined;
}

export interface StoredImport {
  readonly kind: ImportKind;
  readonly request: ImportRequest;
  /** Tool of each operation: `GET /pets` to `pets/list-pets`. */
  readonly names: ReadonlyMap<string, string>;
  readonly base: SkillFiles;
  /** Base files that the last import would not have written, but that are still needed. */
  readonly kept: ReadonlySet<string>;
}

/** Folder of the records, below the skills folder. */
export const importsFolder = ".import";

const recordName = "import.json";
const format = 1;

/** Path of an import's record, below the skills folder. */
export function recordPath(name: string): string {
  return `${importsFolder}/${name}/${recordName}`;
}

/** Prints the record of an import, by paths below the skills folder. */
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

/** Path of the compressed copy of a file, as an import wrote the file. */
export function basePath(name: string, path: string): string {
  return `${plainBasePath(name, path)}.gz`;
}

/** Path of the copy in a record of an earlier skillc, which did not compress copies. */
export function plainBasePath(name: string, path: string): string {
  return `${importsFolder}/${name}/base/${path}`;
}

/**
 * Reads the record of the last import.
 *
 * @param read returns the text of a file below the skills folder, also of a compressed one; undefined
 * if there is none
 * @returns undefined if there is no record; `broken` if somebody changed it
 */
export function readStored(
  name: string,
  read: (path: string) => string | undefined,
): StoredImport | "broken" | undefined {
  const text = read(recordPath(name));
  if (text === undefined) return undefined;
  const record = parsed(text);
  const { files, kept = [], operations, request } = isJsonObject(record) ? record : {};
  if (!isJsonObject(record) || record["format"] !== format) return "broken";
  if (!Array.isArray(files) || !isJsonObject(operations) || !isJsonObject(request)) return "broken";
  const kind = importKinds.find((each) => each === record["kind"]);
  if (kind === undefined) return "broken";
  const base = new Map<string, string>();
  for (const path of texts(files)) {
    if (!isPlainPath(path)) return "broken";
    const written = read(basePath(name, path)) ?? read(plainBasePath(name, path));
    if (written !== undefined) base.set(path, written);
  }
  const { prefix = "", skill = "", source } = request;
  if (typeof source !== "string") return "broken";
  // Files are written below folders with these names.
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
    // JSON.parse returns a JSON value.
    return JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
}

function texts(values: readonly unknown[]): readonly string[] {
  return values.filter((each) => typeof each === "string");
}

/** Checks that a path is below the skills folder, because anybody may have written the record. */
function isPlainPath(path: string): boolean {
  return (
    !/[\\:\p{Cc}]/u.test(path) &&
    path.split("/").every((step) => step !== "" && !step.startsWith("."))
  );
}

/** Checks if the value can be the name of a skill's folder, or the start of one. */
function isPlainName(value: JsonValue): boolean {
  return typeof value === "string" && isPlainPath(value) && !value.includes("/");
}

/** Returns the choices that are texts or lists of texts. */
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
