import { arch, platform, release } from "node:os";
import { CommanderError } from "commander";
import { printFailure } from "./console/print-failure.js";
import { visible, visibleLines } from "./console/visible.js";
import { paletteFor } from "./console/palette.js";
import { CommandFailure, type ExitCode, exitCode, isMachineFault } from "./exit.js";
import type { Io } from "./io.js";
import { createProgram } from "./program.js";
import { packageVersion } from "./version.js";

/**
 * The whole command line.
 *
 * @param argv arguments after the program's name
 * @returns what the process exits with; never rejects
 */
export async function run(argv: readonly string[], given: Io): Promise<ExitCode> {
  // Help and wrong usage are printed before commander has read the options.
  const io = argv.includes("--no-color")
    ? { ...given, env: { ...given.env, NO_COLOR: "1" } }
    : given;
  let code: ExitCode = exitCode.fine;
  try {
    const program = createProgram(io, (exit) => {
      code = exit;
    });
    await program.parseAsync(argv, { from: "user" });
    return code;
  } catch (error) {
    return explainFailure(error, io);
  }
}

function explainFailure(error: unknown, io: Io): ExitCode {
  if (error instanceof CommanderError) {
    // Commander has printed the help, or what is wrong, already.
    return error.exitCode === 0 ? exitCode.fine : exitCode.usage;
  }
  const palette = paletteFor(io.stderr, io.env);
  if (error instanceof CommandFailure) {
    printFailure(io.stderr, palette, error.message, error.help);
    return error.exit;
  }
  if (isMachineFault(error)) {
    printFailure(io.stderr, palette, error.message);
    return exitCode.inputErrors;
  }
  reportBug(error, io);
  return exitCode.bug;
}

/** Says what we need to know of a failure that is our own. */
export function reportBug(error: unknown, { stderr, env }: Pick<Io, "stderr" | "env">): void {
  const palette = paletteFor(stderr, env);
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const stack = error instanceof Error && env["SKILLC_DEBUG"] === "1" ? error.stack : undefined;
  const lines = [
    `${palette.bold(palette.red("bug"))}${palette.bold(`: skillc failed: ${visible(message)}`)}`,
    "",
    "This is a fault of skillc, not of your skills. Nothing was written after it. Please report it with these lines",
    "and, if you can, the skill that leads to it:",
    "",
    `  skillc ${safeVersion()}, node ${process.version}, ${platform()} ${release()} ${arch()}`,
    ...(stack === undefined
      ? ["  (set SKILLC_DEBUG=1 to see where it failed)"]
      : visibleLines(stack)
          .split("\n")
          .map((line) => `  ${line}`)),
  ];
  stderr.write(`${lines.join("\n")}\n`);
}

function safeVersion(): string {
  try {
    return packageVersion();
  } catch {
    return "(unknown version)";
  }
}
