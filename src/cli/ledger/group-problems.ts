import { groupBy } from "../../core/group-by.js";
import type { LedgerProblem, LedgerProblemKind } from "@skillc/runtime/internal/ledger";

/** What is wrong with one file, a line each; many faults of one kind are one line. */
export interface FileProblems {
  readonly file: string;
  readonly faults: readonly { readonly kind: LedgerProblemKind; readonly text: string }[];
}

/** As many faults of a kind have a line each. */
const mostAlone = 3;
/** More runs of lines than this help nobody. */
const mostRuns = 8;

/** The problems by file and kind, in the order in which each first occurs. */
export function groupProblems(problems: readonly LedgerProblem[]): readonly FileProblems[] {
  return [...groupBy(problems, (each) => each.file)].map(([file, ofFile]) => ({
    file,
    faults: [...groupBy(ofFile, (each) => each.kind)].flatMap(([kind, alike]) =>
      alike.length > mostAlone
        ? [{ kind, text: summaryOf(alike) }]
        : alike.map((each) => ({ kind, text: textOf(each) })),
    ),
  }));
}

function textOf({ line, message }: LedgerProblem): string {
  return line === 0 ? message : `line ${line}: ${message}`;
}

function summaryOf(alike: readonly LedgerProblem[]): string {
  const lines = alike.map((each) => each.line).filter((line) => line > 0);
  const where = lines.length === 0 ? "" : ` (lines ${runsOf(lines)})`;
  return `${alike.length} times${where}; first: ${alike[0]?.message ?? ""}`;
}

/** `3–7, 9`. */
function runsOf(lines: readonly number[]): string {
  const runs: (readonly [first: number, last: number])[] = [];
  for (const line of [...new Set(lines)].toSorted((a, b) => a - b)) {
    const [first, last] = runs.at(-1) ?? [];
    if (first !== undefined && line - 1 === last) runs.splice(-1, 1, [first, line]);
    else runs.push([line, line]);
  }
  const shown = runs
    .slice(0, mostRuns)
    .map(([first, last]) => (first === last ? String(first) : `${first}–${last}`));
  return `${shown.join(", ")}${runs.length > mostRuns ? ", …" : ""}`;
}
