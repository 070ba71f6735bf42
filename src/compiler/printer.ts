import { setImmediate } from "node:timers/promises";
import type { Style } from "../core/style.js";
import type { Stopwatch } from "./stopwatch.js";
import { CompileThread } from "./compile-thread.js";
import { startThread } from "./start-compile-thread.js";
import type { DraftStatement } from "../core/draft-statement.js";
import { printStatement } from "./print-statement.js";

/** Lays statements out and reads them back. */
export interface Printer {
  print(statement: DraftStatement, style: Style): Promise<string>;
  /** Where that happens, so that more can be made meanwhile; undefined where it happens here. */
  readonly thread: CompileThread | undefined;
  /** Says how many tools are printed next. */
  expect(tools: number): void;
  /** Ends the thread, and gives back its memory. What is printed after that is printed here. */
  close(): Promise<void>;
}

/** A printer that does its work where it is asked. */
export function printerHere(stopwatch: Stopwatch): Printer {
  return {
    thread: undefined,
    print: (statement, style) => printStatement(statement, style, stopwatch.time),
    expect() {},
    async close() {},
  };
}

/** Printing as many takes longer than a thread takes to start. */
const manyTools = 50;

/** A printer that works here until many tools are to be printed, and then in a thread. */
export function openPrinter(stopwatch: Stopwatch): Printer {
  const here = printerHere(stopwatch);
  let thread: CompileThread | undefined;
  return {
    get thread() {
      return thread;
    },
    print: (statement, style) => (thread ?? here).print(statement, style),
    expect(tools) {
      if (tools >= manyTools) thread ??= new CompileThread(startThread());
    },
    async close() {
      const ended = thread;
      thread = undefined;
      await ended?.close();
    },
  };
}

/**
 * Begins to print. What is printed here is printed once this is through; what is printed elsewhere,
 * once what it gives back has been waited for.
 */
export async function begin<Printed>(
  { thread }: Printer,
  print: () => Promise<Printed>,
): Promise<() => Promise<Printed>> {
  const printed = print();
  if (thread === undefined) {
    await printed;
  } else {
    // Told to who waits for it, which may be later.
    printed.catch(() => undefined);
    // What the thread has answered is heard between two turns of the event loop.
    await setImmediate();
  }
  return () => printed;
}
