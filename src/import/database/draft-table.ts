/** Derives the tools of a table, and notes about parts of the table that no tool covers. */
import type { KeyModel, TableModel } from "../../core/database-model.js";
import { listed, quote } from "../../core/names.js";
import { isHidden, isPlainSql } from "./columns.js";
import { getTool, listTools } from "./read-tools.js";
import { columnsOf } from "./statements.js";
import { nameOf, type ToolDraft, quoted, type Tell } from "./tool-parts.js";
import { changeTools, insertTool } from "./write-tools.js";

export interface TableDraft {
  readonly table: TableModel;
  readonly tools: readonly ToolDraft[];
  /** Restrictions that no tool mentions. Each is a sentence without its full stop. */
  readonly notes: readonly string[];
  /** Reason why the table gets no tools. */
  readonly obstacle?: string;
}

/** @param connection setting with the URL */
export function draftTable(given: TableModel, connection: string): TableDraft {
  const obstacle = obstacleOf(given);
  if (obstacle !== undefined) return { table: given, tools: [], notes: [], obstacle };
  const { notes, table } = sayable(given);
  const note: Tell = (text) => void notes.push(text);
  const key = rowKey(table);
  const tools = [
    ...table.keys.map((each) => getTool(table, each, each === (key ?? table.keys[0]), connection)),
    ...listTools(table, key, connection, note),
    ...(isWritten(table) ? [insertTool(table, connection, note)] : []),
    ...(isWritten(table) && key !== undefined ? changeTools(table, key, connection, note) : []),
  ];
  const hidden = table.columns.filter((each) => isHidden(each, table));
  if (hidden.length > 0)
    note(
      `tools write but never read ${quoted(hidden)}: a column with such a name usually holds a secret`,
    );
  noteKeys(table, key, note);
  return { table, tools, notes };
}

function obstacleOf(table: TableModel): string | undefined {
  const { columns, extension, partitionOf, sql } = table;
  if (partitionOf !== undefined) return `it is a partition: use the tools of ${quote(partitionOf)}`;
  if (extension !== undefined) return `it belongs to the extension ${quote(extension)}`;
  if (!isPlainSql(sql))
    return "a query can't contain its name, because skillc would read a placeholder in it";
  return columns.some((each) => isPlainSql(each.sql) && !isHidden(each, table))
    ? undefined
    : "no tool can read any of its columns";
}

/** Removes columns whose names a query can't contain. */
function sayable(table: TableModel): { readonly table: TableModel; readonly notes: string[] } {
  const columns = table.columns.filter(({ sql }) => isPlainSql(sql));
  if (columns.length === table.columns.length) return { table, notes: [] };
  const lost = new Set(table.columns.filter((each) => !columns.includes(each)).map(nameOf));
  const keys = table.keys.filter((each) => each.columns.every((name) => !lost.has(name)));
  return {
    table: { ...table, columns, keys },
    notes: [
      `no tool uses ${listed([...lost].map(quote))}, because skillc would read a placeholder in the name`,
    ],
  };
}

/** Returns the key that identifies rows for updates and pages. None of its columns is nullable. */
function rowKey(table: TableModel): KeyModel | undefined {
  const isWhole = (key: KeyModel): boolean =>
    key.columns.length > 0 && columnsOf(key, table).every(({ isNullable }) => !isNullable);
  return table.keys.find((key) => table.kind === "view" || isWhole(key));
}

function isWritten({ kind, takesRows }: TableModel): boolean {
  return kind === "table" || (kind === "foreign table" && takesRows);
}

function noteKeys(table: TableModel, key: KeyModel | undefined, note: Tell): void {
  const { keys, kind, partialKeys } = table;
  if (key === undefined && isWritten(table))
    note(
      "it has no key without NULL, so tools only insert rows and list them, with pages by `offset`",
    );
  else if (key === undefined)
    note(
      keys.length === 0
        ? `skillc knows no key of this ${kind}, so its list has pages by \`offset\``
        : "its key may be NULL, so its list has pages by `offset`",
    );
  if (kind === "foreign table" && !isWritten(table))
    note("it accepts no changes, so tools only read it");
  if (partialKeys.length > 0)
    note(
      `no tool gets a row by ${listed(partialKeys.map(quote))}, because the index has expressions or covers only some rows`,
    );
}
