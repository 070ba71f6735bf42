import type { WriteOutcome } from "../../../runtime/sink.js";

/** A connection's URL that can't be used. The message goes on from the credential's name and holds nothing of its value. */
export class UnusableUrl extends Error {
  override readonly name = "UnusableUrl";
}

/** The broker could not be reached, was lost, or asks for patience: another attempt may succeed. */
export class LostBroker extends Error {
  override readonly name = "LostBroker";
  /** The system's or the broker's name for it: `ECONNREFUSED`, `NOT_ENOUGH_REPLICAS`. */
  readonly reason: string;
  /** Whether the broker may have the message all the same. */
  readonly outcome: WriteOutcome;

  constructor(reason: string, outcome: WriteOutcome = "unknown") {
    super(reason);
    this.reason = reason;
    this.outcome = outcome;
  }
}

/** The same fault, of a message that never left. */
export function unsent<Fault>(fault: Fault): Fault | LostBroker {
  return fault instanceof LostBroker ? new LostBroker(fault.reason, "not-done") : fault;
}

/** The broker does not take this message, and would not take it again. The message holds no value of a message or a credential. */
export class RefusedMessage extends Error {
  override readonly name = "RefusedMessage";
}

/** The broker's answer is none: whether it has the message nobody knows. The message says what was expected, and nothing of the answer. */
export class UnknownAnswer extends Error {
  override readonly name = "UnknownAnswer";
}
