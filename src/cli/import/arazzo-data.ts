import type {
  ArazzoImport,
  ReadArazzo,
  WorkflowOutcome,
} from "../../import/arazzo/import-arazzo.js";
import type { WritesDraft } from "../../import/again/draft-writes.js";
import type { SourceImports } from "./arazzo-sources.js";
import type { Taken } from "./report-data.js";

/** Data of `skillc import arazzo --json`, in addition to diagnostics. */
export function arazzoAsData(
  found: ArazzoImport,
  { imported, unread }: SourceImports,
  writes: WritesDraft,
  folder: string,
): Readonly<Record<string, unknown>> {
  const files = (paths: Iterable<string>) =>
    [...paths].filter((path) => !path.startsWith(".")).map((path) => `${folder}/${path}`);
  return {
    ...aboutDocument(found),
    workflows: found.outcomes.map((outcome) => ({
      workflowId: outcome.workflow.id,
      tool: outcome.tool === undefined ? null : `${found.skill}/${outcome.tool}`,
      steps: outcome.workflow.steps.length,
      taken: takenOf(outcome),
      notes: outcome.notes.map(({ code, message }) => ({ code, message })),
    })),
    sources: imported.map(({ done, name }) => ({
      name,
      source: done.request.source,
      import: done.name,
      settings: done.built.settings,
    })),
    unread: Object.fromEntries(unread),
    files: { written: files(writes.changed.keys()), removed: files(writes.removed) },
    changes: found.changes ?? null,
  };
}

/** Data of `--list --json`, in addition to diagnostics. */
export function workflowsAsData(found: ReadArazzo): Readonly<Record<string, unknown>> {
  return {
    ...aboutDocument(found),
    workflows: found.description.workflows.map(({ id, steps, summary }) => ({
      workflowId: id,
      steps: steps.length,
      summary,
    })),
  };
}

function aboutDocument({ description, name, request, skill }: ReadArazzo) {
  return { source: request.source, name, skill, title: description.title };
}

export function takenOf({ notes, tool }: WorkflowOutcome): Taken {
  if (tool === undefined) return "no";
  return notes.some(({ code }) => code === "import/part-left-out") ? "part" : "whole";
}
