import {
  type Attempt,
  ToolError,
  type ToolFailure,
  UnreadableAnswer,
} from "../../../runtime/sink.js";
import { LostConnection, ServerFault, UnusableUrl } from "./faults.js";

/**
 * What is thrown for a call that has no answer. Names SQLSTATEs, tables and columns; holds no value of a row, a parameter or a credential.
 *
 * @param connection `${NAME}`
 */
export function failureOf(attempt: Attempt, connection: string, error: unknown): unknown {
  if (error instanceof UnreadableAnswer) return unusable(attempt, error.message);
  if (error instanceof UnusableUrl) return unusable(attempt, `\`${connection}\` ${error.message}`);
  if (error instanceof LostConnection) return unavailable(attempt, connection, error.reason);
  if (error instanceof ServerFault) return refusedBy(attempt, connection, error);
  return error;
}

function refusedBy(attempt: Attempt, connection: string, fault: ServerFault): ToolError {
  const { code } = fault;
  const { timeoutMs } = attempt;
  if (code === "57014" && timeoutMs !== undefined) {
    const message = `\`${attempt.tool}\` was stopped by the server after ${timeoutMs} ms`;
    return toolError(attempt, { code: "PROVIDER.TIMEOUT", timeoutMs }, message);
  }
  if (isPassing(code)) return unavailable(attempt, connection, `SQLSTATE ${code}`);
  const { table, column, constraint } = fault.report;
  const names = [
    ...named("table", table),
    ...named("column", column),
    ...named("constraint", constraint),
  ];
  const where = names.length === 0 ? "" : `, ${names.join(", ")}`;
  return unusable(
    attempt,
    `PostgreSQL refused the statement: ${meaningOf(code)} (${code})${where}`,
  );
}

function named(what: string, name: string | undefined): readonly string[] {
  return name === undefined ? [] : [`${what} \`${name}\``];
}

/** Faults that another attempt may not meet: the connection, the server's state, its resources, other transactions. */
function isPassing(code: string): boolean {
  return /^(?:08|53|57P|57014|55P03|40001|40P01)/.test(code);
}

/** In our words: PostgreSQL's own quote what they refuse. The rest is told by class. */
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
  ["3D000", "there is no such database"],
  ["42501", "permission denied"],
  ["42703", "there is no such column"],
  ["42883", "there is no such function"],
  ["42P01", "there is no such table"],
  ["P0001", "a function raised an exception"],
]);

const classes: ReadonlyMap<string, string> = new Map([
  ["0A", "a feature is not supported"],
  ["21", "a subquery gave several rows"],
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

function meaningOf(code: string): string {
  return meanings.get(code) ?? classes.get(code.slice(0, 2)) ?? "error";
}

function unusable(attempt: Attempt, reason: string): ToolError {
  const message = `\`${attempt.tool}\` got no usable answer: ${reason}`;
  return toolError(attempt, { code: "PROVIDER.PROTOCOL", reason }, message);
}

function unavailable(attempt: Attempt, connection: string, reason: string): ToolError {
  const message = `\`${attempt.tool}\` got no answer from ${connection}: ${reason}`;
  return toolError(attempt, { code: "PROVIDER.UNAVAILABLE", reason }, message);
}

function toolError(attempt: Attempt, failure: ToolFailure, message: string): ToolError {
  return new ToolError(attempt.tool, failure, message, { attempts: attempt.number });
}
