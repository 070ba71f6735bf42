/** Which files an import writes and removes, given what is there. */
import type { Report } from "../../core/report.js";
import type { SkillFiles } from "../skills/print-files.js";
import { mergeFile } from "./merge-file.js";
import type { StoredImport } from "./stored-import.js";

export interface PlannedWrites {
  /** By path below the skills folder. */
  readonly changed: SkillFiles;
  readonly removed: readonly string[];
  /** Of those changed, the ones that are new. */
  readonly added: ReadonlySet<string>;
  /** Files that no import wrote, where this one would. */
  readonly foreign: readonly string[];
}

/** What is there now, and what people are told it is called. */
export interface Present {
  /** Gives the text of a file below the skills folder; undefined where there is none. */
  readonly read: (path: string) => string | undefined;
  /** Relative to the project. */
  readonly nameOf: (path: string) => string;
  /** What the skills are made of: `the API`. */
  readonly origin: string;
}

/** What people changed stays: `mergeFile` says how. */
export function planWrites(
  now: SkillFiles,
  stored: StoredImport | undefined,
  { nameOf, origin, read }: Present,
  report: Report,
): PlannedWrites {
  const changed = new Map<string, string>();
  const added = new Set<string>();
  const removed: string[] = [];
  const foreign: string[] = [];
  const tell = (path: string, message: string): void =>
    report.add({
      code: "import/conflict",
      span: { file: nameOf(path), start: 0, end: 0 },
      message,
    });
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
      const merged = mergeFile({ path: nameOf(path), origin, base, own, now: text }, report);
      if (merged !== undefined) write(path, merged);
    } else if (base !== text) {
      tell(path, `this file was removed here, and has changed in ${origin}: it stays away`);
    }
  }
  for (const [path, base] of stored?.base ?? []) {
    const own = now.has(path) ? undefined : read(path);
    if (own === base) removed.push(path);
    else if (own !== undefined)
      tell(path, `${origin} has none of this any more, and it was changed here: it stays`);
  }
  return { changed, removed, added, foreign };
}
