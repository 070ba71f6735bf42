/** Derives tools that change a table: insert, and update and delete by its key. */
import type { ColumnModel, KeyModel, TableModel } from "../../core/database-model.js";
import type { JsonObject } from "../../core/json.js";
import { quote } from "../../core/names.js";
import { defaultText, isPlainSql, isVersion } from "./columns.js";
import { createParameterNames, type ParameterNames } from "./names.js";
import { columnsOf, deleteStatement, insertStatement, updateStatement } from "./statements.js";
import {
  boundTo,
  lengthOf,
  nameOf,
  type ToolDraft,
  quoted,
  schemasOf,
  type Tell,
  toolOf,
  withComment,
} from "./tool-parts.js";

export function insertTool(table: TableModel, connection: string, note: Tell): ToolDraft {
  const unsayable = table.columns.filter(
    (each) =>
      each.given === undefined && each.sqlDefault !== undefined && !isPlainSql(defaultText(each)),
  );
  if (unsayable.length > 0)
    note(
      `an inserted row always has the default of ${quoted(unsayable)}, because a query can't contain that default`,
    );
  const isGiven = (column: ColumnModel): boolean =>
    column.given !== undefined ||
    unsayable.includes(column) ||
    (isVersion(column) && column.sqlDefault !== undefined);
  const values = boundTo(
    table.columns.filter((each) => !isGiven(each)),
    createParameterNames([]),
  );
  const required = values.filter(
    ({ column: { isNullable, sqlDefault } }) => !isNullable && sqlDefault === undefined,
  );
  const given = table.columns.filter(isGiven);
  const words = [
    `Insert a row into ${quote(table.name)}.`,
    ...(given.length > 0 ? [`The database fills ${quoted(given)}.`] : []),
  ];
  return {
    operation: { verb: "insert", table, by: [] },
    tool: toolOf(
      {
        description: withComment(words.join(" "), table),
        isWrite: true,
        required: required.map(nameOf),
        properties: new Map(
          schemasOf(values, (each) => (each.column.sqlDefault === undefined ? {} : lengthOf(each))),
        ),
        query: insertStatement(table, values),
        rows: "one",
      },
      connection,
    ),
  };
}

/** The table and columns of a change, and the key that selects the row. */
interface Change {
  readonly table: TableModel;
  readonly connection: string;
  readonly key: readonly ColumnModel[];
  /** Column that counts the changes of a row. A change requires the last read version. */
  readonly version: ColumnModel | undefined;
}

/** Derives the update and delete tools. */
export function changeTools(
  table: TableModel,
  key: KeyModel,
  connection: string,
  note: Tell,
): readonly ToolDraft[] {
  const own = columnsOf(key, table);
  const [version, ...others] = table.columns.filter(
    (each) => isVersion(each) && !own.includes(each) && each.given === undefined,
  );
  const changed = table.columns.filter(
    (each) => each.given === undefined && each !== version && !own.includes(each),
  );
  if (version !== undefined && others.length > 0)
    note(
      `${quoted([version])} is the version of a row, so tools change ${quoted(others)} like any other column`,
    );
  if (changed.length === 0)
    note("no tool updates a row, because each column is part of the key, or the database fills it");
  const change = { table, connection, key: own, version };
  return [...(changed.length > 0 ? [updateTool(change, changed)] : []), deleteTool(change)];
}

/** Parameters that identify the row. The version is last. */
function rowParameters({ key, version }: Change, names: ParameterNames) {
  const bound = boundTo([...key, ...(version ? [version] : [])], names);
  return { bound, keys: bound.slice(0, key.length), counter: bound[key.length] };
}

function staleWords({ version }: Change): string {
  return version === undefined
    ? "`not_found` means that there is no such row."
    : `Pass the ${quoted([version])} that you read. \`not_found\` means that there is no such row, or that somebody has changed it: read it again.`;
}

function updateTool(change: Change, changed: readonly ColumnModel[]): ToolDraft {
  const { connection, key, table } = change;
  const names = createParameterNames(["clear"]);
  const { bound, counter, keys } = rowParameters(change, names);
  const changes = boundTo(changed, names);
  const cleared = changes.filter(({ column }) => column.isNullable).map(nameOf);
  const words = `Change the row of ${quote(table.name)} with this ${quoted(key)}. Columns that you omit stay unchanged. ${staleWords(change)}`;
  return {
    operation: { verb: "update", table, by: [] },
    tool: toolOf(
      {
        description: withComment(words, table),
        isWrite: true,
        required: bound.map(nameOf),
        minProperties: bound.length + 1,
        properties: new Map([
          ...schemasOf(bound),
          ...schemasOf(changes, lengthOf),
          ...(cleared.length > 0 ? [["clear", clearSchema(cleared)] as const] : []),
        ]),
        query: updateStatement(table, keys, counter, changes),
        rows: "one",
      },
      connection,
    ),
  };
}

function deleteTool(change: Change): ToolDraft {
  const { connection, key, table } = change;
  const { bound, counter, keys } = rowParameters(change, createParameterNames([]));
  return {
    operation: { verb: "delete", table, by: [] },
    tool: toolOf(
      {
        description: `Delete the row of ${quote(table.name)} with this ${quoted(key)}. ${staleWords(change)}`,
        isWrite: true,
        required: bound.map(nameOf),
        properties: new Map(schemasOf(bound)),
        query: deleteStatement(table, keys, counter),
        rows: "one",
      },
      connection,
    ),
  };
}

function clearSchema(names: readonly string[]): JsonObject {
  return {
    description: "Columns to set to NULL, even if a value is given.",
    type: "array",
    items: { enum: names },
    default: [],
  };
}
