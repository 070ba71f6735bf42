import type {
  LedgerVerification,
  Pruning,
  SettledOutcome,
  UnknownOutcome,
  WriterState,
  LedgerProblem,
  LedgerProblemKind,
} from "@skillc/runtime/internal/ledger";
import {
  type Colors,
  type ConsoleStyle,
  colorsOf,
  printable,
  renderTable,
} from "./console-style.js";
import { formatCount, formatNumber, formatTime } from "./quantities.js";
import { groupBy } from "../../core/group-by.js";

/** Maximum number of lines of a kind. `--json` has all. */
const maxShown = 50;

/** Renders a verification: problems first, then information. */
export function renderVerify(found: LedgerVerification, style: ConsoleStyle): string {
  const colors = colorsOf(style);
  return [
    ...problems(found, colors),
    ...tornLines(found, colors),
    ...unknownOutcomes(found.unknownOutcomes, colors),
    ...settledOutcomes(found.settledOutcomes, colors),
    ...prunings(found, colors),
    summary(found, colors),
  ].join("\n");
}

/** Renders the removed records of `skillc ledger prune`, or those to remove. */
export function renderPruning(
  pruning: Pruning,
  style: ConsoleStyle & { readonly dryRun?: boolean },
): string {
  const colors = colorsOf(style);
  const { before, files, records, removed } = pruning;
  const copies = copiesOf(pruning, style.dryRun !== true);
  const when = `before ${formatTime(before)} UTC`;
  const [which, noun] = pruning.directory === undefined ? ofWriters : inFiles;
  if (files.length === 0)
    return [
      colors.dim(
        `nothing to remove: ${which} ${noun === "file" ? "has only" : "begins with"} records from ${when}`,
      ),
      ...copies,
    ].join("\n");
  const what = `${formatCount(records, "record")} ${placesOf(files.length, pruning)}`;
  const lines = files
    .slice(0, maxShown)
    .map((each) => `  ${colors.dim(printable(each.file))}  ${formatCount(each.records, "record")}`);
  return [
    ...lines,
    ...more(files.length - lines.length, noun, colors),
    removed
      ? `${colors.green(colors.bold("removed"))} ${what} from ${when}; \`skillc ledger verify\` still shows that they existed`
      : `${colors.bold("would remove")} ${what} from ${when}`,
    ...copies,
  ].join("\n");
}

/** Copies are removed by their age, even if all records stay. */
function copiesOf({ copies = 0 }: Pruning, isRemoved: boolean): readonly string[] {
  if (copies === 0) return [];
  const what = `the copies of files of ${formatCount(copies, "call")}`;
  return [isRemoved ? `removed ${what}` : `would remove ${what}`];
}

/** Words for the units of a store: for zero, and for one. */
const inFiles = ["no file", "file"] as const;
const ofWriters = ["no writer", "writer"] as const;

/**
 * Counts the units that a pruning removes: whole files of a folder, or first rows of writers in
 * tables.
 */
function placesOf(count: number, { directory }: Pick<LedgerVerification, "directory">): string {
  return directory === undefined
    ? `of ${formatCount(count, "writer")}`
    : `in ${formatCount(count, "file")}`;
}

function prunings(found: LedgerVerification, colors: Colors): readonly string[] {
  if (found.prunings.length === 0) return [];
  const lines = found.prunings.map(({ before, files, records, time }) => {
    const what = `${formatCount(records, "record")} ${placesOf(files, found)}`;
    return `${colors.dim("pruned")}  ${what} from before ${formatTime(before)}, on ${formatTime(time)}`;
  });
  return [...lines.slice(-maxShown), ""];
}

function summary(found: LedgerVerification, colors: Colors): string {
  const { directory, files, records, writers } = found;
  const noun = directory === undefined ? "partition" : "file";
  const scope = `${formatCount(records, "record")} in ${formatCount(files, noun)} of ${formatCount(writers.length, "writer")}`;
  const wrong = found.problems.length + found.problemsLeftOut;
  const verdict =
    wrong === 0
      ? colors.green(`${colors.bold("ok")}: every chain holds`)
      : colors.red(colors.bold(formatCount(wrong, "problem")));
  const unknown = found.unknownOutcomes.length;
  const open =
    unknown === 0 ? "" : colors.magenta(`, ${formatCount(unknown, "write")} with unknown outcome`);
  return `${verdict}${open} ${colors.dim(`(${scope})`)}`;
}

function problems(found: LedgerVerification, colors: Colors): readonly string[] {
  if (found.problems.length === 0) return [];
  const groups = groupProblems(found.problems);
  const lines = groups
    .slice(0, maxShown)
    .flatMap(({ file, problems }) => [
      printable(file),
      ...problems.map(({ kind, text }) => `  ${colors.red(kind)}  ${printable(text)}`),
    ]);
  const left = groups.length - maxShown;
  return [
    ...lines,
    ...more(left, "file", colors),
    ...more(found.problemsLeftOut, "problem", colors),
    "",
  ];
}

function tornLines(found: LedgerVerification, colors: Colors): readonly string[] {
  const lines = found.tornLines.slice(0, maxShown).map((each) => {
    return `${colors.yellow("torn line")}  its writer stopped in the middle of the line; no record is lost\n  ${colors.dim(
      `--> ${printable(each.file)}:${each.line}`,
    )}`;
  });
  return lines.length === 0
    ? []
    : [...lines, ...more(found.tornLines.length - lines.length, "torn line", colors), ""];
}

const states: { readonly [State in WriterState]: string } = {
  closed: "its writer closed without an end",
  running: "its writer may still run",
  gone: "its writer no longer runs",
  elsewhere: "its writer ran on another host",
};

function unknownOutcomes(unknown: readonly UnknownOutcome[], colors: Colors): readonly string[] {
  if (unknown.length === 0) return [];
  const rows = unknown
    .slice(0, maxShown)
    .map((each) => [
      printable(each.id, 36),
      formatTime(each.time),
      printable(`${each.skill}/${each.tool}`, 44),
      each.error === null ? states[each.writer] : `its caller got ${printable(each.error, 30)}`,
    ]);
  const columns = [
    { head: "unknown outcome" },
    { head: "time (UTC)" },
    { head: "tool" },
    { head: "" },
  ];
  return [
    renderTable(columns, rows, colors),
    ...more(unknown.length - rows.length, "write", colors),
    "",
  ];
}

function settledOutcomes(settled: readonly SettledOutcome[], colors: Colors): readonly string[] {
  if (settled.length === 0) return [];
  const rows = settled
    .slice(0, maxShown)
    .map(({ id, settlement: { as, because, time }, skill, tool }) => [
      printable(id, 36),
      formatTime(time),
      printable(`${skill}/${tool}`, 44),
      `${as}: ${printable(because, 60)}`,
    ]);
  const columns = [{ head: "settled" }, { head: "then (UTC)" }, { head: "tool" }, { head: "" }];
  return [
    renderTable(columns, rows, colors),
    ...more(settled.length - rows.length, "write", colors),
    "",
  ];
}

function more(count: number, noun: string, colors: Colors): readonly string[] {
  return count <= 0
    ? []
    : [
        colors.dim(
          `… and ${formatNumber(count)} more ${noun}${count === 1 ? "" : "s"}: --json has them`,
        ),
      ];
}

/** Problems of one file, one line each; many problems of one kind share a line. */
export interface FileProblems {
  readonly file: string;
  readonly problems: readonly { readonly kind: LedgerProblemKind; readonly text: string }[];
}

/** Maximum number of problems of a kind with their own lines. */
const maxAlone = 3;
/** Maximum number of ranges of lines. */
const maxRuns = 8;

/** Groups the problems by file and kind, in the order in which each first occurs. */
function groupProblems(problems: readonly LedgerProblem[]): readonly FileProblems[] {
  return [...groupBy(problems, (each) => each.file)].map(([file, ofFile]) => ({
    file,
    problems: [...groupBy(ofFile, (each) => each.kind)].flatMap(([kind, alike]) =>
      alike.length > maxAlone
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

/** Prints line numbers as ranges: `3–7, 9`. */
function runsOf(lines: readonly number[]): string {
  const runs: (readonly [first: number, last: number])[] = [];
  for (const line of [...new Set(lines)].toSorted((a, b) => a - b)) {
    const [first, last] = runs.at(-1) ?? [];
    if (first !== undefined && line - 1 === last) runs.splice(-1, 1, [first, line]);
    else runs.push([line, line]);
  }
  const shown = runs
    .slice(0, maxRuns)
    .map(([first, last]) => (first === last ? String(first) : `${first}–${last}`));
  return `${shown.join(", ")}${runs.length > maxRuns ? ", …" : ""}`;
}
