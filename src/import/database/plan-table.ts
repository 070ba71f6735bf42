/** The tools of a table: which there are, what each takes, and what of the table none can say. */
import type { ColumnModel, KeyModel, TableModel } from "../../core/database-model.js";
import { type JsonObject, type JsonValue, setOwn } from "../../core/json.js";
import { listed, quote } from "../../core/names.js";
import { longestDescription } from "../skills/print-files.js";
import { cut, oneLine, prose } from "../skills/texts.js";
import {
  defaultText,
  filterForm,
  isOrdered,
  isPlainSql,
  isSecret,
  isVersion,
  leadsLists,
} from "./columns.js";
import { createParameterNames, type Operation, type ParameterNames } from "./names.js";
import {
  type Bound,
  columnsOf,
  countedListStatement,
  deleteStatement,
  type Filter,
  getStatement,
  insertStatement,
  listStatement,
  updateStatement,
} from "./statements.js";

export interface PlannedTool {
  readonly operation: Operation;
  readonly tool: JsonObject;
}

export interface PlannedTable {
  readonly table: TableModel;
  readonly tools: readonly PlannedTool[];
  /** What no tool says, each a sentence without its full stop. */
  readonly notes: readonly string[];
  /** Why there is no tool at all. */
  readonly obstacle?: string;
}

/** @param connection the setting that holds the URL */
export function planTable(given: TableModel, connection: string): PlannedTable {
  const obstacle = obstacleOf(given);
  if (obstacle !== undefined) return { table: given, tools: [], notes: [], obstacle };
  const { notes, table } = sayable(given);
  const note = (text: string): void => void notes.push(text);
  const key = rowKey(table);
  const tools = [
    ...table.keys.map((each) => getTool(table, each, each === (key ?? table.keys[0]), connection)),
    ...listTools(table, key, connection, note),
    ...(isWritten(table) ? [insertTool(table, connection, note)] : []),
    ...(isWritten(table) && key !== undefined ? changeTools(table, key, connection, note) : []),
  ];
  noteKeys(table, key, note);
  return { table, tools, notes };
}

function obstacleOf({ columns, extension, partitionOf, sql }: TableModel): string | undefined {
  if (partitionOf !== undefined)
    return `it is a partition: the tools of ${quote(partitionOf)} reach its rows`;
  if (extension !== undefined) return `it belongs to the extension ${quote(extension)}`;
  if (!isPlainSql(sql)) return "its name can't stand in a query: it would be read as a reference";
  return columns.some((each) => isPlainSql(each.sql))
    ? undefined
    : "it has no column that a query can name";
}

/** Without columns whose names a query can't hold. */
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

/** By which rows are changed and pages begin: no part of it is ever NULL. */
function rowKey(table: TableModel): KeyModel | undefined {
  const isWhole = (key: KeyModel): boolean =>
    key.columns.length > 0 && columnsOf(key, table).every(({ isNullable }) => !isNullable);
  return table.keys.find((key) => table.kind === "view" || isWhole(key));
}

function isWritten({ kind, takesRows }: TableModel): boolean {
  return kind === "table" || (kind === "foreign table" && takesRows);
}

function noteKeys(
  table: TableModel,
  key: KeyModel | undefined,
  note: (text: string) => void,
): void {
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

interface ToolParts {
  readonly description: string;
  readonly isWrite?: true;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly dependentRequired?: JsonObject;
  readonly properties: ReadonlyMap<string, JsonValue>;
  readonly query: string;
  readonly rows?: "one";
}

function toolOf(parts: ToolParts, connection: string): JsonObject {
  const { dependentRequired, description, isWrite, minProperties, required = [] } = parts;
  const properties: Record<string, JsonValue> = {};
  for (const [name, schema] of parts.properties) setOwn(properties, name, schema);
  return {
    description: cut(description, longestDescription),
    ...(isWrite && { risk_level: "high" }),
    parameters: {
      type: "object",
      additionalProperties: false,
      ...(required.length > 0 && { required }),
      ...(minProperties !== undefined && { minProperties }),
      ...(dependentRequired && { dependentRequired }),
      ...(parts.properties.size > 0 && { properties }),
    },
    binding: {
      type: "sql",
      connection: `\${${connection}}`,
      query: `${parts.query}\n`,
      ...(parts.rows && { rows: parts.rows }),
      ...(isWrite && { read_only: false }),
    },
  };
}

/** What is said of a column's parameter; its type is the database's to say. */
function schemaOf({ column }: Bound, more: JsonObject = {}, words = ""): JsonObject {
  const { comment, references } = column;
  const about = comment === undefined ? "" : cut(oneLine(comment), 500);
  const whose = references === undefined ? "" : `Of ${references}.`;
  const description = [words, about, about === "" ? whose : ""]
    .filter((each) => each !== "")
    .join(" ");
  return {
    ...(description !== "" && { description }),
    ...(isSecret(column) && { "x-sensitive": true }),
    ...more,
  };
}

/** Behind a function PostgreSQL doesn't tell how long a text may be. */
function lengthOf({ column: { type } }: Bound): JsonObject {
  return type.length === undefined || type.isArray ? {} : { maxLength: type.length };
}

function boundTo(
  columns: readonly ColumnModel[],
  names: ParameterNames,
  before = "",
): readonly Bound[] {
  return columns.map((column) => ({ column, name: names.take(column.name, before) }));
}

function schemasOf(
  bound: readonly Bound[],
  more: (each: Bound) => JsonObject = () => ({}),
): readonly (readonly [string, JsonValue])[] {
  return bound.map((each) => [each.name, schemaOf(each, more(each))]);
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}

function quoted(items: readonly { readonly name: string }[]): string {
  return listed(items.map((each) => quote(oneLine(each.name))));
}

/** What a comment says of the table, after a tool's own words. */
function withComment(words: string, { comment }: TableModel): string {
  const about = comment === undefined ? "" : prose(comment);
  return about === "" ? words : `${words}\n\n${about}`;
}

function getTool(
  table: TableModel,
  key: KeyModel,
  isUsual: boolean,
  connection: string,
): PlannedTool {
  const bound = boundTo(columnsOf(key, table), createParameterNames([]));
  const words = `Get the one row of ${quote(table.name)} with this ${quoted(bound.map(({ column }) => column))}.`;
  return {
    operation: { verb: "get", table, by: isUsual ? [] : key.columns },
    tool: toolOf(
      {
        description: withComment(words, table),
        required: bound.map(nameOf),
        properties: new Map(schemasOf(bound)),
        query: getStatement(table, bound),
        rows: "one",
      },
      connection,
    ),
  };
}

const mostFilters = 24;
const mostOrders = 4;
const limit = { description: "Most rows.", minimum: 1, maximum: 200, default: 50 };

function listTools(
  table: TableModel,
  key: KeyModel | undefined,
  connection: string,
  note: (text: string) => void,
): readonly PlannedTool[] {
  noteFilters(table, note);
  if (key === undefined) return [countedList(table, connection)];
  const own = columnsOf(key, table);
  const leading = table.columns.filter((each) => leadsLists(each, table) && !own.includes(each));
  if (leading.length > mostOrders)
    note(
      `no list is ordered by ${quoted(leading.slice(mostOrders))}: there are ${mostOrders} others`,
    );
  return [
    pagedList(table, own, [], connection),
    ...leading
      .slice(0, mostOrders)
      .map((column) => pagedList(table, [column, ...own], [column.name], connection)),
  ];
}

function noteFilters(table: TableModel, note: (text: string) => void): void {
  const without = table.columns.filter((each) => filterForm(each, table) === undefined);
  if (without.length > 0)
    note(
      `lists have no filter by ${quoted(without)}: values of such types are not looked for as a whole`,
    );
  const { over } = filtersOf(table, createParameterNames([]), []);
  if (over.length > 0)
    note(`lists have no filter by ${quoted(over)}: a tool has ${mostFilters} at most`);
}

/** @param skipped columns by which a row is got, not found */
function filtersOf(
  table: TableModel,
  names: ParameterNames,
  skipped: readonly ColumnModel[],
): { readonly filters: readonly Filter[]; readonly over: readonly ColumnModel[] } {
  const filters: Filter[] = [];
  const over: ColumnModel[] = [];
  for (const column of table.columns) {
    const form = filterForm(column, table);
    if (form === undefined || skipped.includes(column)) continue;
    const ends = endsOf(form);
    if (filters.length + ends.length > mostFilters) over.push(column);
    else
      for (const { after, end } of ends)
        filters.push({ column, form, end, name: names.take(column.name, "", after) });
  }
  return { filters, over };
}

function endsOf(
  form: Filter["form"],
): readonly { readonly end: Filter["end"]; readonly after: string }[] {
  if (form === "range")
    return [
      { end: "from", after: "_min" },
      { end: "to", after: "_max" },
    ];
  if (form === "period")
    return [
      { end: "from", after: "_from" },
      { end: "to", after: "_before" },
    ];
  return [{ end: undefined, after: "" }];
}

const filterWords: Readonly<Record<string, string>> = {
  "range from": "This or more.",
  "range to": "This or less.",
  "period from": "At this time or later.",
  "period to": "Before this time.",
  holds: "Holds all of these.",
};

function filterSchemas(filters: readonly Filter[]): readonly (readonly [string, JsonValue])[] {
  return filters.map((each) => {
    const words = filterWords[[each.form, each.end ?? []].flat().join(" ")] ?? "";
    return [each.name, schemaOf(each, each.form === "holds" ? { minItems: 1 } : {}, words)];
  });
}

function pagedList(
  table: TableModel,
  columns: readonly ColumnModel[],
  by: readonly string[],
  connection: string,
): PlannedTool {
  const names = createParameterNames(["descending", "limit"]);
  const order = boundTo(columns, names, "after_");
  const { filters } = filtersOf(table, names, columns.length === 1 ? columns : []);
  const after = order.map(nameOf);
  const words =
    `List rows of ${quote(table.name)} by ${quoted(columns)}${by.length > 0 ? ", the latest or greatest first" : ""}. ` +
    `For the next page give the last row's ${quoted(columns)} as ${listed(after.map(quote))}.`;
  return {
    operation: { verb: "list", table, by },
    tool: toolOf(
      {
        description: withComment(words, table),
        ...(after.length > 1 && { dependentRequired: eachNeedsOthers(after) }),
        properties: new Map([
          ...filterSchemas(filters),
          ...after.map((name) => [name, {}] as const),
          ["descending", { type: "boolean", default: by.length > 0 }],
          ["limit", limit],
        ]),
        query: listStatement(table, filters, order),
      },
      connection,
    ),
  };
}

/** A row is told by all columns of the order, or by none. */
function eachNeedsOthers(names: readonly string[]): JsonObject {
  const all: Record<string, JsonValue> = {};
  for (const name of names)
    setOwn(
      all,
      name,
      names.filter((each) => each !== name),
    );
  return all;
}

function countedList(table: TableModel, connection: string): PlannedTool {
  const names = createParameterNames(["limit", "offset"]);
  const { filters } = filtersOf(table, names, []);
  const order = table.columns.filter(({ type }) => isOrdered(type)).slice(0, 8);
  const words = `List rows of ${quote(table.name)}. For the next page add \`limit\` to \`offset\`.`;
  return {
    operation: { verb: "list", table, by: [] },
    tool: toolOf(
      {
        description: withComment(words, table),
        properties: new Map<string, JsonValue>([
          ...filterSchemas(filters),
          ["limit", limit],
          [
            "offset",
            { description: "Rows that are passed over.", minimum: 0, maximum: 100_000, default: 0 },
          ],
        ]),
        query: countedListStatement(table, filters, order),
      },
      connection,
    ),
  };
}

function insertTool(
  table: TableModel,
  connection: string,
  note: (text: string) => void,
): PlannedTool {
  const unsayable = table.columns.filter(
    ({ given, sqlDefault }) =>
      given === undefined && sqlDefault !== undefined && !isPlainSql(defaultText(sqlDefault)),
  );
  if (unsayable.length > 0)
    note(
      `${quoted(unsayable)} is always its default when a row is inserted: a query can't hold it`,
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
    ...(given.length > 0 ? [`The database gives ${quoted(given)}.`] : []),
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

/** Update and delete. */
function changeTools(
  table: TableModel,
  key: KeyModel,
  connection: string,
  note: (text: string) => void,
): readonly PlannedTool[] {
  const own = columnsOf(key, table);
  const counter = table.columns.find((each) => isVersion(each) && !own.includes(each));
  const changed = table.columns.filter(
    (each) => each.given === undefined && each !== counter && !own.includes(each),
  );
  const counters = counter === undefined ? [] : [counter];
  const otherVersions = table.columns.filter(
    (each) => isVersion(each) && each !== counter && !own.includes(each),
  );
  if (otherVersions.length > 0)
    note(
      `${quoted(counters)} is the version of a row; ${quoted(otherVersions)} is changed as any other`,
    );
  if (changed.length === 0)
    note("there is nothing to update: all its columns are its key, or given");
  const stale =
    counter === undefined
      ? "`not_found` says that there is none."
      : `${quote(counter.name)} is what was read last; \`not_found\` says that there is none, or that somebody changed it since: read it again.`;
  const remove = (): PlannedTool => {
    const bound = boundTo([...own, ...counters], createParameterNames([]));
    const [version] = bound.slice(own.length);
    return {
      operation: { verb: "delete", table, by: [] },
      tool: toolOf(
        {
          description: `Delete the row of ${quote(table.name)} with this ${quoted(own)}. ${stale}`,
          isWrite: true,
          required: bound.map(nameOf),
          properties: new Map(schemasOf(bound)),
          query: deleteStatement(table, bound.slice(0, own.length), version),
          rows: "one",
        },
        connection,
      ),
    };
  };
  const update = (): PlannedTool => {
    const names = createParameterNames(["clear"]);
    const bound = boundTo([...own, ...counters], names);
    const [version] = bound.slice(own.length);
    const changes = boundTo(changed, names);
    const cleared = changes.filter(({ column }) => column.isNullable).map(nameOf);
    return {
      operation: { verb: "update", table, by: [] },
      tool: toolOf(
        {
          description: withComment(
            `Change the row of ${quote(table.name)} with this ${quoted(own)}. What is left out stays as it is. ${stale}`,
            table,
          ),
          isWrite: true,
          required: bound.map(nameOf),
          minProperties: bound.length + 1,
          properties: new Map([
            ...schemasOf(bound),
            ...schemasOf(changes, lengthOf),
            ...(cleared.length > 0 ? [["clear", clearSchema(cleared)] as const] : []),
          ]),
          query: updateStatement(table, bound.slice(0, own.length), version, changes),
          rows: "one",
        },
        connection,
      ),
    };
  };
  return [...(changed.length > 0 ? [update()] : []), remove()];
}

function clearSchema(names: readonly string[]): JsonObject {
  return {
    description: "What to empty: it is NULL then, whatever else is given for it.",
    type: "array",
    items: { enum: names },
    default: [],
  };
}
