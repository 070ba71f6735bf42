import type { CommandContext } from "../command-context.js";
import { createProgressLine } from "../console/progress.js";
import {
  type CompiledProject,
  type CompileOptions,
  compileProject,
} from "../project/compile-project.js";
import type { OpenProject } from "../project/open-project.js";

/** Compiles, and tells a person who waits how far it has come; the line is gone when it is done. */
export async function compileWithProgress(
  context: CommandContext,
  open: OpenProject,
  options: Pick<CompileOptions, "cache" | "stopwatch">,
): Promise<CompiledProject> {
  const line = createProgressLine(context.io);
  try {
    return await compileProject(open, {
      ...options,
      progress: ({ doing, done, of }) => line.show({ stage: doing, done, total: of }),
    });
  } finally {
    line.clear();
  }
}
