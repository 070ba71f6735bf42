/** Errors of connections to servers of any kind. */
import type { WriteOutcome } from "../errors.js";

/**
 * The error of a connection's URL that can't be used. Its message continues after the credential's
 * name, and contains nothing of the value.
 */
export class UnusableUrl extends Error {
  override readonly name = "UnusableUrl";
}

/**
 * The error of a connection that could not be made or was lost, or of a server that can't serve
 * now.
 */
export class LostConnection extends Error {
  override readonly name = "LostConnection";
  /** Code of the system or server, such as `ECONNREFUSED` or `LOADING`. */
  readonly reason: string;
  /**
   * `unknown` if something was sent that may have been carried out, such as a COMMIT or a command.
   */
  readonly outcome: WriteOutcome;

  constructor(reason: string, outcome: WriteOutcome) {
    super(reason);
    this.reason = reason;
    this.outcome = outcome;
  }
}
