import { readChecksums } from "../../core/checksums.js";
import type { OutputFile } from "../../core/output.js";
import { provenanceOf } from "../../core/provenance.js";
import { compareText } from "../../core/report.js";

/** How the output folder differs from what it should hold. */
export interface OutputComparison {
  /** Files to write: new ones, and those with another text; sorted by path. */
  readonly changed: readonly OutputFile[];
  /** Paths of those that are new. */
  readonly added: readonly string[];
  /** How many files are as they should be. */
  readonly unchanged: number;
  /** Ours, and no longer wanted. */
  readonly stale: readonly string[];
  /** Ours once, changed by hand since, and about to be replaced or removed. */
  readonly handEdited: readonly string[];
  /** Not made by skillc, in the place of a file that should be written. */
  readonly foreign: readonly string[];
}

/** @param previous files now in the output folder, by path below it */
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

/** Git may have given a file other line ends: that is no change. */
function isSameText(before: string | undefined, now: string): boolean {
  return before === now || before?.replaceAll("\r\n", "\n") === now.replaceAll("\r\n", "\n");
}

/** Whether the output folder holds what it should. */
export function isUpToDate({ changed, stale }: OutputComparison): boolean {
  return changed.length === 0 && stale.length === 0;
}
