/** Decides which files an import writes and removes, given the existing files. */
import { posix } from "node:path";
import type { Report } from "../../core/report.js";
import type { SkillFiles } from "../skills/print-files.js";
import { mergeFile } from "./merge-file.js";
import { referencesIn } from "./references.js";
import { basePath, type StoredImport } from "./stored-import.js";

export interface WritesDraft {
  /** Texts of changed files, by path below the skills folder. Those of `.gz` files are compressed. */
  readonly changed: SkillFiles;
  readonly removed: readonly string[];
  /** New files among the changed ones. */
  readonly added: ReadonlySet<string>;
  /** Existing files of people, in places of files to write. */
  readonly foreign: readonly string[];
  /** Existing files of the last import that this one would not write. */
  readonly kept: readonly string[];
}

/** The existing files, and their names for people. */
export interface Present {
  /**
   * Returns the text of a file below the skills folder, decompressed if its name ends in `.gz`;
   * undefined if there is none.
   */
  readonly read: (path: string) => string | undefined;
  /** Returns a path for people, relative to the project. */
  readonly nameOf: (path: string) => string;
  /** Source of the skills: `the API`. */
  readonly origin: string;
  /** Lists all existing files of tools and schemas, whoever wrote them. */
  readonly files: () => readonly string[];
  /** Returns the name of another import that wrote the file. */
  readonly importOf: (path: string) => string | undefined;
}

/**
 * Computes the files to write and keeps people's edits, as `mergeFile` describes.
 *
 * @param name name of the import, for the paths of its record
 */
export function draftWrites(
  name: string,
  now: SkillFiles,
  stored: StoredImport | undefined,
  { files, nameOf, origin, read }: Present,
  report: Report,
): WritesDraft {
  const changed = new Map<string, string>();
  const added = new Set<string>();
  const removed: string[] = [];
  const foreign: string[] = [];
  const tell = (path: string, message: string, help?: string): void => {
    const span = { file: nameOf(path), start: 0, end: 0 };
    report.add({ code: "import/conflict", span, message, help });
  };
  const write = (path: string, text: string): void => {
    if (read(path) === undefined) added.add(path);
    if (read(path) !== text) changed.set(path, text);
  };
  for (const [path, text] of now) {
    const [base, own] = [stored?.base.get(path), read(path)];
    if (base === undefined) {
      if (own === undefined || own === text) write(path, text);
      else foreign.push(path);
    } else if (own !== undefined) {
      const copy = nameOf(basePath(name, path));
      const merged = mergeFile({ path: nameOf(path), origin, base, own, now: text, copy }, report);
      if (merged !== undefined) write(path, merged);
    } else if (base !== text) {
      tell(
        path,
        `you removed this file, and ${origin} changed it: the import does not write it again`,
      );
    }
  }
  const kept: string[] = [];
  for (const [path, base] of stored?.base ?? []) {
    const own = now.has(path) ? undefined : read(path);
    if (own === base) removed.push(path);
    else if (own !== undefined) {
      kept.push(path);
      if (stored?.kept.has(path) !== true)
        tell(path, `${origin} no longer has this file, ${keptWords}`, adviceOnKept(path));
    }
  }
  const textOf = (path: string): string | undefined => changed.get(path) ?? read(path);
  const needed =
    removed.length === 0 ? [] : neededFiles([...now.keys(), ...files()], kept, removed, textOf);
  for (const path of needed.filter((each) => stored?.kept.has(each) !== true))
    tell(path, `${origin} no longer has this file, but a tool needs it: the import keeps it`);
  return {
    changed,
    removed: removed.filter((path) => !needed.includes(path)),
    added,
    foreign,
    kept: [...kept, ...needed],
  };
}

const keptWords = "but you changed it: the import keeps it";

function adviceOnKept(path: string): string {
  return path.endsWith(".yaml")
    ? "if calls of its tools fail now, remove the skill's folder; later imports do not change it"
    : "if nothing needs the file, remove it; later imports do not change it";
}

/**
 * Lists files that would be removed but are needed. Remaining files refer to them, or they complete
 * a skill with edited tools.
 */
function neededFiles(
  all: readonly string[],
  kept: readonly string[],
  removed: readonly string[],
  textOf: (path: string) => string | undefined,
): readonly string[] {
  const going = new Set(removed);
  const skills = new Set(
    kept.flatMap((path) => (path.endsWith(".yaml") ? [posix.dirname(path)] : [])),
  );
  const needed = new Set(
    [...going].filter((path) => path.endsWith(".md") && skills.has(posix.dirname(path))),
  );
  for (const path of all) if (!going.has(path)) needs(path);
  for (const path of needed) needs(path);
  return [...needed];

  function needs(path: string): void {
    for (const target of referencesIn(path, textOf(path) ?? ""))
      if (going.has(target)) needed.add(target);
  }
}
