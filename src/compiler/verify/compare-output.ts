import { readChecksums } from "../../core/checksums.js";
import type { OutputFile } from "../../core/output.js";
import { provenanceOf } from "../../core/provenance.js";
import { compareText } from "../../core/report.js";

/** Differences between the output folder and its intended content. */
export interface OutputComparison {
  /** Files to write, sorted by path: new ones, and those with another text. */
  readonly changed: readonly OutputFile[];
  /** Paths of the new files. */
  readonly added: readonly string[];
  /** Number of unchanged files. */
  readonly unchanged: number;
  /** Paths of skillc's files that are no longer needed. */
  readonly stale: readonly string[];
  /** Paths of skillc's files that somebody changed, and that it would replace or remove. */
  readonly handEdited: readonly string[];
  /** Paths of files that skillc didn't write, in the places of files to write. */
  readonly foreign: readonly string[];
}

/** @param previous current files of the output folder, by path below it */
export function compareOutput(
  wanted: readonly OutputFile[],
  previous: ReadonlyMap<string, string>,
): OutputComparison {
  const changed = wanted
    .filter((file) => !isSameText(previous.get(file.path), file.text))
    .toSorted((a, b) => compareText(a.path, b.path));
  const wantedPaths = new Set(wanted.map((file) => file.path));
  const touched = new Set(changed.map((file) => file.path));
  const stale: string[] = [];
  const handEdited: string[] = [];
  const foreign: string[] = [];
  const known = readChecksums(previous);
  for (const [path, text] of previous) {
    const leftOver = !wantedPaths.has(path);
    if (!leftOver && !touched.has(path)) continue;
    const provenance = provenanceOf({ path, text }, known);
    if (provenance === "edited") handEdited.push(path);
    if (provenance === "foreign" && !leftOver) foreign.push(path);
    if (provenance !== "foreign" && leftOver) stale.push(path);
  }
  return {
    changed,
    added: changed.map((file) => file.path).filter((path) => !previous.has(path)),
    unchanged: wanted.length - changed.length,
    stale: stale.toSorted(compareText),
    handEdited: handEdited.toSorted(compareText),
    foreign: foreign.toSorted(compareText),
  };
}

/** Compares texts. Differences in line ends don't count, because Git may change them. */
function isSameText(before: string | undefined, now: string): boolean {
  return before === now || before?.replaceAll("\r\n", "\n") === now.replaceAll("\r\n", "\n");
}

/** Checks if the output folder has its intended content. */
export function isUpToDate({ changed, stale }: OutputComparison): boolean {
  return changed.length === 0 && stale.length === 0;
}
