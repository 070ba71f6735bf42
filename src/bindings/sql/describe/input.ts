/** The input of a description, and of an explanation of PostgreSQL's errors. */
import type { Report } from "../../../core/report.js";
import type { ToolModel } from "../../../core/skill-model.js";
import type { ToolForm } from "../../../kit/kind-engine.js";
import type { SqlError } from "../database/engine.js";
import type { KnownDatabase } from "../database/open-database.js";
import type { PgType, Snapshot } from "../database/snapshot.js";
import type { SqlConfig } from "../model.js";
import type { Statement, TextRange } from "../statement/statement.js";

/** A tool whose statement is analyzed. */
export interface StatementInput {
  readonly tool: ToolModel;
  readonly config: SqlConfig;
  /**
   * Absent if the database can't be used, which was reported. The statement is then only parsed.
   */
  readonly database: KnownDatabase | undefined;
  readonly report: Report;
  /** `plain` requests a template of the statement's own text, without builder code. */
  readonly form: ToolForm;
}

/** An error of PostgreSQL, with the statement that it rejected. */
export interface SqlErrorContext {
  readonly error: SqlError;
  /** The rejected statement, in which each placeholder has its own number. */
  readonly statement: Statement;
  readonly snapshot: Snapshot;
  /** The type that a placeholder has at another of its places. */
  readonly typeOf: (placeholder: string) => PgType | undefined;
  /** Position in the author's text, if the error has none. */
  readonly at?: TextRange | undefined;
}

/**
 * The number of the placeholder in an error that has no position. PostgreSQL writes `$1` in every
 * language.
 */
export function placeholderNumber({ message }: SqlError): number | undefined {
  const number = /\$(?<number>\d+)/.exec(message)?.groups?.["number"];
  return number === undefined ? undefined : Number(number);
}
