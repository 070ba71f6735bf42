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
  /** Lays a statement out and reads it back. */
  print(statement: DraftStatement, style: Style): Promise<string>;
  /** Does something with each item that prints: with one after the other, or with all at once. */
  each<Item, Result>(
    items: readonly Item[],
    work: (item: Item) => Promise<Result>,
  ): Promise<readonly Result[]>;
  /**
   * Begins to print. In the calling thread, the work is done when this returns; in another thread,
   * when the returned function has been awaited.
   */
  begin<Printed>(print: () => Promise<Printed>): Promise<() => Promise<Printed>>;
  /** Parses a file before anybody asks for it; undefined if this thread would have to do it. */
  parseAhead(file: SourceFile): Promise<ParsedFile> | undefined;
  /**
   * Type-checks modules while further skills are compiled. In the calling thread, all modules are
   * checked together at the end, which is faster.
   *
   * @param ahead called only if modules are checked ahead
   */
  checkAhead(ahead: () => CheckedAhead, settings: TypeCheckSettings): void;
  /**
   * The type problems of modules.
   *
   * @param all every generated file, for imports
   */
  typeProblems(
    modules: readonly PrintedModule[],
    all: readonly OutputFile[],
    settings: TypeCheckSettings,
  ): Promise<readonly TypeProblem[]>;
  /** Gives memory back if this thread only waits for another one. */
  idle(): void;
  /** Ends the other thread, and gives back its memory. */
  close(): Promise<void>;
}

export interface CheckedAhead {
  readonly modules: readonly OutputFile[];
  /** All that the modules may import, themselves among them. */
  readonly known: readonly OutputFile[];
}

/** A runner that knows how much there is to do. */
export interface ScheduledRunner extends Runner {
  /** Says how many tools are printed next. */
  expect(tools: number): void;
}
