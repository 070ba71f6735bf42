/** A value that JSON can't hold as the contract says. The message goes on from the column's name and holds nothing of the value. */
export class UnreadableValue extends Error {
  override readonly name = "UnreadableValue";
}

/** A connection's URL that can't be used. The message goes on from the credential's name and holds nothing of its value. */
export class UnusableUrl extends Error {
  override readonly name = "UnusableUrl";
}

/** The connection could not be made, or was lost. */
export class LostConnection extends Error {
  override readonly name = "LostConnection";
  /** The system's name for it: `ECONNREFUSED`. */
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

/** The parts of PostgreSQL's error report that name things. Its message, detail and hint quote data, and go no further. */
export interface ServerReport {
  readonly code?: string | undefined;
  readonly table?: string | undefined;
  readonly column?: string | undefined;
  readonly constraint?: string | undefined;
}

/** PostgreSQL refused a statement. */
export class ServerFault extends Error {
  override readonly name = "ServerFault";
  /** SQLSTATE. */
  readonly code: string;
  readonly report: ServerReport;

  constructor(code: string, report: ServerReport) {
    super(code);
    this.code = code;
    this.report = { table: report.table, column: report.column, constraint: report.constraint };
  }
}

/** What a driver reports, without its words. */
export function faultOf(error: unknown): ServerFault | LostConnection {
  // Drivers throw errors; what is read of one is checked.
  const report = (typeof error === "object" && error !== null ? error : {}) as ServerReport & {
    readonly severity?: unknown;
  };
  const code = typeof report.code === "string" ? report.code : undefined;
  if (code !== undefined && report.severity !== undefined) return new ServerFault(code, report);
  return new LostConnection(code ?? "connection lost");
}
