import type { ReadTools, ToolsRequest } from "../../import/tools/choose-tools.js";
import type { EntryOutcome } from "../../import/tools/draft-tools.js";
import type { ReadEntry, SourceTool } from "../../import/tools/entry.js";

/** A read source, whatever its options. */
export type AnyRead<Tool extends SourceTool> = ReadTools<Tool, ToolsRequest>;

/** How an import of tools shows its entries to people and to programs. */
export interface ToolsView<Tool extends SourceTool> {
  /** The source in sentences: `the hub manifest`. */
  readonly origin: string;
  /** Name of the source for people: its path, or several. */
  readonly title: string;
  /** Word of the source for the id of a tool. */
  readonly id: string;
  /** Columns of `--list` after the id: heads, and the cells of a tool. */
  readonly listHeads: readonly string[];
  readonly listCells: (entry: ReadEntry<Tool>) => readonly string[];
  /** Column after the tool in the report. */
  readonly reportHead: string;
  readonly reportCell: (tool: Tool | undefined) => string;
  /** Something to do before calls work; empty if there is nothing. */
  readonly need: string;
  /** Facts about the whole import, for `--json`. */
  readonly about: Readonly<Record<string, unknown>>;
  /** Facts about an entry, for `--json`. */
  readonly data: (
    entry: ReadEntry<Tool>,
    outcome?: EntryOutcome<Tool>,
  ) => Readonly<Record<string, unknown>>;
}
