/** The thread that prints: one statement after the other, each answered by its number. */
import { parentPort } from "node:worker_threads";
import type { PrintAnswer, PrintQuestion } from "./printer.js";
import { printStatement } from "./statement.js";

if (parentPort === null) throw new Error("print-worker.js is started as a thread");
const port = parentPort;

let last: Promise<void> = Promise.resolve();

port.on("message", (question: PrintQuestion) => {
  last = last.then(async () => port.postMessage(await answerTo(question)));
});

async function answerTo({ id, statement, style }: PrintQuestion): Promise<PrintAnswer> {
  try {
    return { id, text: await printStatement(statement, style) };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}
