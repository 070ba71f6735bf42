/**
 * Reports PostgreSQL's errors at the author's text. It uses only SQLSTATEs, positions and the tree,
 * because a server's messages may be in any language.
 */
import type { Node, RangeVar } from "@pgsql/types";
import { deparseSync } from "pgsql-deparser";
import { getOwn } from "../../../core/json.js";
import type { Span } from "../../../core/span.js";
import { spanWithin } from "../../../core/syntax-node.js";
import { type Engine, type SqlError, TIMED_OUT } from "../database/engine.js";
import type { KnownDatabase } from "../database/open-database.js";
import { type PgCatalog, pgCatalogOf, relationOf } from "../database/pg-catalog.js";
import type { PgType, Relation, Snapshot } from "../database/snapshot.js";
import { isName, namedWord, quotedWord, readOffsets, readTokens } from "../statement/lexer.js";
import { onlyValues, syntaxHelp, withNames } from "../statement/parse.js";
import { numberApart } from "../statement/placeholders.js";
import { readPlaces } from "../statement/places.js";
import { type Statement, type TextRange, trimmedRange } from "../statement/statement.js";
import { childrenOf, fieldsOf, locationOf, locationWithin } from "../statement/tree.js";
import type { TypeLookup } from "../types/sql-type.js";
import { placeholderNumber, type SqlErrorContext, type StatementInput } from "./input.js";
import {
  explainUnknownColumn,
  explainUnknownTable,
  explainUnknownType,
  functionHelp,
  type SqlErrorExplanation,
  schemaHelp,
} from "./name-help.js";
import { assignedTypeHelp, labelHelp, operatorHelp } from "./type-help.js";

/**
 * Reports why PostgreSQL rejects a statement, in the author's words.
 *
 * @param error error for the SQL that is sent
 */
export async function reportSqlError(
  statement: Statement,
  error: SqlError | undefined,
  { engine, snapshot }: Pick<KnownDatabase, "engine" | "snapshot">,
  input: StatementInput,
): Promise<void> {
  const text = input.config.query.value;
  const apart = numberApart(text, statement);
  const own =
    error?.code === TIMED_OUT
      ? error
      : ((await errorOfStatement(apart, engine)) ??
        truncateError(statement, snapshot) ??
        withoutPosition(error));
  const known =
    untypedPlaceholderIn(own) === undefined
      ? new Map<string, PgType>()
      : await typesAtOtherPlaces(text, statement, engine, pgCatalogOf(snapshot).typeOf);
  const at = await placeOfConstant(statement, own, engine);
  // Then the connection failed, not the statement.
  if (engine.connectionError?.() !== undefined) return;
  const typeOf = (name: string) => known.get(name);
  reportExplained({ error: own, statement: apart, snapshot, typeOf, at }, input);
}

async function errorOfStatement({ sql }: Statement, engine: Engine): Promise<SqlError | undefined> {
  const described = await engine.describe(sql);
  return described.kind === "error" ? described.error : engine.plan(sql);
}

/** Removes the position, which refers to the compiled text. */
function withoutPosition(error: SqlError | undefined): SqlError {
  const { position: _, ...rest } = error ?? { code: "XX000", message: "PostgreSQL rejects it" };
  return rest;
}

/** Maximal number of untyped placeholders that are tried one after another. */
const maxUntyped = 20;

/**
 * Finds types of names at those of their places where PostgreSQL can infer one; empty if it still
 * rejects the statement.
 */
async function typesAtOtherPlaces(
  text: string,
  statement: Statement,
  engine: Engine,
  typeOf: TypeLookup,
): Promise<ReadonlyMap<string, PgType>> {
  const untyped = new Set<number>();
  while (untyped.size < maxUntyped) {
    const { placeholders, sql } = numberApart(text, statement, untyped);
    const described = await engine.describe(sql);
    if (described.kind === "described") {
      const types = placeholders.flatMap(({ name }, at) => {
        const type = untyped.has(at + 1) ? undefined : typeOf(described.parameters[at] ?? 0);
        return type === undefined ? [] : [[name, type] as const];
      });
      return new Map(types);
    }
    const number = untypedPlaceholderIn(described.error);
    if (number === undefined || untyped.has(number)) break;
    untyped.add(number);
  }
  return new Map();
}

/** The number of a parameter whose type PostgreSQL can't infer. */
function untypedPlaceholderIn(error: SqlError): number | undefined {
  return error.code === "42P18" ? placeholderNumber(error) : undefined;
}

/** Reports the error at the author's text, with the author's names. */
function reportExplained(context: SqlErrorContext, { config, report }: StatementInput): void {
  const { error, statement } = context;
  const { help, message = error.message, name } = explainSqlError(context);
  const named = (text: string) => withNames(text, statement.placeholders);
  const { start, end } = rangeOfError(context, config.query.value, name);
  const span: Span = spanWithin(config.query, start, end);
  report.add({
    code: "sql/refused",
    span,
    message: `${named(message)} (SQLSTATE ${error.code})`,
    ...(help !== undefined && { help: named(help) }),
  });
}

function rangeOfError(
  { at, error, statement }: SqlErrorContext,
  text: string,
  name: string | undefined,
): TextRange {
  if (at !== undefined) return at;
  if (error.position !== undefined) return readPlaces(statement).ofPosition(error.position);
  const number = placeholderNumber(error);
  const placeholder = number === undefined ? undefined : statement.placeholders[number - 1]?.at[0];
  const conflict = error.code === "42P10" ? conflictIn(text) : undefined;
  const word = name === undefined ? quotedWord(text, error.message) : namedWord(text, name);
  return placeholder ?? conflict ?? word ?? trimmedRange(text);
}

/** Finds `ON CONFLICT`. PostgreSQL gives no position for errors in its columns. */
function conflictIn(text: string): TextRange | undefined {
  const tokens = readTokens(text) ?? [];
  const at = tokens.findIndex((token) => /^conflict$/i.test(token.text));
  const [on, conflict] = [tokens[at - 1], tokens[at]];
  return on && conflict && { start: on.start, end: conflict.end };
}

/**
 * Explains an error: a suggested name, a cast, or else PostgreSQL's own hint. PostgreSQL's messages
 * are not parsed, because they may be in any language.
 */
function explainSqlError(context: SqlErrorContext): SqlErrorExplanation {
  const found = getOwn(explanations, context.error.code)?.(context) ?? {};
  return { ...found, help: notationHelp(context) ?? found.help ?? ownHint(context) };
}

const helped =
  (help: (context: SqlErrorContext) => string | undefined) =>
  (context: SqlErrorContext): SqlErrorExplanation => ({ help: help(context) });

const explanations: Readonly<Record<string, (context: SqlErrorContext) => SqlErrorExplanation>> = {
  "42P18": explainUntypedPlaceholder,
  "42P01": explainUnknownTable,
  "42703": explainUnknownColumn,
  "42704": explainUnknownType,
  "42804": helped(assignedTypeHelp),
  "42883": helped((context) => functionHelp(context) ?? operatorHelp(context)),
  "22P02": helped(labelHelp),
  "42501": helped(schemaHelp),
};

function ownHint({ error: { hint, detail } }: SqlErrorContext): string | undefined {
  return (hint ?? detail)?.replace(/\.$/, "");
}

/**
 * Explains a placeholder whose context determines no type, such as `:since IS NULL`. The message
 * contains its number in every language.
 */
function explainUntypedPlaceholder({
  error,
  statement,
  typeOf,
}: SqlErrorContext): SqlErrorExplanation {
  const number = placeholderNumber(error);
  const placeholder = number === undefined ? undefined : statement.placeholders[number - 1];
  if (placeholder === undefined) return {};
  const type = typeOf(placeholder.name);
  return {
    message: `could not determine data type of parameter $${number}`,
    help: `PostgreSQL can't infer the type here: write \`:${placeholder.name}::${type === undefined ? "text" : castTypeName(type)}\``,
  };
}

function castTypeName({ kind, name }: PgType): string {
  return kind === "array" ? `${name.replace(/^_/, "")}[]` : name;
}

/**
 * Help for placeholders of another notation that are valid SQL (`@id` is the absolute value of a
 * column), and for those that don't stand for a value.
 */
function notationHelp({ error, statement: { sql } }: SqlErrorContext): string | undefined {
  if (error.position === undefined) return undefined;
  const tokens = readTokens(sql) ?? [];
  const start = readOffsets(sql).ofCodePoint(error.position - 1);
  const index = tokens.findIndex(({ end }) => end > start);
  const [before, token, after] = [tokens[index - 1], tokens[index], tokens[index + 1]];
  if (token === undefined) return undefined;
  const sign = token.text.endsWith("@") ? token : before;
  const name = sign === token ? after : token;
  if (sign?.text.endsWith("@") && name?.start === sign.end && isName(name))
    return `write \`:${name.text}\`: ${onlyValues}`;
  return error.code === "42601" ? syntaxHelp(sql, token, tokens) : undefined;
}

/** Maximal number of expressions that are tried one after another. */
const maxAsked = 50;

/**
 * Finds a constant that PostgreSQL can't compute, for which it gives no position: the smallest
 * constant expression with the same error, `99999999999::int`, `1 / 0`. Undefined if there is none.
 */
async function placeOfConstant(
  statement: Statement,
  error: SqlError,
  engine: Engine,
): Promise<TextRange | undefined> {
  // Class 22: data exception.
  if (error.position !== undefined || !error.code.startsWith("22")) return undefined;
  for (const each of constantsIn(statement.tree).slice(0, maxAsked)) {
    const sql = printed(each);
    const found = sql === undefined ? undefined : await engine.plan(`SELECT ${sql}`);
    if (found?.code !== error.code || found.message !== error.message) continue;
    const byte = locationWithin("TypeCast" in each ? (each.TypeCast.arg ?? each) : each);
    return byte === undefined ? undefined : readPlaces(statement).ofByte(byte);
  }
  return undefined;
}

/**
 * Expressions whose values depend on no row, parameter or setting, in the order of the text, inner
 * ones first.
 */
function constantsIn(node: Node): readonly Node[] {
  const inside = childrenOf(node).flatMap(constantsIn);
  const isValue = "TypeCast" in node || "A_Expr" in node || "FuncCall" in node;
  return isValue && isConstant(node) ? [...inside, node] : inside;
}

const VARIABLE: ReadonlySet<string> = new Set([
  "ColumnRef",
  "ParamRef",
  "SubLink",
  "SQLValueFunction",
  "GroupingFunc",
  "WindowDef",
]);

function isConstant(node: Node): boolean {
  return !VARIABLE.has(Object.keys(node)[0] ?? "") && childrenOf(node).every(isConstant);
}

/** An expression that the deparser can't print is skipped. */
function printed(node: Node): string | undefined {
  try {
    return deparseSync(node, { pretty: false });
  } catch {
    return undefined;
  }
}

const TRUNCATED: ReadonlySet<Relation["kind"]> = new Set(["table", "partitioned", "foreign"]);

/**
 * Predicts PostgreSQL's error for the tables of a TRUNCATE. PostgreSQL looks them up only when it
 * runs the statement, which has no plan.
 */
export function truncateError({ sql, tree }: Statement, snapshot: Snapshot): SqlError | undefined {
  const pgCatalog = pgCatalogOf(snapshot);
  for (const each of fieldsOf(tree, "TruncateStmt")?.relations ?? []) {
    const table = fieldsOf(each, "RangeVar");
    if (table === undefined) continue;
    const error = truncatedTableError(table, pgCatalog);
    if (error !== undefined) return { ...error, ...positionOf(table, sql) };
  }
  return undefined;
}

function truncatedTableError(table: RangeVar, pgCatalog: PgCatalog): SqlError | undefined {
  const { relname = "", schemaname } = table;
  const found = relationOf(table, pgCatalog);
  const name = schemaname === undefined ? relname : `${schemaname}.${relname}`;
  if (found === undefined) return { code: "42P01", message: `relation "${name}" does not exist` };
  if (TRUNCATED.has(found.kind)) return undefined;
  return { code: "42809", message: `"${relname}" is not a table` };
}

/** The parser counts bytes; PostgreSQL's errors count characters. */
function positionOf(table: RangeVar, sql: string): Pick<SqlError, "position"> {
  const location = locationOf(table);
  if (location === undefined) return {};
  const before = Buffer.from(sql).subarray(0, location).toString();
  return { position: [...before].length + 1 };
}
