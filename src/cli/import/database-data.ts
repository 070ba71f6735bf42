import type {
  DatabaseImport,
  ReadDatabaseImport,
  TableOutcome,
} from "../../import/database/import-database.js";
import type { TableModel } from "../../core/database-model.js";
import type { Taken } from "./report-data.js";

/** Data of `skillc import database --json`, in addition to diagnostics. */
export function databaseAsData(
  found: DatabaseImport,
  folder: string,
): Readonly<Record<string, unknown>> {
  const { changes, outcomes, skills, writes } = found;
  const files = (paths: Iterable<string>) =>
    [...paths].filter((path) => !path.startsWith(".")).map((path) => `${folder}/${path}`);
  return {
    ...aboutDatabase(found),
    tables: outcomes.map((outcome) => ({
      ...aboutTable(outcome.table),
      skill: outcome.skill ?? null,
      tools: outcome.names,
      taken: takenOf(outcome),
      notes: notesOf(outcome),
    })),
    skills: skills.map(({ name, tools }) => ({ name, tools: tools.length })),
    files: { written: files(writes.changed.keys()), removed: files(writes.removed) },
    changes: changes ?? null,
  };
}

/** Data of `--list --json`, in addition to diagnostics. */
export function tablesAsData(found: ReadDatabaseImport): Readonly<Record<string, unknown>> {
  return { ...aboutDatabase(found), tables: found.chosen.map(aboutTable) };
}

function aboutDatabase({ database, name, request }: ReadDatabaseImport) {
  return { source: request.source, name, server: database.server };
}

function aboutTable({ columns, comment, keys, kind, name, schema }: TableModel) {
  return {
    schema,
    name,
    kind,
    comment: comment ?? null,
    columns: columns.map((each) => each.name),
    keys: keys.map((each) => each.columns),
  };
}

/** All notes about a table. The reason why it has no tools comes last. */
export function notesOf({ notes, obstacle }: TableOutcome): readonly string[] {
  return obstacle === undefined ? notes : [...notes, obstacle];
}

export function takenOf({ notes, obstacle }: TableOutcome): Taken {
  if (obstacle !== undefined) return "no";
  return notes.length === 0 ? "whole" : "part";
}
