#!/usr/bin/env node
import { reportBug, run } from "./main.js";

const stop = new AbortController();

/** A reader that has seen enough, such as `head`, closes the pipe: that is no failure. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
  throw error;
}

function failed(error: unknown): void {
  reportBug(error, process);
  process.exit(3);
}

process.stdout.on("error", ignoreClosedPipe);
process.stderr.on("error", ignoreClosedPipe);
process.on("uncaughtException", failed);
process.on("unhandledRejection", failed);

const argv = process.argv.slice(2);

// Anything else ends as the system ends it: a handler would have to wait for a long computation.
if (argv.includes("--watch")) {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
}

process.exitCode = await run(argv, {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  env: process.env,
  cwd: process.cwd(),
  signal: stop.signal,
});
