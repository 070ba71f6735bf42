import type { Writable } from "node:stream";

/**
 * Joins all writes in one turn of the event loop, for RabbitMQ and Redis, whose clients would send
 * each write as a packet. The messages stay separate, each with its own answer. Kafka sends
 * batches, and the NATS client joins writes itself.
 */
export class Cork {
  readonly #socket: Pick<Writable, "cork" | "uncork">;
  readonly #afterwards: (handOver: () => void) => void;
  #isOpen = false;

  /**
   * @param afterwards calls its argument as soon as the client has written everything from this
   *   turn
   */
  constructor(
    socket: Pick<Writable, "cork" | "uncork">,
    afterwards: (handOver: () => void) => void,
  ) {
    this.#socket = socket;
    this.#afterwards = afterwards;
  }

  /** Holds back the socket's writes until the end of the turn. */
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
