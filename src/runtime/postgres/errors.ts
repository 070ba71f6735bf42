/** What PostgreSQL or its driver throws, without its words: they quote what they refuse. */
import { LostConnection } from "../connection/errors.js";
import type { WriteOutcome } from "../errors.js";

/**
 * The parts of PostgreSQL's error report that name things. Its message, detail and hint quote data,
 * and go no further.
 */
interface ServerReport {
  readonly code?: string | undefined;
  readonly table?: string | undefined;
  readonly column?: string | undefined;
  readonly constraint?: string | undefined;
  /** Of a domain that refuses a value. */
  readonly dataType?: string | undefined;
  /** Where in the statement; absent for what a function met, and for values. */
  readonly position?: string | undefined;
}

/** What PostgreSQL refused. */
type RejectedStep = "statement" | "login";

/** PostgreSQL refused a statement or a login, or ended the session. */
export class ServerError extends Error {
  override readonly name = "ServerError";
  /** SQLSTATE. */
  readonly code: string;
  readonly report: ServerReport;
  /** `unknown` where a COMMIT had left and the code doesn't say that the transaction failed. */
  readonly outcome: WriteOutcome;
  readonly refused: RejectedStep;

  constructor(
    code: string,
    report: ServerReport,
    outcome: WriteOutcome,
    refused: RejectedStep = "statement",
  ) {
    super(code);
    this.code = code;
    this.refused = refused;
    const { column, constraint, dataType, position, table } = report;
    this.report = { column, constraint, dataType, position, table };
    this.outcome = outcome;
  }
}

/**
 * Codes that end a session, or may come from a proxy that lost the server, wherever it stood: 57P01
 * can follow a COMMIT. After any other, the transaction is rolled back.
 */
const leavesOpen = /^(?:08|57P|58|F0|XX)|^40003$/;

const sqlState = /^[\dA-Z]{5}$/;
const systemCode = /^[A-Z\d_]{2,40}$/;

/**
 * What a driver reports, without its words.
 *
 * @param outcome what is known if it tells no more than that the connection is gone
 */
export function errorOfDriver(error: unknown, outcome: WriteOutcome): ServerError | LostConnection {
  // Drivers throw errors; what is read of one is checked.
  const report = (typeof error === "object" && error !== null ? error : {}) as ServerReport & {
    readonly severity?: unknown;
  };
  const code = typeof report.code === "string" ? report.code : "";
  // Codes, and no words of whoever answered.
  if (report.severity === undefined || !sqlState.test(code))
    return new LostConnection(systemCode.test(code) ? code : "connection lost", outcome);
  return new ServerError(code, report, leavesOpen.test(code) ? outcome : "not-done");
}
