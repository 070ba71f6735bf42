import { visibleLines } from "./console/visible.js";
import { exitCode, type ExitCode } from "./exit.js";
import { reportBug, run } from "./main.js";
import { optimizeLate } from "./optimize-late.js";

const stop = new AbortController();
let isOver = false;

/**
 * Reports a failure if the user's code (a binding kind, a handler) ends the process, or leaves
 * nothing to wait for.
 */
function exitUnfinished(): void {
  if (isOver) return;
  process.stderr.write(
    "error: the process ended before skillc was done\n" +
      "  = help: a binding kind or a handler may call `process.exit`, or wait for something that never happens\n",
  );
  process.exitCode = exitCode.bug;
}

function exit(code: ExitCode): never {
  isOver = true;
  process.exit(code);
}

/** Exit code of the command, once it is known. */
let result: ExitCode | undefined;

/** Ignores a pipe that a reader such as `head` closes early, which is not a failure. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") exit(result ?? exitCode.fine);
  throw error;
}

function failed(error: unknown): void {
  reportBug(error, process);
  exit(exitCode.bug);
}

function tellRejection(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const line = `a promise was rejected, and no handler caught it: ${text}`;
  process.stderr.write(`error: ${visibleLines(line)}\n`);
}

/** Ends a server, because nobody knows what the exception has left half done. */
function tellException(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const line = `the server ends, because an exception was thrown outside of every call: ${text}`;
  process.stderr.write(`error: ${visibleLines(line)}\n`);
  exit(exitCode.inputErrors);
}

/** Resolves when the system has received all output, because `process.exit` drops the rest. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => void stream.write("", () => resolve()));
}

optimizeLate();
process.exitCode = exitCode.bug;
process.on("exit", exitUnfinished);
process.stdout.on("error", ignoreClosedPipe);
process.stderr.on("error", ignoreClosedPipe);

const argv = process.argv.slice(2);
const isServer = argv.includes("mcp");

// The code of a project runs in a server for long, and its faults are not those of skillc.
process.on("uncaughtException", isServer ? tellException : failed);
// A server goes on for other calls after a handler forgot a promise.
process.on("unhandledRejection", isServer ? tellRejection : failed);

// Other commands end by the system's default: a handler would have to wait for a long computation.
if (argv.includes("--watch") || isServer) {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
}

result = await run(argv, {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  env: process.env,
  cwd: process.cwd(),
  signal: stop.signal,
});
await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
// Exit explicitly: a timer of the user's code could keep the event loop running.
exit(result);
