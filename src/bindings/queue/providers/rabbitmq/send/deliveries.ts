import type { RabbitmqReceipt, Routed } from "../contract.js";
import type { RabbitmqMessage } from "./message.js";

/** A call that waits for the result of its message. */
export interface Caller {
  resolve(answer: Routed<RabbitmqReceipt>): void;
  reject(error: Error): void;
}

/** A message that is not sent yet. */
export interface PendingMessage extends Caller {
  readonly message: RabbitmqMessage;
}

/** A message that RabbitMQ has not confirmed yet. It may outlive its call. */
export interface Delivery extends Caller {
  /**
   * The message, to be sent again if RabbitMQ certainly has not taken it; undefined once its call
   * is over.
   */
  waiting: PendingMessage | undefined;
  readonly exchange: string;
  readonly routingKey: string;
  readonly messageId: string;
  /** Size of the body, in bytes. */
  readonly bytes: number;
  /**
   * True if RabbitMQ found no queue for the message. RabbitMQ then confirms that it dropped the
   * message.
   */
  isReturned: boolean;
  /**
   * True if RabbitMQ has read the message and left the channel open, but its queue is slow to
   * confirm.
   */
  isRead: boolean;
}

export function deliveryOf(waiting: PendingMessage): Delivery {
  const { message, resolve, reject } = waiting;
  const { exchange, routingKey, body, options } = message;
  const { messageId } = options;
  return {
    waiting,
    exchange,
    routingKey,
    messageId,
    bytes: body.length,
    isReturned: false,
    isRead: false,
    resolve,
    reject,
  };
}

/** @param tag number of the message on its channel, from 1 */
export function confirmedAs(delivery: Delivery, tag: number): Routed<RabbitmqReceipt> {
  if (delivery.isReturned) return { unroutable: true };
  const { exchange, routingKey } = delivery;
  return { exchange, routing_key: routingKey, delivery_tag: tag };
}

type Route = Pick<Delivery, "exchange" | "routingKey">;

/** If there are more, the oldest is forgotten. */
const maxRejectedKeys = 1000;

/**
 * Routing keys that RabbitMQ rejected, kept as long as a broker is used. The next message with such
 * a key may be rejected too.
 */
export class RejectedKeys {
  readonly #places = new Set<string>();

  add(place: Route): void {
    this.#places.add(keyOf(place));
    const [oldest] = this.#places;
    if (this.#places.size > maxRejectedKeys && oldest !== undefined) this.#places.delete(oldest);
  }

  delete(place: Route): void {
    if (this.#places.size > 0) this.#places.delete(keyOf(place));
  }

  has(place: Route): boolean {
    return this.#places.size > 0 && this.#places.has(keyOf(place));
  }
}

function keyOf({ exchange, routingKey }: Route): string {
  return JSON.stringify([exchange, routingKey]);
}

/** The messages that RabbitMQ has accepted and rejected on a connection. */
export class ObservedLimits {
  readonly #rejectedKeys: RejectedKeys;
  #maxBytes = Number.POSITIVE_INFINITY;
  #passedBytes = 0;

  constructor(rejectedKeys: RejectedKeys) {
    this.#rejectedKeys = rejectedKeys;
  }

  /**
   * Maximum message size in bytes, once RabbitMQ has reported it. Another connection may find
   * another limit.
   */
  get maxBytes(): number {
    return this.#maxBytes;
  }

  /**
   * Returns whether the message is no larger than an accepted one, and its routing key is not
   * known as rejected.
   */
  isSafe(message: RabbitmqMessage): boolean {
    return message.body.length <= this.#passedBytes && !this.#rejectedKeys.has(message);
  }

  /** Notes that RabbitMQ has read the message and left its channel open. */
  passed(delivery: Delivery): void {
    this.#passedBytes = Math.max(this.#passedBytes, delivery.bytes);
    this.#rejectedKeys.delete(delivery);
  }

  limit(bytes: number): void {
    this.#maxBytes = bytes;
    this.#passedBytes = Math.min(this.#passedBytes, bytes);
  }

  noteRejected(delivery: Delivery): void {
    this.#rejectedKeys.add(delivery);
  }
}
