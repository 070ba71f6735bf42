/** What is wrong with a connection to a server, of whatever kind. */
import type { WriteOutcome } from "../errors.js";

/**
 * A connection's URL that can't be used. The message goes on from the credential's name and holds
 * nothing of its value.
 */
export class UnusableUrl extends Error {
  override readonly name = "UnusableUrl";
}

/** The connection could not be made, or was lost, or the server can do nothing now. */
export class LostConnection extends Error {
  override readonly name = "LostConnection";
  /** The system's or the server's name for it: `ECONNREFUSED`, `LOADING`. */
  readonly reason: string;
  /** `unknown` once something had left that may have been done: a COMMIT, a command. */
  readonly outcome: WriteOutcome;

  constructor(reason: string, outcome: WriteOutcome) {
    super(reason);
    this.reason = reason;
    this.outcome = outcome;
  }
}
