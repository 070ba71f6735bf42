import type { Worker } from "node:worker_threads";
import type { Style } from "../../core/style.js";
import type { Stopwatch } from "../stopwatch.js";
import { startThread } from "./start-thread.js";
import { type DraftStatement, printStatement } from "./statement.js";

/** Lays statements out and reads them back. */
export interface Printer {
  print(statement: DraftStatement, style: Style): Promise<string>;
  /** Whether that happens elsewhere, so that more can be made meanwhile. */
  readonly isApart: boolean;
  /** Says how many tools are printed next. */
  expect(tools: number): void;
  close(): Promise<void>;
}

/** A printer that does its work where it is asked. */
export function printerHere(stopwatch: Stopwatch): Printer {
  return {
    isApart: false,
    print: (statement, style) => printStatement(statement, style, stopwatch.time),
    expect() {},
    async close() {},
  };
}

/**
 * Begins to print. What is printed here is printed once this is through; what is printed elsewhere,
 * once what it gives back has been waited for.
 */
export async function begin<Printed>(
  { isApart }: Pick<Printer, "isApart">,
  print: () => Promise<Printed>,
): Promise<() => Promise<Printed>> {
  const printed = print();
  // Told to who waits for it, which may be later.
  if (isApart) printed.catch(() => undefined);
  else await printed;
  return () => printed;
}

/** Printing as many takes longer than a thread takes to start. */
const manyTools = 50;

/** A printer that works here until many tools are to be printed, and then in a thread. */
export function openPrinter(stopwatch: Stopwatch): Printer {
  const here = printerHere(stopwatch);
  let thread: PrintingThread | undefined;
  return {
    get isApart() {
      return thread !== undefined;
    },
    print: (statement, style) => (thread ?? here).print(statement, style),
    expect(tools) {
      if (tools >= manyTools) thread ??= new PrintingThread(startThread());
    },
    close: async () => thread?.close(),
  };
}

/** What the thread is asked, and what it answers. */
export interface PrintQuestion {
  readonly id: number;
  readonly statement: DraftStatement;
  readonly style: Style;
}

export type PrintAnswer =
  { readonly id: number; readonly text: string } | { readonly id: number; readonly error: string };

interface Waiting {
  resolve(text: string): void;
  reject(error: Error): void;
}

class PrintingThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;
  #ended: Error | undefined;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.on("message", (answer: PrintAnswer) => this.#answer(answer));
    worker.on("error", (error) => this.#end(error));
    worker.on("exit", () => this.#end(new Error("the thread that prints modules has ended")));
  }

  print(statement: DraftStatement, style: Style): Promise<string> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    this.#asked += 1;
    const id = this.#asked;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, statement, style } satisfies PrintQuestion);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #answer(answer: PrintAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ("text" in answer) waiting?.resolve(answer.text);
    else waiting?.reject(new Error(answer.error));
  }

  #end(error: Error): void {
    this.#ended ??= error;
    for (const each of this.#waiting.values()) each.reject(this.#ended);
    this.#waiting.clear();
  }
}
