import type { DraftStatement } from "../core/draft-statement.js";
import type { OutputFile } from "../core/output.js";
import type { SourceFile } from "../core/source-file.js";
import type { Style } from "../core/style.js";
import type { ParsedFile } from "./parse/parse-file.js";
import type { PrintedModule } from "./unit.js";
import type { TypeCheckSettings, TypeProblem } from "./verify/check-types.js";

/**
 * Runs work that depends only on its input: parsing, printing and type checks. `run-here.ts` uses
 * the calling thread, `run-in-thread.ts` a worker thread.
 */
export interface Runner {
  /** Formats a statement and reads it back. */
  print(statement: DraftStatement, style: Style): Promise<string>;
  /** Runs work that prints each item, one after the other or all at once. */
  each<Item, Result>(
    items: readonly Item[],
    work: (item: Item) => Promise<Result>,
  ): Promise<readonly Result[]>;
  /**
   * Begins to print. In the calling thread, the work is done when this returns. In another thread,
   * the returned function waits for the end.
   */
  begin<Printed>(print: () => Promise<Printed>): Promise<() => Promise<Printed>>;
  /** Parses a file in advance; undefined if the calling thread would have to do that. */
  parseAhead(file: SourceFile): Promise<ParsedFile> | undefined;
  /**
   * Type-checks modules while further skills are compiled. In the calling thread, all modules are
   * checked together at the end, which is faster.
   *
   * @param ahead called only if modules are checked ahead
   */
  checkAhead(ahead: () => CheckedAhead, settings: TypeCheckSettings): void;
  /**
   * Finds the type problems of modules.
   *
   * @param all every generated file, for imports
   */
  typeProblems(
    modules: readonly PrintedModule[],
    all: readonly OutputFile[],
    settings: TypeCheckSettings,
  ): Promise<readonly TypeProblem[]>;
  /** Frees memory if this thread only waits for another one. */
  idle(): void;
  /** Ends the other thread and frees its memory. */
  close(): Promise<void>;
}

export interface CheckedAhead {
  readonly modules: readonly OutputFile[];
  /** All files that the modules may import, including themselves. */
  readonly known: readonly OutputFile[];
}

/** A runner that knows the amount of work. */
export interface ScheduledRunner extends Runner {
  /** Announces the number of tools to print next. */
  expect(tools: number): void;
}
