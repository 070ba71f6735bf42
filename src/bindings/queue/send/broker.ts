import type { Attempt } from "../../../runtime/executor.js";

/**
 * A client of one broker, shared by all calls. It connects for its first message, and again for the
 * next message after its connection was lost.
 */
export interface Broker<Target extends object, Receipt extends object> {
  /**
   * Resolves once the broker has the message.
   *
   * @throws LostBroker | RejectedMessage
   */
  publish(outgoing: Outgoing & Target, attempt: Attempt): Promise<Receipt>;
  /**
   * Waits until every message under way is confirmed or failed, then closes the connection.
   *
   * @param late when this signal aborts, the connection is closed at once, and messages under way
   *   are lost
   */
  close(late?: AbortSignal): Promise<void>;
}

/** A message ready to send: encoded and framed, with credentials opened. */
export interface Outgoing {
  readonly body: Uint8Array;
  readonly contentType: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly idempotencyKey?: string | undefined;
}
