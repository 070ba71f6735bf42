/** Errors of PostgreSQL or its driver without their messages, which quote data. */
import { LostConnection } from "../connection/errors.js";
import type { WriteOutcome } from "../errors.js";

/**
 * The parts of PostgreSQL's error report that contain names. The message, detail and hint quote
 * data and are left out.
 */
interface ServerReport {
  readonly code?: string | undefined;
  readonly table?: string | undefined;
  readonly column?: string | undefined;
  readonly constraint?: string | undefined;
  /** Domain that rejects a value. */
  readonly dataType?: string | undefined;
  /** Position in the statement; absent for errors inside a function and for values. */
  readonly position?: string | undefined;
}

/** The step that PostgreSQL rejected. */
type RejectedStep = "statement" | "login";

/** The error of a statement or login that PostgreSQL rejected, or of a session that it ended. */
export class ServerError extends Error {
  override readonly name = "ServerError";
  /** SQLSTATE. */
  readonly code: string;
  readonly report: ServerReport;
  /** `unknown` if a COMMIT was sent, and the code doesn't say that the transaction failed. */
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
 * Codes that end a session, or that a proxy sends when it loses the server: 57P01 can follow a
 * COMMIT. After any other code, the transaction is rolled back.
 */
const leavesOpen = /^(?:08|57P|58|F0|XX)|^40003$/;

const sqlState = /^[\dA-Z]{5}$/;
const systemCode = /^[A-Z\d_]{2,40}$/;

/**
 * Converts a driver's error, without its message.
 *
 * @param outcome outcome if the error says only that the connection is lost
 */
export function errorOfDriver(error: unknown, outcome: WriteOutcome): ServerError | LostConnection {
  // Drivers throw errors; the fields are checked below.
  const report = (typeof error === "object" && error !== null ? error : {}) as ServerReport & {
    readonly severity?: unknown;
  };
  const code = typeof report.code === "string" ? report.code : "";
  // Use only codes, never text from whoever answered.
  if (report.severity === undefined || !sqlState.test(code))
    return new LostConnection(systemCode.test(code) ? code : "connection lost", outcome);
  return new ServerError(code, report, leavesOpen.test(code) ? outcome : "not-done");
}
