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

/** The view of `templates/sql.hbs` and the types of what the tool gives. */
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

/** What the runtime is told: rows that nobody gives are none. */
function rowsCode(
  config: SqlConfig,
  { columns }: StatementModel,
): "many" | "one" | "optional" | "none" {
  return columns.length === 0 ? "none" : config.rows;
}

/** The value that a placeholder stands for; an argument that is absent is NULL. */
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

/** How deep the arrays of a parameter nest, by its schema. */
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
    // TypeScript reads the type wanted of `constructor` off every object, and takes the word for
    // any text.
    const kept = isInherited(name) ? code` as const` : nothing;
    return at(span, code`${objectKey(name)}: ${literal(format)}${kept}`);
  });
  return members.length === 0 ? code`{}` : code`{ ${join(members, code`, `)} }`;
}

/** What `returns` says of a column, or below it; undefined without `returns`. */
function returned(
  { name }: ResultColumnModel,
  { config, tool }: Input,
  path: readonly number[] = [],
): ValueFacts | undefined {
  const above = config.rows === "many" ? [0] : [];
  return tool.returns && lookUp(tool.returns, [...above, name, ...path], "stated");
}

/** Where `returns` takes null, so does the tool's type: the database may give it one day. */
function isNeverNull(column: ResultColumnModel, input: Input): boolean {
  return !column.nullable && returned(column, input)?.types.includes("null") !== true;
}

/** The labels of the columns whose type in the tool's result lists them. */
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

/** In the notation of capabilities. */
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

/** Of the columns that Kysely's types know, what this code was made for. */
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
