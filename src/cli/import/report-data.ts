import type { Import, ReadImport } from "../../import/openapi/import-openapi.js";
import { notesOf } from "../../import/openapi/import-openapi.js";
import type { Operation } from "../../import/openapi/model.js";
import { locateAll } from "../../import/openapi/read/locate.js";
import { linesOf } from "../diagnostics/positions.js";

/** Share of an operation that its tool covers. */
export type Taken = "whole" | "part" | "no";

/** Data of `skillc import openapi --json`, in addition to diagnostics. */
export function importAsData(found: Import, folder: string): Readonly<Record<string, unknown>> {
  const { built, changes, writes } = found;
  const notes = built.outcomes.flatMap(notesOf);
  const locate = locateAll(notes.map(({ at }) => at));
  const lines = new Map<string, ReturnType<typeof linesOf>>();
  const positionOf = ({ at }: (typeof notes)[number]) => {
    const { file } = at.document;
    const known = lines.get(file.path) ?? linesOf(file.text);
    lines.set(file.path, known);
    const { column, line } = known.position(locate(at).start);
    return { file: file.path, line, column, pointer: at.pointer };
  };
  const own = (path: string): boolean => !path.startsWith(".");
  const files = (paths: Iterable<string>) =>
    [...paths].filter(own).map((path) => `${folder}/${path}`);
  return {
    ...aboutApi(found),
    operations: built.outcomes.map((outcome) => ({
      ...aboutOperation(outcome.operation),
      skill: outcome.skill ?? null,
      tool: outcome.tool ?? null,
      taken: takenOf(outcome),
      renamed: outcome.renamed ?? [],
      notes: notesOf(outcome).map((note) => ({
        code: note.code,
        message: note.message,
        ...positionOf(note),
      })),
    })),
    settings: built.settings,
    tokenEndpoints: built.tokenEndpoints,
    skills: built.skills.map(({ name, tools }) => ({ name, tools: tools.length })),
    files: {
      written: files(writes.changed.keys()),
      removed: files(writes.removed),
    },
    changes: changes ?? null,
  };
}

/** Data of `--list --json`, in addition to diagnostics. */
export function listAsData(found: ReadImport): Readonly<Record<string, unknown>> {
  return { ...aboutApi(found), operations: found.chosen.map(aboutOperation) };
}

function aboutApi({ api, name, request }: ReadImport) {
  const { format, title, version = null } = api;
  return { source: request.source, name, format, title, version };
}

function aboutOperation({ id, isDeprecated, method, path, summary, tags }: Operation) {
  return {
    method,
    path,
    operationId: id ?? null,
    tags,
    summary: summary ?? null,
    deprecated: isDeprecated,
  };
}

export function takenOf({ notes, tool }: Import["built"]["outcomes"][number]): Taken {
  if (tool === undefined) return "no";
  return notes.some(({ code }) => code === "import/part-left-out") ? "part" : "whole";
}
