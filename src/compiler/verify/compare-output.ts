import type { OutputFile } from "../../core/output.js";
import { provenanceOf } from "../../core/provenance.js";
import { compareText } from "../../core/report.js";

/** How the output folder differs from what it should hold. */
export interface OutputComparison {
  /** Files to write: new ones, and those with another text. */
  readonly changed: readonly OutputFile[];
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
  const changed = wanted.filter((file) => previous.get(file.path) !== file.text);
  const wantedPaths = new Set(wanted.map((file) => file.path));
  const touched = new Set(changed.map((file) => file.path));
  const stale: string[] = [];
  const handEdited: string[] = [];
  const foreign: string[] = [];
  for (const [path, text] of previous) {
    const leftOver = !wantedPaths.has(path);
    if (!leftOver && !touched.has(path)) continue;
    const provenance = provenanceOf({ path, text });
    if (provenance === "edited") handEdited.push(path);
    if (provenance === "foreign" && !leftOver) foreign.push(path);
    if (provenance !== "foreign" && leftOver) stale.push(path);
  }
  return {
    changed,
    stale: stale.toSorted(compareText),
    handEdited: handEdited.toSorted(compareText),
    foreign: foreign.toSorted(compareText),
  };
}
