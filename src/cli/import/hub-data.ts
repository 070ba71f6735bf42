import type { EntryOutcome, HubImport, ReadHubImport } from "../../import/hub/import-hub.js";
import type { ReadEntry } from "../../import/hub/hub-tool.js";
import type { Taken } from "./report-data.js";

/** Data of `skillc import manifest --json`, in addition to diagnostics. */
export function hubAsData(found: HubImport, folder: string): Readonly<Record<string, unknown>> {
  const { changes, outcomes, writes } = found;
  const files = (paths: Iterable<string>) =>
    [...paths].filter((path) => !path.startsWith(".")).map((path) => `${folder}/${path}`);
  return {
    ...aboutHub(found),
    tools: outcomes.map((outcome) => ({
      ...aboutEntry(outcome.entry),
      tool: outcome.tool ?? null,
      taken: takenOf(outcome),
      notes: outcome.notes.map(({ code, message }) => ({ code, message })),
    })),
    files: { written: files(writes.changed.keys()), removed: files(writes.removed) },
    changes: changes ?? null,
  };
}

/** Data of `--list --json`, in addition to diagnostics. */
export function entriesAsData(found: ReadHubImport): Readonly<Record<string, unknown>> {
  return { ...aboutHub(found), tools: found.chosen.map(aboutEntry) };
}

function aboutHub({ name, request, skill }: ReadHubImport) {
  return { source: request.source, name, skill };
}

function aboutEntry({ label, tool }: ReadEntry) {
  return {
    id: tool?.id ?? label,
    name: tool?.name ?? null,
    riskLevel: tool?.risk ?? null,
    executor: tool?.executor ?? null,
    command: tool?.command ?? null,
    enabled: tool?.isEnabled ?? null,
  };
}

export function takenOf({ notes, tool }: EntryOutcome): Taken {
  if (tool === undefined) return "no";
  return notes.some(({ code }) => code === "import/part-left-out") ? "part" : "whole";
}
