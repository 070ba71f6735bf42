/** What a description starts from, and what an explanation of PostgreSQL's errors is made of. */
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
  /** Absent when it can't be had, which is reported: then the statement is only parsed. */
  readonly database: KnownDatabase | undefined;
  readonly report: Report;
  /** `plain`: as a template of its own text, whatever Kysely has words for. */
  readonly form: ToolForm;
}

/** What PostgreSQL says of a statement that it refuses. */
export interface SqlErrorContext {
  readonly error: SqlError;
  /** The statement that it said it of, each placeholder with a number of its own. */
  readonly statement: Statement;
  readonly snapshot: Snapshot;
  /** The type that a placeholder has at another of its places. */
  readonly typeOf: (placeholder: string) => PgType | undefined;
  /** Where it stands in the author's text, when the error doesn't say. */
  readonly at?: TextRange | undefined;
}

/**
 * The number of the placeholder that an error speaks of. PostgreSQL gives it no position, and
 * writes `$1` in every language.
 */
export function placeholderNumber({ message }: SqlError): number | undefined {
  const number = /\$(?<number>\d+)/.exec(message)?.groups?.["number"];
  return number === undefined ? undefined : Number(number);
}
