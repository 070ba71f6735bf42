import type { CommandContext } from "../command-context.js";
import { formatTime } from "../console/format-time.js";
import { printFailure } from "../console/print-failure.js";
import { visible } from "../console/visible.js";
import { plural } from "../diagnostics/summary.js";
import type { StageTime } from "../../compiler/stopwatch.js";
import { isUpToDate, type OutputComparison } from "../../compiler/verify/compare-output.js";
import type { Outcome } from "../../compiler/cached-outcome.js";
import type { CompiledProject } from "../project/compile-project.js";
import type { Timings } from "./compile-with-progress.js";
import type { OutputPlace } from "./write-project.js";

/** Prints the generated files, and the changes. */
export function printSummary(
  { io, out }: CommandContext,
  open: OutputPlace,
  compiled: CompiledProject<Outcome>,
  output: OutputComparison,
  milliseconds: number,
): void {
  const reused = compiled.compilation?.counts.reused ?? 0;
  const facts = [
    output.changed.length === 0 ? undefined : `${plural(output.changed.length, "file")} written`,
    output.stale.length === 0
      ? undefined
      : `${output.stale.length.toLocaleString("en-US")} removed`,
    `${output.changed.length === 0 ? plural(output.unchanged, "file") : output.unchanged.toLocaleString("en-US")} unchanged`,
    reused === 0 ? undefined : `${plural(reused, "skill")} from the cache`,
    formatTime(milliseconds),
  ].filter((each) => each !== undefined);
  const head = `${out.green("✓")} ${sizeOf(compiled)} → ${out.bold(`${visible(open.config.out)}/`)}`;
  io.stdout.write(`${head}\n  ${out.dim(facts.join(" · "))}\n`);
}

/** Prints the packages to install for the generated code, if any are missing. */
export function printMissingPackages(
  { io, out }: CommandContext,
  missing: readonly string[],
): void {
  if (missing.length === 0) return;
  const why = `generated code loads ${missing.length === 1 ? "a package" : "packages"} that package.json doesn't name`;
  io.stdout.write(`  ${why}: ${out.cyan(`npm install ${missing.join(" ")}`)}\n`);
}

/** Prints the time of each stage, if it was requested. */
export function printTimings({ io, out }: CommandContext, timings: Timings | undefined): void {
  if (timings === undefined) return;
  const { stages, total } = timings;
  const row = ({ stage, ms }: StageTime): string =>
    `  ${stage.padEnd(9)} ${String(ms).padStart(6)} ms\n`;
  const rows = stages.map((each) => out.dim(row(each))).join("");
  io.stdout.write(`${rows}${row({ stage: "total", ms: total })}`);
}

/** Counts skills and tools: `12 skills, 84 tools`. */
export function sizeOf({ compilation }: CompiledProject<Outcome>): string {
  const { skills, tools } = compilation?.counts ?? { skills: 0, tools: 0 };
  return `${plural(skills, "skill")}, ${plural(tools, "tool")}`;
}

/** Maximum number of files to list individually. */
const maxListed = 40;

/** Prints the changes that `generate` would make to the output folder. */
export function printDrift(
  context: CommandContext,
  open: OutputPlace,
  compiled: CompiledProject,
  output: OutputComparison,
): void {
  const { io, out, err } = context;
  const folder = `${visible(open.config.out)}/`;
  if (isUpToDate(output)) {
    io.stdout.write(`${out.green("✓")} ${sizeOf(compiled)}: ${out.bold(folder)} is up to date\n`);
    return;
  }
  const added = new Set(output.added);
  const rows = [
    ...output.changed.map(({ path }) =>
      added.has(path)
        ? out.green(`  + ${folder}${visible(path)}`)
        : out.yellow(`  ~ ${folder}${visible(path)}`),
    ),
    ...output.stale.map((path) => out.red(`  - ${folder}${visible(path)}`)),
  ];
  const more = rows.length > maxListed ? [out.dim(`  … and ${rows.length - maxListed} more`)] : [];
  const is = rows.length === 1 ? "is" : "are";
  printFailure(
    io.stderr,
    err,
    `${plural(rows.length, "generated file")} ${is} out of date`,
    adviceFor(output),
  );
  io.stdout.write(`${[...rows.slice(0, maxListed), ...more].join("\n")}\n`);
}

/** Advice for files that a plain `skillc generate` does not replace. */
function adviceFor({ handEdited, foreign }: OutputComparison): string {
  return handEdited.length + foreign.length === 0
    ? "run `skillc generate` and commit what it changes"
    : "fix the errors above, then run `skillc generate` and commit what it changes";
}
