/** Derives tools that read a table: one row by a key, or many rows in pages. */
import type { ColumnModel, KeyModel, TableModel } from "../../core/database-model.js";
import { type JsonObject, type JsonValue, setOwn } from "../../core/json.js";
import { listed, quote } from "../../core/names.js";
import { filterForm, isHidden, isOrdered, isPoint, isVersion, leadsLists } from "./columns.js";
import { createParameterNames, type ParameterNames } from "./names.js";
import {
  columnsOf,
  countedListStatement,
  type Filter,
  getStatement,
  listStatement,
} from "./statements.js";
import {
  boundTo,
  nameOf,
  type ToolDraft,
  quoted,
  schemaOf,
  schemasOf,
  type Tell,
  toolOf,
  withComment,
} from "./tool-parts.js";

export function getTool(
  table: TableModel,
  key: KeyModel,
  isUsual: boolean,
  connection: string,
): ToolDraft {
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

const maxFilters = 24;
const maxOrders = 4;
const limit = { description: "Maximum number of rows.", minimum: 1, maximum: 200, default: 50 };

/** Derives lists by the key, and by each column that people usually sort by. */
export function listTools(
  table: TableModel,
  key: KeyModel | undefined,
  connection: string,
  note: Tell,
): readonly ToolDraft[] {
  noteFilters(table, note);
  if (key === undefined) return [countedList(table, connection)];
  const own = columnsOf(key, table);
  const leading = table.columns.filter((each) => leadsLists(each, table) && !own.includes(each));
  if (leading.length > maxOrders)
    note(
      `no tool lists rows by ${quoted(leading.slice(maxOrders))}: a table gets at most ${maxOrders} such tools`,
    );
  return [
    pagedList(table, own, undefined, connection),
    ...leading.slice(0, maxOrders).map((column) => pagedList(table, own, column, connection)),
  ];
}

function noteFilters(table: TableModel, note: Tell): void {
  const without = table.columns.filter(
    (each) =>
      filterForm(each, table) === undefined &&
      !isVersion(each) &&
      !isHidden(each, table) &&
      // The get tool selects by these columns.
      !table.keys.some(({ columns }) => columns.length === 1 && columns[0] === each.name),
  );
  if (without.length > 0)
    note(`lists have no filter by ${quoted(without)}: the import makes no filters for such types`);
  const { over } = filtersOf(table, createParameterNames([]), []);
  if (over.length > 0)
    note(`lists have no filter by ${quoted(over)}: a tool has at most ${maxFilters} filters`);
}

/** @param skipped columns of keys, which identify rows */
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
    if (filters.length + ends.length > maxFilters) over.push(column);
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
  holds: "Contains all of these.",
};

function filterSchemas(filters: readonly Filter[]): readonly (readonly [string, JsonValue])[] {
  return filters.map((each) => {
    const words = filterWords[[each.form, each.end ?? []].flat().join(" ")] ?? "";
    return [each.name, schemaOf(each, each.form === "holds" ? { minItems: 1 } : {}, words)];
  });
}

function pagedList(
  table: TableModel,
  key: readonly ColumnModel[],
  leading: ColumnModel | undefined,
  connection: string,
): ToolDraft {
  const columns = leading === undefined ? key : [leading, ...key];
  const names = createParameterNames(["descending", "limit"]);
  const order = boundTo(columns, names, "after_");
  const { filters } = filtersOf(table, names, key.length === 1 ? key : []);
  const after = order.map(nameOf);
  const words =
    `List rows of ${quote(table.name)} by ${quoted(columns)}${leading === undefined ? "" : `, the ${isPoint(leading) ? "latest" : "greatest"} first`}. ` +
    `For the next page, pass the last row's ${quoted(columns)} as ${listed(after.map(quote))}.`;
  return {
    operation: { verb: "list", table, by: leading === undefined ? [] : [leading.name] },
    tool: toolOf(
      {
        description: withComment(words, table),
        ...(after.length > 1 && { dependentRequired: eachNeedsOthers(after) }),
        properties: new Map([
          ...filterSchemas(filters),
          ...after.map((name) => [name, {}] as const),
          ["descending", { type: "boolean", default: leading !== undefined }],
          ["limit", limit],
        ]),
        query: listStatement(table, filters, order),
      },
      connection,
    ),
  };
}

/**
 * Schema that requires all columns of the order together, because only all of them identify a row.
 */
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

function countedList(table: TableModel, connection: string): ToolDraft {
  const names = createParameterNames(["limit", "offset"]);
  const { filters } = filtersOf(table, names, []);
  const order = table.columns
    .filter((each) => isOrdered(each.type) && !isHidden(each, table))
    .slice(0, 8);
  const words = `List rows of ${quote(table.name)}. For the next page, add \`limit\` to \`offset\`.`;
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
            { description: "Number of rows to skip.", minimum: 0, maximum: 100_000, default: 0 },
          ],
        ]),
        query: countedListStatement(table, filters, order),
      },
      connection,
    ),
  };
}
