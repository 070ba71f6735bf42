import type { Writable } from "node:stream";

/**
 * Joins what is sent in one turn of the event loop, for RabbitMQ and Redis: each write of their
 * clients would be a packet of its own. The messages stay apart, each with its own answer; Kafka's
 * go in batches, and NATS' client joins writes itself.
 */
export class Cork {
  readonly #socket: Pick<Writable, "cork" | "uncork">;
  readonly #afterwards: (handOver: () => void) => void;
  #isOpen = false;

  /**
   * @param afterwards calls its argument as soon as the client has written what it was given in
   *   this turn
   */
  constructor(
    socket: Pick<Writable, "cork" | "uncork">,
    afterwards: (handOver: () => void) => void,
  ) {
    this.#socket = socket;
    this.#afterwards = afterwards;
  }

  /** Something is about to be sent. */
  add(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#socket.cork();
    this.#afterwards(() => {
      this.#isOpen = false;
      this.#socket.uncork();
    });
  }
}
