import type { Attempt } from "../../../runtime/executor.js";

/**
 * A client of one broker, shared by all calls. It connects with its first message, and again after
 * its connection was lost.
 */
export interface Broker<Target extends object, Receipt extends object> {
  /**
   * Resolves once the broker has the message.
   *
   * @throws LostBroker | RejectedMessage
   */
  publish(outgoing: Outgoing & Target, attempt: Attempt): Promise<Receipt>;
  /**
   * Waits until every message on its way is confirmed or failed, then closes the connection.
   *
   * @param late once it aborts, the connection is closed at once, and what is on its way is lost
   */
  close(late?: AbortSignal): Promise<void>;
}

/** A message as it goes out: encoded, framed, every credential opened. */
export interface Outgoing {
  readonly body: Uint8Array;
  readonly contentType: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly idempotencyKey?: string | undefined;
}
