import type { ToolModel } from "../../../core/skill-model.js";
import { defaultOf } from "../../../schema/defaults.js";
import { itemFacts, statedFacts } from "../../../schema/stated-facts.js";
import type { Engine } from "../database/engine.js";
import type { KnownDatabase } from "../database/open-database.js";
import { pgCatalogOf, quotedName } from "../database/pg-catalog.js";
import { placeOfSource } from "../sources.js";
import type { ValueSource } from "../model.js";
import type { SqlElement, SqlType } from "../types/sql-type.js";

/** Maximal number of values that are checked for one parameter. */
const maxValues = 500;

/**
 * Finds the texts in a parameter's schema (listed values and default) that can't be sent as values
 * of the type, or that PostgreSQL rejects.
 */
export async function invalidListedValues(
  tool: ToolModel,
  parameter: ValueSource,
  sent: { readonly oid: number; readonly type: SqlType },
  { engine, snapshot }: KnownDatabase,
): Promise<readonly string[]> {
  const { typeOf } = pgCatalogOf(snapshot);
  const { model, path } = placeOfSource(tool, parameter);
  const facts = itemFacts(statedFacts(model, path));
  const filledIn = defaultOf(tool.parameters, parameter);
  const listed = [...(facts?.values ?? []), ...(filledIn === undefined ? [] : [filledIn])];
  const values = [...new Set(listed)].filter((each) => typeof each === "string");
  const base = baseOf(sent.oid, (oid) => typeOf(oid)?.base ?? typeOf(oid)?.element);
  const type = typeOf(base);
  const element = sent.type.kind === "array" ? sent.type.of : sent.type;
  if (isAnyText(element)) return values.filter((each) => !isSendable(each));
  if (values.length === 0 || type === undefined || !isRead(element)) return [];
  const name = quotedName(type);
  return invalidIn(values.slice(0, maxValues), name, engine);
}

/** The base type of a domain, or the element type of an array, followed to the end. */
function baseOf(oid: number, below: (oid: number) => number | undefined): number {
  const next = below(oid);
  return next === undefined || next === oid ? oid : baseOf(next, below);
}

/** True if a value may be any text that PostgreSQL can store; `jsonb` stores what text does. */
function isAnyText(type: SqlElement): boolean {
  if (type.kind === "enum") return false;
  const { format, names } = type.traits;
  return names.includes("text") || type.name === "citext" || format === "jsonb";
}

/**
 * True if PostgreSQL parses the value's text. The runtime writes json and bytea itself, and the
 * labels of an enum are known.
 */
function isRead(type: SqlElement): boolean {
  if (type.kind === "enum") return false;
  const { format, typeScript } = type.traits;
  return typeScript === "string" && format !== "bytea";
}

async function invalidIn(
  values: readonly string[],
  type: string,
  engine: Engine,
): Promise<readonly string[]> {
  const all = `SELECT ${values.map((each) => `${textLiteral(each)}::${type}`).join(", ")}`;
  if (values.every(isSendable) && !(await isInvalid(engine, all))) return [];
  const refused: string[] = [];
  for (const each of values) {
    const sql = `SELECT ${textLiteral(each)}::${type}`;
    if (!isSendable(each) || (await isInvalid(engine, sql))) refused.push(each);
  }
  return refused;
}

/** Class 22 is a data exception. Any other error doesn't concern the value. */
async function isInvalid(engine: Engine, sql: string): Promise<boolean> {
  const described = await engine.describe(sql);
  return described.kind === "error" && described.error.code.startsWith("22");
}

function isSendable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** A text literal that doesn't depend on `standard_conforming_strings`. */
function textLiteral(text: string): string {
  return `E'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}
