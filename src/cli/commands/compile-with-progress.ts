import type { Outcome } from "../../compiler/cached-outcome.js";
import type { Progress } from "../../compiler/compilation.js";
import { createStopwatch, type StageTime, type Stopwatch } from "../../compiler/stopwatch.js";
import type { CommandContext } from "../command-context.js";
import { createProgressLine } from "../console/progress.js";
import {
  type CompiledProject,
  type CompileOptions,
  compileOutcome,
  compileProject,
} from "../project/compile-project.js";
import type { OpenProject } from "../project/open-project.js";

/** Compiles, and shows progress on a line that disappears at the end. */
export function compileWithProgress(
  context: CommandContext,
  open: OpenProject,
  options: Pick<CompileOptions, "cache" | "stopwatch">,
): Promise<CompiledProject> {
  return withProgress(context, (progress) => compileProject(open, { ...options, progress }));
}

/** Compiles like `compileWithProgress`, but may use a cached outcome. */
export function outcomeWithProgress(
  context: CommandContext,
  open: OpenProject,
  options: Pick<CompileOptions, "cache" | "stopwatch" | "seen">,
): Promise<CompiledProject<Outcome>> {
  return withProgress(context, (progress) => compileOutcome(open, { ...options, progress }));
}

/** Runs work with such a progress line. */
export async function withProgress<Result>(
  context: CommandContext,
  work: (progress: (event: Progress) => void) => Promise<Result>,
): Promise<Result> {
  const line = createProgressLine(context.io);
  try {
    return await work(({ doing, done, of }) => line.show({ stage: doing, done, total: of }));
  } finally {
    line.clear();
  }
}

/** Time of a run by stage, in whole milliseconds. The stages add up to the total. */
export interface Timings {
  readonly stages: readonly StageTime[];
  readonly total: number;
}

/** The stopwatch of one run. */
interface RunClock extends Stopwatch {
  /**
   * Times of the run so far: `start` is the time before the clock was created, `other` the time
   * outside of all stages.
   */
  timings(): Timings;
}

/** @param startedAt time when the command was called, on the clock of `performance.now()` */
export function createRunClock(startedAt: number): RunClock {
  const now = (): number => performance.now();
  const stopwatch = createStopwatch(now);
  const start: StageTime = { stage: "start", ms: now() - startedAt };
  return {
    ...stopwatch,
    timings() {
      const total = now() - startedAt;
      const stages = [start, ...stopwatch.stages()];
      const accounted = stages.reduce((sum, { ms }) => sum + ms, 0);
      return inWholeMilliseconds([...stages, { stage: "other", ms: total - accounted }]);
    },
  };
}

/** Rounds the ends of stages instead of their durations, so that the durations still add up. */
function inWholeMilliseconds(stages: readonly StageTime[]): Timings {
  let end = 0;
  const rounded = stages.map(({ stage, ms }) => {
    const before = Math.round(end);
    end += ms;
    return { stage, ms: Math.round(end) - before };
  });
  return { stages: rounded, total: Math.round(end) };
}
