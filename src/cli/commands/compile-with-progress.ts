import type { Progress } from "../../compiler/compile.js";
import type { CommandContext } from "../command-context.js";
import { createProgressLine } from "../console/progress.js";
import {
  type CompiledProject,
  type CompileOptions,
  compileProject,
} from "../project/compile-project.js";
import type { OpenProject } from "../project/open-project.js";

/** Compiles, and tells a person who waits how far it has come; the line is gone when it is done. */
export function compileWithProgress(
  context: CommandContext,
  open: OpenProject,
  options: Pick<CompileOptions, "cache" | "stopwatch">,
): Promise<CompiledProject> {
  return withProgress(context, (progress) => compileProject(open, { ...options, progress }));
}

/** The same of other work that tells how far it has come. */
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
