/**
 * What the last import of an API wrote, kept beside the skills and committed with them: the base
 * from which people's edits and the API's are told apart. Folders that start with a dot are no
 * skills, so that nothing else reads it.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../../../core/json.js";
import type { SkillFiles } from "../skills/print-skills.js";
import { printJson } from "../skills/print-skills.js";

/** How an import was asked for, so that it can be asked for again. */
export interface ImportRequest {
  /** Relative to the project, or a URL, without a user, a password or a query. */
  readonly source: string;
  readonly skill?: string;
  readonly prefix?: string;
  readonly only?: readonly string[];
  readonly tags?: readonly string[];
  readonly paths?: readonly string[];
  readonly methods?: readonly string[];
}

export interface StoredImport {
  readonly request: ImportRequest;
  /** `GET /pets` to `pets/list-pets`. */
  readonly names: ReadonlyMap<string, string>;
  readonly base: SkillFiles;
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
export function printStored(name: string, { base, names, request }: StoredImport): SkillFiles {
  const record: JsonObject = {
    format,
    request: { ...request },
    operations: Object.fromEntries([...names].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    files: [...base.keys()].toSorted(),
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
  const { files, operations, request } = isJsonObject(record) ? record : {};
  if (!isJsonObject(record) || record["format"] !== format) return "broken";
  if (!Array.isArray(files) || !isJsonObject(operations) || !isJsonObject(request)) return "broken";
  const base = new Map<string, string>();
  for (const path of texts(files)) {
    if (!isPlainPath(path)) return "broken";
    const written = read(basePath(name, path));
    if (written !== undefined) base.set(path, written);
  }
  const source = request["source"];
  if (typeof source !== "string") return "broken";
  return {
    request: { source, ...textsOf(request), ...listsOf(request) },
    names: new Map(
      Object.entries(operations).flatMap(([key, id]) =>
        typeof id === "string" ? [[key, id] as const] : [],
      ),
    ),
    base,
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

function texts(values: readonly JsonValue[]): readonly string[] {
  return values.filter((each) => typeof each === "string");
}

/** Whoever wrote the record, it names files below the skills folder. */
function isPlainPath(path: string): boolean {
  return (
    !/[\\:\p{Cc}]/u.test(path) &&
    path.split("/").every((step) => step !== "" && !step.startsWith("."))
  );
}

function textsOf(request: JsonObject): Pick<ImportRequest, "skill" | "prefix"> {
  const { prefix, skill } = request;
  return {
    ...(typeof skill === "string" && { skill }),
    ...(typeof prefix === "string" && { prefix }),
  };
}

function listsOf(request: JsonObject): Pick<ImportRequest, "only" | "tags" | "paths" | "methods"> {
  const lists = ["only", "tags", "paths", "methods"].flatMap((key) => {
    const list = request[key];
    return Array.isArray(list) ? [[key, texts(list)] as const] : [];
  });
  return Object.fromEntries(lists);
}
