/** The tools of a table: which there are, and what of the table none can say. */
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
  /** Restrictions that no tool mentions; each is a sentence without its full stop. */
  readonly notes: readonly string[];
  /** Reason why the table gets no tools. */
  readonly obstacle?: string;
}

/** @param connection the setting that holds the URL */
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
      `${quoted(hidden)} can be written, and no tool reads it: its name says that it is a secret`,
    );
  noteKeys(table, key, note);
  return { table, tools, notes };
}

function obstacleOf(table: TableModel): string | undefined {
  const { columns, extension, partitionOf, sql } = table;
  if (partitionOf !== undefined)
    return `it is a partition: the tools of ${quote(partitionOf)} reach its rows`;
  if (extension !== undefined) return `it belongs to the extension ${quote(extension)}`;
  if (!isPlainSql(sql)) return "its name can't stand in a query: it would be read as a reference";
  return columns.some((each) => isPlainSql(each.sql) && !isHidden(each, table))
    ? undefined
    : "it has no column that a query can name and a tool may read";
}

/** The table without columns whose names a query can't contain. */
function sayable(table: TableModel): { readonly table: TableModel; readonly notes: string[] } {
  const columns = table.columns.filter(({ sql }) => isPlainSql(sql));
  if (columns.length === table.columns.length) return { table, notes: [] };
  const lost = new Set(table.columns.filter((each) => !columns.includes(each)).map(nameOf));
  const keys = table.keys.filter((each) => each.columns.every((name) => !lost.has(name)));
  return {
    table: { ...table, columns, keys },
    notes: [
      `no tool has ${listed([...lost].map(quote))}: in a query the name would be read as a reference`,
    ],
  };
}

/** The key that identifies rows for updates and pages: none of its columns is nullable. */
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
      "it has no key without NULL: rows are inserted and listed, in pages counted by `offset`, and not changed or deleted",
    );
  else if (key === undefined)
    note(
      keys.length === 0
        ? `no key of this ${kind} is known: its rows are listed, in pages counted by \`offset\``
        : "its key may be NULL: pages are counted by `offset`",
    );
  if (kind === "foreign table" && !isWritten(table)) note("it takes no rows: they are read alone");
  if (partialKeys.length > 0)
    note(
      `no tool gets a row by ${listed(partialKeys.map(quote))}: the index is on expressions, or on some rows`,
    );
}
