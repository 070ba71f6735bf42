import type { Worker } from "node:worker_threads";
import type { OutputFile } from "../core/output.js";
import type { SourceFile } from "../core/source-file.js";
import type { Style } from "../core/style.js";
import type { ParsedFile } from "./parse/parse-file.js";
import type { TypeCheckSettings, TypeFault } from "./verify/check-types.js";
import type { DraftStatement } from "../core/draft-statement.js";

/** A request to the thread: print a statement, parse a file, or type-check modules. */
export type ThreadQuestion = { readonly id: number } & (
  | { readonly statement: DraftStatement; readonly style: Style }
  | { readonly file: SourceFile }
  | {
      /** Files that the thread doesn't have yet, or that changed. */
      readonly files: readonly OutputFile[];
      readonly fresh: readonly string[];
      readonly settings: TypeCheckSettings;
    }
);

/** Result of a request. */
export type ThreadResult = string | ParsedFile | readonly TypeFault[];

export type ThreadAnswer = { readonly id: number } & (
  { readonly value: ThreadResult } | { readonly error: string }
);

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/**
 * The worker thread for compilation: it prints, parses and type-checks, in the order of the
 * requests. If the thread ends, all open requests fail.
 */
export class CompileThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  /** Texts of the modules that the thread has, by path. */
  readonly #told = new Map<string, string>();
  #asked = 0;
  #ended: Error | undefined;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.on("message", (answer: ThreadAnswer) => this.#answer(answer));
    worker.on("error", (error) => this.#end(error));
    worker.on("exit", () => this.#end(new Error("the compiler's helper thread has ended")));
  }

  /** Formats a statement and reads it back. */
  print(statement: DraftStatement, style: Style): Promise<string> {
    return this.#ask<string>((id) => ({ id, statement, style }));
  }

  /** Parses a file to a tree. */
  parse(file: SourceFile): Promise<ParsedFile> {
    return this.#ask<ParsedFile>((id) => ({ id, file }));
  }

  /**
   * Type-checks modules.
   *
   * @param all every module that they may import, including themselves
   */
  findTypeFaults(
    fresh: readonly OutputFile[],
    all: readonly OutputFile[],
    settings: TypeCheckSettings,
  ): Promise<readonly TypeFault[]> {
    const files = all.filter(({ path, text }) => this.#told.get(path) !== text);
    for (const { path, text } of files) this.#told.set(path, text);
    const paths = fresh.map(({ path }) => path);
    return this.#ask((id) => ({ id, files, fresh: paths, settings }));
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #ask<Value extends ThreadResult>(question: (id: number) => ThreadQuestion): Promise<Value> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    this.#asked += 1;
    const id = this.#asked;
    return new Promise((resolve, reject) => {
      // The types of the worker ensure that the result matches the request.
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.#worker.postMessage(question(id));
    });
  }

  #answer(answer: ThreadAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ("value" in answer) waiting?.resolve(answer.value);
    else waiting?.reject(new Error(answer.error));
  }

  #end(error: Error): void {
    this.#ended ??= error;
    for (const each of this.#waiting.values()) each.reject(this.#ended);
    this.#waiting.clear();
  }
}
