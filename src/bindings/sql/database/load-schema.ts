/**
 * Loads schema files into the embedded PostgreSQL, statement by statement. It creates the roles
 * that statements name and skips statements that the embedded PostgreSQL doesn't need.
 */
import type { Node } from "@pgsql/types";
import { EXTENSIONS } from "@skillc/runtime/internal/sql";
import { quotedWord, readOffsets, readTokens } from "../statement/lexer.js";
import type { TextRange } from "../statement/statement.js";
import type { SchemaError, SqlError } from "./engine.js";
import type { PgliteThread } from "./pglite-thread.js";
import type { SchemaStatement } from "./schema-statements.js";

/**
 * Runs schema files, statement by statement, up to the first that fails. Creates each role that a
 * statement names. Session settings of a file (`SET search_path`) end with the file.
 */
export async function loadSchema(
  thread: PgliteThread,
  files: readonly (readonly SchemaStatement[])[],
): Promise<SchemaError | undefined> {
  for (const statements of files) {
    const error = await loadFile(thread, statements);
    if (error !== undefined) return error;
  }
  return undefined;
}

async function loadFile(
  thread: PgliteThread,
  statements: readonly SchemaStatement[],
): Promise<SchemaError | undefined> {
  for (const statement of statements) {
    if (isSkipped(statement.tree)) continue;
    const error = missingExtension(statement) ?? (await runStatement(thread, statement));
    if (error !== undefined) return error;
  }
  // A file may leave a transaction open; COMMIT checks its deferred constraints.
  const error = await thread.execute("COMMIT");
  const last = statements.at(-1);
  if (error !== undefined && last !== undefined) return schemaErrorOf(last, error);
  await thread.execute("RESET ALL");
  return undefined;
}

export async function runStatement(
  thread: PgliteThread,
  statement: SchemaStatement,
): Promise<SchemaError | undefined> {
  for (const role of rolesIn(statement.tree)) await createRole(thread, role);
  const error = await thread.execute(statement.sql);
  return error && schemaErrorOf(statement, error);
}

/** In a failed transaction this does nothing; the statement itself then reports the failure. */
async function createRole(thread: PgliteThread, role: string): Promise<void> {
  const sql = "SELECT FROM pg_catalog.pg_roles WHERE rolname = $1";
  const known = await thread.rows(sql, [role]);
  if ("value" in known && known.value.length === 0)
    await thread.execute(`CREATE ROLE "${role.replaceAll('"', '""')}"`);
}

function missingExtension(statement: SchemaStatement): SchemaError | undefined {
  const name = extensionOf(statement);
  if (name === undefined || name === "plpgsql" || EXTENSIONS.includes(name)) return undefined;
  const help = `the embedded PostgreSQL has ${EXTENSIONS.join(", ")}; \`skillc db pull\` keeps the schema of a server that has it`;
  const message = `the extension \`${name}\` is not available`;
  return {
    path: statement.path,
    at: rangeOfError(statement, undefined, ""),
    message,
    help,
    code: "0A000",
  };
}

function schemaErrorOf(
  statement: SchemaStatement,
  { code, message, hint, position }: SqlError,
): SchemaError {
  const at = rangeOfError(statement, position, message);
  return { path: statement.path, at, message, code, ...(hint === undefined ? {} : { help: hint }) };
}

function rangeOfError(
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

/**
 * Statements about permissions, about the server around the database, and about rows from
 * elsewhere. They don't change the meaning of queries, and the embedded PostgreSQL can't run them.
 */
const SKIPPED: ReadonlySet<string> = new Set([
  "AlterDatabaseSetStmt",
  "AlterDatabaseStmt",
  "AlterDefaultPrivilegesStmt",
  "AlterOwnerStmt",
  "AlterRoleSetStmt",
  "AlterRoleStmt",
  "AlterSystemStmt",
  "CopyStmt",
  "CreateRoleStmt",
  "CreateSubscriptionStmt",
  "CreateTableSpaceStmt",
  "CreatedbStmt",
  "DropOwnedStmt",
  "DropRoleStmt",
  "DropdbStmt",
  "GrantRoleStmt",
  "GrantStmt",
  "ReassignOwnedStmt",
]);

/** True if a statement of a schema file is not loaded into the embedded PostgreSQL. */
function isSkipped(tree: Node): boolean {
  const kind = Object.keys(tree)[0] ?? "";
  return SKIPPED.has(kind) || changesOwner(tree) || setsRole(tree);
}

function changesOwner(tree: Node): boolean {
  const commands = "AlterTableStmt" in tree ? (tree.AlterTableStmt.cmds ?? []) : [];
  const owner = (command: Node) =>
    "AlterTableCmd" in command && command.AlterTableCmd.subtype === "AT_ChangeOwner";
  return commands.length > 0 && commands.every(owner);
}

function setsRole(tree: Node): boolean {
  return (
    "VariableSetStmt" in tree &&
    ["role", "session_authorization"].includes(tree.VariableSetStmt.name ?? "")
  );
}

/** The roles that a statement names: `CREATE SCHEMA s AUTHORIZATION r`, `CREATE POLICY … TO r`. */
function rolesIn(tree: Node): readonly string[] {
  const names = new Set<string>();
  const waiting: unknown[] = [tree];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== "object" || value === null) continue;
    if ("rolename" in value && typeof value.rolename === "string") names.add(value.rolename);
    for (const child of Object.values(value)) waiting.push(child);
  }
  return [...names];
}

/** Name of the extension in CREATE EXTENSION; undefined for any other statement. */
export function extensionOf({ tree }: SchemaStatement): string | undefined {
  return "CreateExtensionStmt" in tree ? tree.CreateExtensionStmt.extname : undefined;
}
