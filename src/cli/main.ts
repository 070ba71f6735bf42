import { arch, platform, release } from "node:os";
import { CommanderError } from "commander";
import { printFailure } from "./console/print-failure.js";
import { printJson } from "./console/print-json.js";
import { visible, visibleLines } from "./console/visible.js";
import { paletteFor } from "./console/palette.js";
import { CommandFailure, type ExitCode, exitCode, isSystemError } from "./exit.js";
import type { Io, Output } from "./io.js";
import { createProgram } from "./program.js";
import { packageVersion } from "./version.js";

/**
 * Runs the command line. Never rejects.
 *
 * @param argv arguments after the program's name
 * @returns exit code of the process
 */
export async function run(argv: readonly string[], given: Io): Promise<ExitCode> {
  // Commander prints help and usage errors before it has read the options.
  const io = argv.includes("--no-color")
    ? { ...given, env: { ...given.env, NO_COLOR: "1" } }
    : given;
  let code: ExitCode = exitCode.fine;
  let hasWritten = false;
  try {
    const watched = watchStdout(io, () => (hasWritten = true));
    const program = createProgram(watched, (exit) => {
      code = exit;
    });
    await program.parseAsync(argv, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return codeOfUsage(error, argv);
    if (argv.includes("--json") && !hasWritten) printFailureJson(error, io);
    return explainFailure(error, io);
  }
}

/**
 * Notes output on stdout. After a command has printed its JSON, a failure must not print another
 * document there.
 */
function watchStdout(given: Io, onWrite: () => void): Io {
  const { stdout } = given;
  // Bound here, because `skillc mcp` later replaces `process.stdout.write`.
  const write = stdout.write.bind(stdout);
  const watched: Output = {
    write(text) {
      onWrite();
      return write(text);
    },
    ...(stdout.isTTY === undefined ? {} : { isTTY: stdout.isTTY }),
    ...(stdout.columns === undefined ? {} : { columns: stdout.columns }),
  };
  return { ...given, stdout: watched };
}

/**
 * Commander has already printed the help or the error. Requested help is not a failure, whatever
 * code Commander uses.
 */
function codeOfUsage(error: CommanderError, argv: readonly string[]): ExitCode {
  const isAsked = error.code === "commander.help" && argv.includes("help");
  return isAsked || error.exitCode === 0 ? exitCode.fine : exitCode.usage;
}

function printFailureJson(error: unknown, { stdout }: Io): void {
  const message = error instanceof Error ? error.message : String(error);
  const help = error instanceof CommandFailure ? error.help : undefined;
  printJson(stdout, { error: { message, ...(help === undefined ? {} : { help }) } });
}

function explainFailure(error: unknown, io: Io): ExitCode {
  const palette = paletteFor(io.stderr, io.env);
  if (error instanceof CommandFailure) {
    printFailure(io.stderr, palette, error.message, error.help);
    return error.exit;
  }
  if (isSystemError(error)) {
    printFailure(io.stderr, palette, error.message);
    return exitCode.inputErrors;
  }
  reportBug(error, io);
  return exitCode.bug;
}

/** Prints the facts that skillc's developers need about a bug. */
export function reportBug(error: unknown, { stderr, env }: Pick<Io, "stderr" | "env">): void {
  const palette = paletteFor(stderr, env);
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const stack = error instanceof Error && env["SKILLC_DEBUG"] === "1" ? error.stack : undefined;
  const lines = [
    `${palette.bold(palette.red("bug"))}${palette.bold(`: skillc failed: ${visible(message)}`)}`,
    "",
    "This is a bug in skillc, not a mistake in your skills. Nothing was written after it. Please report it with these lines",
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
