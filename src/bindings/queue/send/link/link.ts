import type { Attempt } from "../../../../runtime/sink.js";
import type { Outgoing } from "../broker.js";

/** One connection to a broker, from its handshake to its end. It is never mended: a new one takes its place. */
export interface Link<Target extends object, Receipt extends object> {
  /** Whether another message may be given to it: false once it was lost, or is silent when it should not be. */
  readonly isUsable: boolean;
  /** For how long it has owed an answer and said nothing, without having told why. */
  readonly silentMs: number;
  /**
   * Settles at the latest when the attempt is over or the link is lost.
   *
   * @throws LostBroker | RefusedMessage
   */
  publish(outgoing: Outgoing & Target, attempt: Attempt): Promise<Receipt>;
  /** Whether it keeps the process alive. */
  keepAlive(isNeeded: boolean): void;
  /** Takes leave of the broker, and hangs up if that takes more than a moment. Messages that have no answer yet are lost. */
  close(): Promise<void>;
}

/**
 * Connects and logs in.
 *
 * @param hangUp its signal ends the connection at once, whatever state it is in, the handshake included
 * @throws UnusableUrl | LostBroker | RefusedMessage
 */
export type OpenLink<Target extends object, Receipt extends object> = (
  hangUp: AbortController,
) => Promise<Link<Target, Receipt>>;
