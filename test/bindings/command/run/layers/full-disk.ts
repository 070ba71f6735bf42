/**
 * A child process in whose project the disk is small: makes calls with effects that need more space.
 * Argument: the project. Prints what happened, as JSON.
 */
import fs from "node:fs";
import { join } from "node:path";
import { isToolError } from "../../../../../src/runtime/errors.js";
import { runOverWork } from "./changing-call.js";

const [directory = ""] = process.argv.slice(2);
const work = join(directory, "work");

/** Runs a script over a new folder; returns its end, the files after it, and the layers left. */
async function outcomeOf(script: string) {
  const ended = await runOverWork(directory, script).catch((error: unknown) => {
    if (!isToolError(error)) throw error;
    return { message: error.message, outcome: error.outcome };
  });
  const files = fs.readdirSync(work).map((each) => {
    return [each, fs.readFileSync(join(work, each), "utf8").slice(0, 10)];
  });
  const layers = fs.readdirSync(join(directory, ".skillc/layers"));
  return { ended, files: Object.fromEntries(files), layers };
}

function fill(): void {
  const fd = fs.openSync(join(directory, "filler"), "w");
  try {
    for (;;) fs.writeSync(fd, Buffer.alloc(4096));
  } catch {
    fs.closeSync(fd);
  }
}

fs.mkdirSync(work);
fs.writeFileSync(join(work, "a"), "1");
const inProcess = await outcomeOf("echo 2 > a; head -c 4000000 /dev/zero > b");
// The program ignores that the disk is full.
const copies = await outcomeOf("echo 2 > a; head -c 4000000 /dev/zero > b || true");
fill();
const start = await outcomeOf("echo 2 > a");
fs.rmSync(join(directory, "filler"));
const free = await outcomeOf("echo 2 > a");
console.log(JSON.stringify({ process: inProcess, copies, start, free }));
