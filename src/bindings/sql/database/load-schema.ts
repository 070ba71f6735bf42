import { readOffsets } from "../statement/offsets.js";
import { readTokens } from "../statement/lexer.js";
import { quotedWord } from "../statement/named-word.js";
import type { TextRange } from "../statement/statement.js";
import { EXTENSIONS } from "@skillc/runtime/internal/sql";
import type { SqlFault } from "./engine.js";
import { extensionOf } from "./extensions.js";
import type { SchemaFault } from "./fault.js";
import type { PgliteThread } from "./pglite-thread.js";
import { isSkipped, rolesIn } from "./roles.js";
import type { SchemaStatement } from "./schema-statements.js";

/**
 * Runs schema files, statement by statement, up to the first that fails. Roles that a statement names are created; what a file sets for its session
 * (`SET search_path`) ends with the file.
 */
export async function loadSchema(
  thread: PgliteThread,
  files: readonly (readonly SchemaStatement[])[],
): Promise<SchemaFault | undefined> {
  for (const statements of files) {
    const fault = await loadFile(thread, statements);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

async function loadFile(
  thread: PgliteThread,
  statements: readonly SchemaStatement[],
): Promise<SchemaFault | undefined> {
  for (const statement of statements) {
    if (isSkipped(statement.tree)) continue;
    const fault = missingExtension(statement) ?? (await runStatement(thread, statement));
    if (fault !== undefined) return fault;
  }
  // What a file begins and leaves open is checked here: its deferred constraints.
  const fault = await thread.execute("COMMIT");
  const last = statements.at(-1);
  if (fault !== undefined && last !== undefined) return faultOf(last, fault);
  await thread.execute("RESET ALL");
  return undefined;
}

export async function runStatement(
  thread: PgliteThread,
  statement: SchemaStatement,
): Promise<SchemaFault | undefined> {
  for (const role of rolesIn(statement.tree)) await createRole(thread, role);
  const fault = await thread.execute(statement.sql);
  return fault && faultOf(statement, fault);
}

/** In a transaction that failed it does nothing: the statement says so itself. */
async function createRole(thread: PgliteThread, role: string): Promise<void> {
  const sql = "SELECT FROM pg_catalog.pg_roles WHERE rolname = $1";
  const known = await thread.rows(sql, [role]);
  if ("value" in known && known.value.length === 0)
    await thread.execute(`CREATE ROLE "${role.replaceAll('"', '""')}"`);
}

function missingExtension(statement: SchemaStatement): SchemaFault | undefined {
  const name = extensionOf(statement);
  if (name === undefined || name === "plpgsql" || EXTENSIONS.includes(name)) return undefined;
  const help = `the embedded PostgreSQL has ${EXTENSIONS.join(", ")}; \`skillc db pull\` keeps the schema of a server that has it`;
  const message = `the extension \`${name}\` is not available`;
  return {
    path: statement.path,
    at: placeOf(statement, undefined, ""),
    message,
    help,
    code: "0A000",
  };
}

function faultOf(
  statement: SchemaStatement,
  { code, message, hint, position }: SqlFault,
): SchemaFault {
  const at = placeOf(statement, position, message);
  return { path: statement.path, at, message, code, ...(hint === undefined ? {} : { help: hint }) };
}

function placeOf(
  { sql, start }: SchemaStatement,
  position: number | undefined,
  message: string,
): TextRange {
  const range =
    position === undefined ? (quotedWord(sql, message) ?? firstLine(sql)) : wordAt(sql, position);
  return { start: start + range.start, end: start + range.end };
}

function firstLine(sql: string): TextRange {
  return { start: 0, end: (/^.*/.exec(sql)?.[0] ?? "").trimEnd().length };
}

function wordAt(sql: string, position: number): TextRange {
  const offset = readOffsets(sql).ofCodePoint(position - 1);
  const token = readTokens(sql)?.find(({ end }) => end > offset);
  return token === undefined ? firstLine(sql) : { start: token.start, end: token.end };
}
