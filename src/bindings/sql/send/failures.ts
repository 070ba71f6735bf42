/**
 * Converts errors of PostgreSQL and its drivers (`src/runtime/postgres/errors.ts`) to failures of a
 * call. They contain SQLSTATEs and names of the schema, never data.
 */
import { LostConnection, UnusableUrl } from "../../../runtime/connection/errors.js";
import { ServerError } from "../../../runtime/postgres/errors.js";
import {
  type Attempt,
  ToolError,
  type ToolFailure,
  UnreadableAnswer,
  type WriteOutcome,
} from "../../../runtime/executor.js";

/** Facts about the failed call. */
interface FailedCall {
  readonly attempt: Attempt;
  /** Name of the connection, as `${NAME}`. */
  readonly connection: string;
  readonly effect: "read" | "write";
}

/**
 * Converts an error to the failure that the call throws. It names SQLSTATEs, tables and columns,
 * and never contains a value of a row, a parameter or a credential.
 */
export function failureOf(call: FailedCall, error: unknown): unknown {
  // If a result can't be read, the transaction was rolled back.
  if (error instanceof UnreadableAnswer) return unusable(call, error.message, "not-done");
  if (error instanceof UnusableUrl)
    return unusable(call, `\`${call.connection}\` ${error.message}`, "not-done");
  if (error instanceof LostConnection) return unavailable(call, error.reason, error.outcome);
  if (error instanceof ServerError) return refusedBy(call, error);
  return error;
}

function refusedBy(call: FailedCall, error: ServerError): ToolError {
  const { code, outcome } = error;
  const { timeoutMs, tool } = call.attempt;
  if (code === "57014" && timeoutMs !== undefined) {
    const message = `\`${tool}\` was stopped by the server after ${timeoutMs} ms`;
    return toolError(call, { code: "PROVIDER.TIMEOUT", timeoutMs }, message, outcome);
  }
  if (isPassing(code)) return unavailable(call, `SQLSTATE ${code}`, outcome);
  const { table, column, constraint } = error.report;
  const names = [
    ...nameInMessage("table", table),
    ...nameInMessage("column", column),
    ...nameInMessage("constraint", constraint),
  ];
  const where = names.length === 0 ? "" : `, ${names.join(", ")}`;
  const why = error.refused === "login" ? meaningAtLogin(code) : meaningOf(code, call.effect);
  const remedy = remedyOf(error, call);
  return unusable(
    call,
    `PostgreSQL refused the ${error.refused}: ${why} (${code})${where}${remedy === undefined ? "" : `: ${remedy}`}`,
    outcome,
  );
}

function remedyOf(error: ServerError, call: FailedCall): string | undefined {
  if (isDrift(error)) return driftOf(error.code, call);
  // Only PostgreSQL's message names the missing privilege and its object, and that message is not
  // quoted.
  return error.code === "42501" && error.refused === "statement"
    ? `the role of \`${call.connection}\` needs a GRANT on the objects that the statement reads and changes, or a row policy denies the access`
    : undefined;
}

/**
 * True if the schema has changed since the tool was generated. The compiler had PostgreSQL describe
 * each statement. So a rejected name, or a constant that doesn't fit its type, means another
 * schema. Errors during execution have no position.
 */
function isDrift({ code, refused, report }: ServerError): boolean {
  return (
    refused === "statement" &&
    report.position !== undefined &&
    /^(?:42(?!501)|22P02|22007)/.test(code)
  );
}

/** A missing table often means a new database, not a changed one. */
function driftOf(code: string, { connection }: FailedCall): string {
  return code === "42P01"
    ? `the database of \`${connection}\` is empty, or not the one that the tool was generated for: load its schema there, or generate again`
    : otherDatabase;
}

function nameInMessage(what: string, name: string | undefined): readonly string[] {
  return name === undefined ? [] : [`${what} \`${name}\``];
}

/**
 * True for errors that another attempt may not meet: of the connection, the server's state, its
 * resources, or other transactions.
 */
function isPassing(code: string): boolean {
  return /^(?:08|53|57P|57014|55P03|25P03|40001|40P01)/.test(code);
}

/**
 * Texts for common codes; `classes` has texts for all other codes. PostgreSQL's own messages quote
 * rejected values.
 */
const meanings: ReadonlyMap<string, string> = new Map([
  ["22001", "a text is too long"],
  ["22003", "a number is out of range"],
  ["22007", "a date or time is malformed"],
  ["22008", "a date or time is out of range"],
  ["22012", "division by zero"],
  ["22021", "a character is not in the database's encoding"],
  ["22P02", "a value is malformed for its type"],
  ["25006", "a read tried to write"],
  ["28P01", "the password is wrong"],
  ["3D000", "the database does not exist"],
  ["42501", "permission denied"],
  ["42703", "a column does not exist"],
  ["42883", "a function does not exist"],
  ["42P01", "a table does not exist"],
  ["P0001", "a function raised an exception"],
]);

/** Texts that differ for statements that may write. */
const meaningsForWrites: ReadonlyMap<string, string> = new Map([
  [
    "25006",
    "the server accepts no writes: it is a standby, or `default_transaction_read_only` is on",
  ],
]);

const classes: ReadonlyMap<string, string> = new Map([
  ["0A", "a feature is not supported"],
  ["21", "a subquery returned several rows"],
  ["22", "a value can't be processed"],
  ["23", "a constraint was violated"],
  ["25", "the transaction's state is wrong"],
  ["28", "the server refused the login"],
  ["42", "the statement doesn't fit the database"],
  ["54", "a limit of the server was exceeded"],
  ["55", "an object is not in the right state"],
  ["P0", "a function failed"],
  ["XX", "internal error"],
]);

function meaningOf(code: string, effect: FailedCall["effect"]): string {
  const own = effect === "write" ? meaningsForWrites.get(code) : undefined;
  return own ?? meanings.get(code) ?? classes.get(code.slice(0, 2)) ?? "error";
}

/** Text for an error at login. No statement was sent yet, so the error comes from the URL. */
function meaningAtLogin(code: string): string {
  return /^(?:22|42[^5])/.test(code)
    ? "the URL has a setting that the server doesn't know or rejects"
    : meaningOf(code, "read");
}

function unusable(call: FailedCall, reason: string, outcome: WriteOutcome): ToolError {
  const message = `\`${call.attempt.tool}\` got no usable response: ${reason}`;
  return toolError(call, { code: "PROVIDER.PROTOCOL", reason }, message, outcome);
}

function unavailable(call: FailedCall, reason: string, outcome: WriteOutcome): ToolError {
  const message = `\`${call.attempt.tool}\` got no response from ${call.connection}: ${reason}`;
  return toolError(call, { code: "PROVIDER.UNAVAILABLE", reason }, message, outcome);
}

function toolError(
  { attempt }: FailedCall,
  failure: ToolFailure,
  message: string,
  outcome: WriteOutcome,
): ToolError {
  return new ToolError(attempt.tool, failure, message, { attempts: attempt.number, outcome });
}

/**
 * A value that can't be represented as the contract's JSON format. The message continues after the
 * column's name and doesn't contain the value.
 */
export class UnreadableValue extends Error {
  override readonly name = "UnreadableValue";
}

/** Text for a result or an error that the tool's schema makes impossible. */
export const otherDatabase =
  "the database is not the one that the tool was generated for; generate again";
