/**
 * Why PostgreSQL refuses a statement, reported at the author's text. Everything is read off
 * SQLSTATEs, positions and the tree: a server may speak any language.
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
 * Says why PostgreSQL refuses a statement, in the author's words.
 *
 * @param error of what was sent
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
  // Then the connection is the reason, not the statement.
  if (engine.connectionError?.() !== undefined) return;
  const typeOf = (name: string) => known.get(name);
  reportExplained({ error: own, statement: apart, snapshot, typeOf, at }, input);
}

async function errorOfStatement({ sql }: Statement, engine: Engine): Promise<SqlError | undefined> {
  const described = await engine.describe(sql);
  return described.kind === "error" ? described.error : engine.plan(sql);
}

/** Positions and numbers of the compiled text are none of the author's. */
function withoutPosition(error: SqlError | undefined): SqlError {
  const { position: _, ...rest } = error ?? { code: "XX000", message: "PostgreSQL refuses it" };
  return rest;
}

/**
 * Placeholders of one statement whose types can't be told and that are looked at one after another.
 */
const maxUntyped = 20;

/**
 * The types that names have at those of their places where PostgreSQL can tell; none when it
 * refuses the statement all the same.
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

/** The number of a parameter of which PostgreSQL can't tell the type. */
function untypedPlaceholderIn(error: SqlError): number | undefined {
  return error.code === "42P18" ? placeholderNumber(error) : undefined;
}

/** Reports it at the author's text, with the author's names. */
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

/** `ON CONFLICT`: what is wrong with its columns, PostgreSQL says without a place. */
function conflictIn(text: string): TextRange | undefined {
  const tokens = readTokens(text) ?? [];
  const at = tokens.findIndex((token) => /^conflict$/i.test(token.text));
  const [on, conflict] = [tokens[at - 1], tokens[at]];
  return on && conflict && { start: on.start, end: conflict.end };
}

/**
 * What is said of a refusal beside PostgreSQL's own words: a name that was meant, a cast; else
 * PostgreSQL's own hint. Nothing is read off those words, which may be German.
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
 * A placeholder whose place tells nothing of its type, such as `:since IS NULL`. Its number stands
 * in the words of any language.
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
    help: `nothing here says what type it has: write \`:${placeholder.name}::${type === undefined ? "text" : castTypeName(type)}\``,
  };
}

function castTypeName({ kind, name }: PgType): string {
  return kind === "array" ? `${name.replace(/^_/, "")}[]` : name;
}

/**
 * For placeholders of another notation that are SQL all the same (`@id` is the absolute value of a
 * column), and those that stand for what is no value.
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

/** Expressions that are looked at one after another. */
const maxAsked = 50;

/**
 * Where a value stands that PostgreSQL can't compute, which it says without a place: the smallest
 * constant expression with the same error, `99999999999::int`, `1 / 0`. Undefined where it is none.
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
 * Expressions whose values depend on no row, no parameter and no setting: in the order of the text,
 * those inside others first.
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

/** What the deparser can't print is left out. */
function printed(node: Node): string | undefined {
  try {
    return deparseSync(node, { pretty: false });
  } catch {
    return undefined;
  }
}

const TRUNCATED: ReadonlySet<Relation["kind"]> = new Set(["table", "partitioned", "foreign"]);

/**
 * What PostgreSQL will say of the tables of a TRUNCATE: it looks for them only when it runs the
 * statement, which has no plan.
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

/** The parser counts bytes, PostgreSQL's errors characters. */
function positionOf(table: RangeVar, sql: string): Pick<SqlError, "position"> {
  const location = locationOf(table);
  if (location === undefined) return {};
  const before = Buffer.from(sql).subarray(0, location).toString();
  return { position: [...before].length + 1 };
}
