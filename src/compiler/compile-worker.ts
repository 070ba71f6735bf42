/** Entry point of the worker thread. Each response carries the number of its request. */
import { parentPort } from "node:worker_threads";
import type { OutputFile } from "../core/output.js";
import type { ThreadAnswer, ThreadQuestion, ThreadResult } from "./compile-thread.js";
import { printStatement } from "./print-statement.js";

if (parentPort === null) throw new Error("compile-worker.js runs only as a thread");
const port = parentPort;

// Loads the module before the first statement arrives.
void import("./verify/read-back.js");
void import("./emit/format-code.js");

/** All modules received so far, by path. */
const files = new Map<string, OutputFile>();

let last: Promise<void> = Promise.resolve();

port.on("message", (question: ThreadQuestion) => {
  last = last.then(async () => port.postMessage(await answerTo(question)));
});

async function answerTo(question: ThreadQuestion): Promise<ThreadAnswer> {
  const { id } = question;
  try {
    return { id, value: await valueOf(question) };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}

async function valueOf(question: ThreadQuestion): Promise<ThreadResult> {
  if ("statement" in question) return printStatement(question.statement, question.style);
  if ("file" in question) return (await import("./parse/parse-file.js")).parseFile(question.file);
  for (const file of question.files) files.set(file.path, file);
  const { findTypeFaults } = await import("./verify/check-types.js");
  const fresh = question.fresh.flatMap((path) => files.get(path) ?? []);
  return findTypeFaults(fresh, [...files.values()], question.settings);
}
