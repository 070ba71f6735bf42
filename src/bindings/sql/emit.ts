import { isDeepStrictEqual } from "node:util";
import { defaultSearchPath, type Dimensions } from "@skillc/runtime/internal/sql";
import {
  at,
  type Code,
  code,
  imported,
  join,
  jsDoc,
  literal,
  member,
  memberKey,
  nothing,
  objectKey,
} from "../../core/code.js";
import type { JsonObject, JsonValue } from "../../core/json.js";
import { runtimeEntry } from "../../core/runtime-entry.js";
import { lookUp, type ValueFacts } from "../../schema/look-up.js";
import type { BindingEmission, EmitInput, View } from "../../kit/binding-emission.js";
import { mentions } from "./builder/chain.js";
import { printChain } from "./builder/print.js";
import { isInherited } from "./builder/relations.js";
import { databaseModulePath } from "./database-module.js";
import {
  analyzed,
  type ResultColumnModel,
  type SqlConfig,
  type StatementModel,
  type ValueSource,
} from "./model.js";
import { placeOfSource, rootPath, sourceOf } from "./sources.js";
import { columnTypeScript, formatOf, type SqlType, typeScriptOf } from "./types/sql-type.js";

type Input = EmitInput<SqlConfig>;

/** Makes the view of `templates/sql.hbs` and the result types of the tool. */
export function emitSql(input: Input): BindingEmission {
  const { config, runtime, argumentsType } = input;
  const statement = analyzed(config);
  const database = imported(
    `../${databaseModulePath(config.connection.name)}.js`,
    "Database",
    true,
  );
  const chain = printChain(statement.chain, {
    parameter: (placeholder) => argumentCode(placeholder, input),
    database,
    sql: runtime("sql"),
  });
  const { touched } = statement;
  const listed = listedLabels(statement.columns, input);
  const view: View = {
    query: runtime("query"),
    database,
    argumentsType,
    selects: statement.selected.length > 0,
    selected: selectedCode(statement),
    connection: at(config.connection.span, literal(config.connection.name)),
    effect: literal(input.tool.binding.effect),
    usesDatabase: mentions(statement.chain, "db"),
    usesParameters: statement.parameters.some(({ parameter }) => rootPath(parameter) === undefined),
    usesCaller: statement.parameters.some(({ parameter }) => rootPath(parameter) !== undefined),
    statement: jsDoc(config.query.value),
    build: at(config.query.span, chain),
    touchesTables: touched.reads.length + touched.writes.length > 0,
    tables: literal(tablesOf(statement)),
    fillsTables: statement.filled.length > 0,
    fills: literal(filledTables(statement)),
    parameters: listCode(
      statement.parameters.map(({ parameter, type }) =>
        literal(parameterFormat(parameter, type, input)),
      ),
    ),
    columns: columnsCode(statement.columns, input),
    hasLabels: Object.keys(listed).length > 0,
    labels: literal(listed),
    setsConfig: config.setConfig !== undefined,
    setConfig: literal((config.setConfig ?? []).map(({ name, parts }) => [name, ...parts])),
    marksSession: statement.marksSession,
    marked: literal(true),
    hasSearchPath: !isDeepStrictEqual(statement.searchPath, defaultSearchPath),
    searchPath: literal(statement.searchPath),
    rows: literal(rowsCode(config, statement)),
    isMany: rowsCode(config, statement) === "many",
    maxRows: literal(config.maxRows),
  };
  return {
    view,
    dataType: dataTypeOf(config, statement),
    answerType: (data) => answerTypeOf(input, statement, data),
    recordType: runtime("SqlRecord"),
  };
}

/**
 * Row count for the runtime. A statement without result columns is `none`, whatever the author set.
 */
export function rowsCode(
  config: SqlConfig,
  { columns }: StatementModel,
): "many" | "one" | "optional" | "none" {
  return columns.length === 0 ? "none" : config.rows;
}

/** Code of a placeholder's value. An absent argument becomes NULL. */
function argumentCode(placeholder: string, { config, tool }: Input): Code {
  const source = sourceOf(placeholder, config);
  const { model, path } = placeOfSource(tool, source);
  const root = rootPath(source) === undefined ? code`p` : code`caller`;
  const value = join([root, ...path.map((name) => member(name, false))]);
  return lookUp(model, path).presence === "always" ? value : code`(${value} ?? null)`;
}

function parameterFormat(parameter: ValueSource, type: SqlType, { tool }: Input): string {
  return formatOf(type, dimensionsAt(parameter, tool));
}

/** Finds how deep the arrays of a parameter nest, from its schema. */
function dimensionsAt(parameter: ValueSource, tool: Input["tool"]): Dimensions {
  const { model, path: above } = placeOfSource(tool, parameter);
  return dimensionsOf((path) => lookUp(model, [...above, ...path]).types);
}

const nested: readonly Dimensions[] = ["", "[]", "[][]", "[][][]", "[][][][]"];

function dimensionsOf(typesAt: (path: readonly number[]) => readonly string[]): Dimensions {
  let depth = 0;
  const isList = (path: readonly number[]) => {
    const types = typesAt(path).filter((each) => each !== "null");
    return types.length === 1 && types[0] === "array";
  };
  while (depth < nested.length - 1 && isList(Array.from({ length: depth }, () => 0))) depth += 1;
  return nested[depth] ?? "";
}

function columnsCode(columns: readonly ResultColumnModel[], input: Input): Code {
  const members = columns.map((column) => {
    const { name, type, span } = column;
    const dimensions = dimensionsOf((path) => returned(column, input, path)?.types ?? []);
    const format = `${formatOf(type, dimensions)}${isNeverNull(column, input) ? "!" : ""}`;
    // Every object has a `constructor`, so TypeScript infers `string` for such a key; `as const`
    // keeps the literal type.
    const kept = isInherited(name) ? code` as const` : nothing;
    return at(span, code`${objectKey(name)}: ${literal(format)}${kept}`);
  });
  return members.length === 0 ? code`{}` : code`{ ${join(members, code`, `)} }`;
}

/**
 * Facts that `returns` states about a column, or about a path below the column; undefined without
 * `returns`.
 */
function returned(
  { name }: ResultColumnModel,
  { config, tool }: Input,
  path: readonly number[] = [],
): ValueFacts | undefined {
  const above = config.rows === "many" ? [0] : [];
  return tool.returns && lookUp(tool.returns, [...above, name, ...path], "stated");
}

/** If `returns` accepts null, the tool's type does too, even if the column is never null today. */
function isNeverNull(column: ResultColumnModel, input: Input): boolean {
  return !column.nullable && returned(column, input)?.types.includes("null") !== true;
}

/** Labels of each column whose type in the tool's result lists its values. */
function listedLabels(columns: readonly ResultColumnModel[], input: Input): JsonObject {
  const labels = columns.flatMap((column): [string, JsonValue][] => {
    const { name, type } = column;
    const element = type.kind === "array" ? type.of : type;
    if (element.kind !== "enum") return [];
    if (input.tool.returns === undefined) return [[name, element.labels]];
    const items = dimensionsOf((path) => returned(column, input, path)?.types ?? []).length / 2;
    const stated = returned(
      column,
      input,
      Array.from({ length: items }, () => 0),
    )?.enum;
    return stated === undefined ? [] : [[name, stated.filter((each) => each !== null)]];
  });
  return Object.fromEntries(labels);
}

/** Names of the tables read and written, as capabilities write them. */
function tablesOf({ touched: { reads, writes } }: StatementModel): JsonObject {
  return {
    ...(reads.length > 0 && { reads: reads.map(({ table }) => table) }),
    ...(writes.length > 0 && { writes: writes.map(({ table }) => table) }),
  };
}

function filledTables({ filled }: StatementModel): JsonObject {
  return Object.fromEntries(
    filled.map(({ columns, table }) => [
      table,
      Object.fromEntries(columns.map((each) => [each, true])),
    ]),
  );
}

/** Type of the columns that Kysely's types know, as they were when this code was generated. */
function selectedCode({ selected }: StatementModel): Code {
  const members = selected.map(({ label, nullable, span, type }) => {
    const value = columnTypeScript(type);
    return at(span, code`${memberKey(label)}: ${value}${nullable ? code` | null` : nothing};`);
  });
  return code`{ ${join(members, code` `)} }`;
}

function dataTypeOf(config: SqlConfig, { columns }: StatementModel): Code {
  if (columns.length === 0) return code`{ readonly affected_rows: number }`;
  const members = columns.map(({ name, nullable, type, span }) => {
    const value = typeScriptOf(type);
    return at(span, code`${memberKey(name)}: ${value}${nullable ? code` | null` : nothing};`);
  });
  const row = code`{ ${join(members, code` `)} }`;
  if (config.rows === "many") return code`${row}[]`;
  return config.rows === "optional" ? code`${row} | null` : row;
}

function answerTypeOf(
  { config, tool, runtime }: Input,
  statement: StatementModel,
  data: Code,
): Code {
  const result = imported(runtimeEntry(), "ToolResult", true);
  const rows = rowsCode(config, statement);
  const answers =
    rows === "many"
      ? code`${runtime("ManyRows")}<${data}>`
      : rows === "one"
        ? code`${result}<${data}, "not_found", "success", ${runtime("SqlFault")}>`
        : code`${result}<${data}>`;
  if (tool.binding.effect === "read") return answers;
  return code`${answers} | ${result}<never, ${runtime("Refusal")}, never, ${runtime("SqlFault")}>`;
}

function listCode(items: readonly Code[]): Code {
  return code`[${join(items, code`, `)}]`;
}
