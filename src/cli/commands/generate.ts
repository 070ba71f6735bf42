import type { CommandContext } from "../command-context.js";
import type { ExitCode } from "../exit.js";
import { checkOutput } from "./check-output.js";
import type { GenerateOptions } from "./generate-options.js";
import { createSession, generateOnce } from "./generate-once.js";

/** Compiles the project and brings the output folder up to date, or says what keeps it from that. */
export async function generate(
  context: CommandContext,
  options: GenerateOptions,
): Promise<ExitCode> {
  if (options.watch === true) {
    const { watch } = await import("./watch.js");
    return watch(context, options);
  }
  const session = createSession(context.io);
  return options.check === true
    ? checkOutput(context, session, options)
    : generateOnce(context, session, options);
}
