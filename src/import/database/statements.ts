/** Prints the statements of tools in the layout of hand-written ones. */
import type { ColumnModel, KeyModel, TableModel } from "../../core/database-model.js";
import { castOf, defaultText, type FilterForm, isHidden } from "./columns.js";

/** A column, and the parameter with its value. */
export interface Bound {
  readonly column: ColumnModel;
  readonly name: string;
}

const widest = 96;

/** Puts the items on one line if they fit, or else on several. */
function list(items: readonly string[], indent: string, before = ""): string {
  const lines: string[] = [];
  let line = before;
  for (const item of items) {
    const isFull = line.trim() !== "" && line.length + item.length + 2 > widest;
    if (isFull) lines.push(`${line},`);
    line = isFull ? `${indent}${item}` : line === before ? `${line}${item}` : `${line}, ${item}`;
  }
  return [...lines, line].join("\n");
}

/** Prints column names. skillc would interpret a mark at the end of a name. */
function selected(table: TableModel): readonly string[] {
  const columns = table.columns.filter((each) => !isHidden(each, table));
  return columns.map(({ name, sql }) => {
    const plain = name.replace(/[!?]+$/, "");
    return plain === name ? sql : `${sql} AS "${(plain || "column").replaceAll('"', '""')}"`;
  });
}

function returning(table: TableModel): string {
  return list(selected(table), "  ", "RETURNING ");
}

function equals(bound: readonly Bound[]): string {
  return bound.map(({ column, name }) => `${column.sql} = :${name}`).join(" AND ");
}

export function getStatement(table: TableModel, key: readonly Bound[]): string {
  return [list(selected(table), "  ", "SELECT "), `FROM ${table.sql}`, `WHERE ${equals(key)}`].join(
    "\n",
  );
}

export interface Filter extends Bound {
  readonly form: FilterForm;
  readonly end: "from" | "to" | undefined;
}

function filterText({ column, end, form, name }: Filter): string {
  const operators = { equal: "=", holds: "@>", range: "<=", period: "<" };
  const operator = end === "from" ? ">=" : operators[form];
  return `(:${name}::${castOf(column.type)} IS NULL OR ${column.sql} ${operator} :${name})`;
}

/** Selects a page after a row, in the order of columns that are unique together. */
export function listStatement(
  table: TableModel,
  filters: readonly Filter[],
  order: readonly Bound[],
): string {
  const [first] = order;
  const columns = order.map(({ column }) => column.sql);
  const values = order.map(({ name }) => `:${name}`);
  const [left, right] = [columns, values].map((each) =>
    each.length === 1 ? each[0] : `(${each.join(", ")})`,
  );
  const following =
    first === undefined
      ? []
      : [
          `(:${first.name}::${castOf(first.column.type)} IS NULL OR\n    ` +
            `CASE WHEN :descending THEN ${left} < ${right} ELSE ${left} > ${right} END)`,
        ];
  const conditions = [...filters.map(filterText), ...following];
  const descending = columns.map((each) => `CASE WHEN :descending THEN ${each} END DESC`);
  return [
    list(selected(table), "  ", "SELECT "),
    `FROM ${table.sql}`,
    ...(conditions.length === 0 ? [] : [`WHERE ${conditions.join("\n  AND ")}`]),
    list([...descending, ...columns], "  ", "ORDER BY "),
    "LIMIT :limit",
  ].join("\n");
}

/** Pages by offset, for rows without a key. */
export function countedListStatement(
  table: TableModel,
  filters: readonly Filter[],
  order: readonly ColumnModel[],
): string {
  const conditions = filters.map(filterText);
  return [
    list(selected(table), "  ", "SELECT "),
    `FROM ${table.sql}`,
    ...(conditions.length === 0 ? [] : [`WHERE ${conditions.join("\n  AND ")}`]),
    ...(order.length === 0
      ? []
      : [
          list(
            order.map(({ sql }) => sql),
            "  ",
            "ORDER BY ",
          ),
        ]),
    "LIMIT :limit OFFSET :offset",
  ].join("\n");
}

export function insertStatement(table: TableModel, values: readonly Bound[]): string {
  if (values.length === 0) return `INSERT INTO ${table.sql} DEFAULT VALUES\n${returning(table)}`;
  const columns = values.map(({ column }) => column.sql);
  const placed = values.map(({ column, name }) =>
    column.sqlDefault === undefined
      ? `:${name}`
      : `coalesce(:${name}::${castOf(column.type)}, ${defaultText(column)})`,
  );
  return [
    `${list(columns, "  ", `INSERT INTO ${table.sql} (`)})`,
    `${list(placed, "  ", "VALUES (")})`,
    returning(table),
  ].join("\n");
}

/** Updates by the key, and by the version if there is one; the update increments the version. */
export function updateStatement(
  table: TableModel,
  key: readonly Bound[],
  version: Bound | undefined,
  changes: readonly Bound[],
): string {
  const firstCleared = changes.find(({ column }) => column.isNullable);
  const sets = changes.map(({ column: { isNullable, sql }, name }) => {
    const value = `coalesce(:${name}, ${sql})`;
    if (!isNullable) return `${sql} = ${value}`;
    const cast = firstCleared?.name === name ? "::text[]" : "";
    return `${sql} = CASE WHEN '${name}' = ANY (:clear${cast}) THEN NULL ELSE ${value} END`;
  });
  const counted =
    version === undefined ? [] : [`${version.column.sql} = ${version.column.sql} + 1`];
  return [
    `UPDATE ${table.sql}`,
    `SET ${[...sets, ...counted].join(",\n  ")}`,
    `WHERE ${equals([...key, ...(version ? [version] : [])])}`,
    returning(table),
  ].join("\n");
}

export function deleteStatement(
  table: TableModel,
  key: readonly Bound[],
  version: Bound | undefined,
): string {
  return [
    `DELETE FROM ${table.sql}`,
    `WHERE ${equals([...key, ...(version ? [version] : [])])}`,
    `RETURNING ${key.map(({ column }) => column.sql).join(", ")}`,
  ].join("\n");
}

/** Returns the columns of a key from the table. */
export function columnsOf(key: KeyModel, { columns }: TableModel): readonly ColumnModel[] {
  return key.columns.flatMap((name) => columns.find((each) => each.name === name) ?? []);
}
