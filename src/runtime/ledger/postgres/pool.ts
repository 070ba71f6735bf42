/** Connections to the ledger's server, and the ledger's errors. */
import {
  causeOf,
  didNothing as queryDidNothing,
  PostgresConnections,
  type PostgresPlace,
  sqlStateOf,
  usualAnswerMs,
  whyUnavailable,
} from "../../postgres/connections.js";
import { LedgerUnavailable } from "../store.js";

export {
  type PostgresClient,
  type PostgresPlace,
  type PostgresPool,
  type PostgresRows,
  release,
  type Row,
  sqlStateOf,
} from "../../postgres/connections.js";

/** Maximum number of connections of one pool. Writing records uses one at a time. */
const maxConnections = 4;

export class LedgerConnections extends PostgresConnections {
  constructor(place: PostgresPlace, answerMs: number = usualAnswerMs) {
    super(place, {
      name: "skillc ledger",
      most: maxConnections,
      settings: [],
      answerMs,
      wrongUrl: (why) =>
        new LedgerUnavailable(
          `the ledger's URL ${why}`,
          "write postgres://user:password@host:5432/database",
        ),
    });
  }
}

/** Returns whether a query certainly changed nothing: it was not sent, or the server says so. */
export function didNothing(error: unknown): boolean {
  return error instanceof LedgerUnavailable || queryDidNothing(error);
}

const remedies: ReadonlyMap<string, string> = new Map([
  ["3F000", "run `skillc ledger migrate`"],
  ["42P01", "run `skillc ledger migrate`"],
  ["42703", "run `skillc ledger migrate`"],
  ["42501", "docs/ledger/postgres.md lists the grants that a ledger needs"],
]);

/**
 * Makes the error to report: the code and its meaning. It leaves out messages of the driver and the
 * server, which may quote a URL or values of a record.
 */
export function unavailable(what: string, error: unknown): unknown {
  const cause = causeOf(error);
  if (cause instanceof LedgerUnavailable) return cause;
  if (cause instanceof Error && cause.name === "MissingPackage") return cause;
  const code = sqlStateOf(cause);
  const help = code === undefined ? undefined : remedies.get(code);
  return new LedgerUnavailable(`${what}: ${whyUnavailable(cause)}`, help);
}
