import type { EntryOutcome, ToolsDraft } from "../../import/tools/draft-tools.js";
import type { SourceTool } from "../../import/tools/entry.js";
import type { AnyRead, ToolsView } from "./tools-view.js";
import type { Taken } from "./report-data.js";

/** Data of an import of tools with `--json`, in addition to diagnostics. */
export function toolsAsData<Tool extends SourceTool>(
  read: AnyRead<Tool>,
  { changes, outcomes, writes }: ToolsDraft<Tool>,
  folder: string,
  view: ToolsView<Tool>,
): Readonly<Record<string, unknown>> {
  const files = (paths: Iterable<string>) =>
    [...paths].filter((path) => !path.startsWith(".")).map((path) => `${folder}/${path}`);
  return {
    ...aboutImport(read, view),
    tools: outcomes.map((outcome) => ({
      ...view.data(outcome.entry, outcome),
      tool: outcome.tool ?? null,
      taken: takenOf(outcome),
      notes: outcome.notes.map(({ code, message }) => ({ code, message })),
    })),
    files: { written: files(writes.changed.keys()), removed: files(writes.removed) },
    changes: changes ?? null,
  };
}

/** Data of `--list --json`, in addition to diagnostics. */
export function entriesAsData<Tool extends SourceTool>(
  read: AnyRead<Tool>,
  view: ToolsView<Tool>,
): Readonly<Record<string, unknown>> {
  return { ...aboutImport(read, view), tools: read.chosen.map((each) => view.data(each)) };
}

function aboutImport<Tool extends SourceTool>(read: AnyRead<Tool>, { about }: ToolsView<Tool>) {
  return { source: read.request.source, name: read.name, ...about };
}

export function takenOf({ notes, tool }: EntryOutcome<SourceTool>): Taken {
  if (tool === undefined) return "no";
  return notes.some(({ code }) => code === "import/part-left-out") ? "part" : "whole";
}
