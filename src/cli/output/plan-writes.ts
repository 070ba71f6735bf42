import type { OutputFile } from "../../core/output.js";
import { compareText } from "../../core/report.js";

/** What must happen to the output folder so that it holds what was generated. Paths are below it, sorted. */
export interface WritePlan {
  readonly write: readonly OutputFile[];
  readonly remove: readonly string[];
  /** Files that are as they should be and are not touched. */
  readonly unchanged: number;
  /** Paths of `write` that are not there yet. */
  readonly added: readonly string[];
}

/**
 * @param stale files of earlier runs that nothing generates any more
 * @param previous what is there now
 */
export function planWrites(
  files: readonly OutputFile[],
  stale: readonly string[],
  previous: ReadonlyMap<string, string>,
): WritePlan {
  const write = files
    .filter((each) => !isSame(previous.get(each.path), each.text))
    .toSorted((a, b) => compareText(a.path, b.path));
  return {
    write,
    remove: stale.filter((path) => previous.has(path)).toSorted(compareText),
    unchanged: files.length - write.length,
    added: write.filter((each) => !previous.has(each.path)).map((each) => each.path),
  };
}

export function changesNothing(plan: WritePlan): boolean {
  return plan.write.length === 0 && plan.remove.length === 0;
}

/** Line ends that git changed on checkout are no change. */
function isSame(before: string | undefined, text: string): boolean {
  return before === text || before?.replaceAll("\r\n", "\n") === text;
}
