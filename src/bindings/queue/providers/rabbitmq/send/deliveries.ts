import type { RabbitmqReceipt, Routed } from "../contract.js";
import type { RabbitmqMessage } from "./message.js";

/** A call that waits for what becomes of its message. */
export interface Caller {
  resolve(answer: Routed<RabbitmqReceipt>): void;
  reject(error: Error): void;
}

/** A message that is not sent yet. */
export interface PendingMessage extends Caller {
  readonly message: RabbitmqMessage;
}

/** A message that RabbitMQ has not confirmed yet. It may stay long after the call gave up. */
export interface Delivery extends Caller {
  /**
   * The message itself, to be sent again if RabbitMQ certainly has not taken it; undefined once its
   * call is over.
   */
  waiting: PendingMessage | undefined;
  readonly exchange: string;
  readonly routingKey: string;
  readonly messageId: string;
  /** Of the body. */
  readonly bytes: number;
  /** RabbitMQ found no queue for it; that it dropped it is confirmed next. */
  isReturned: boolean;
  /** RabbitMQ has read it and left the channel open, and its queue is slow to confirm it. */
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

/** @param tag counts the messages of the channel, from 1 */
export function confirmedAs(delivery: Delivery, tag: number): Routed<RabbitmqReceipt> {
  if (delivery.isReturned) return { unroutable: true };
  const { exchange, routingKey } = delivery;
  return { exchange, routing_key: routingKey, delivery_tag: tag };
}

type Route = Pick<Delivery, "exchange" | "routingKey">;

/** More are not remembered: the oldest goes. */
const maxRejectedKeys = 1000;

/**
 * Routing keys that were refused, for as long as a broker is used: the next message with one may
 * be, too.
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

/** What a connection has seen RabbitMQ let pass and refuse. */
export class ObservedLimits {
  readonly #rejectedKeys: RejectedKeys;
  #maxBytes = Number.POSITIVE_INFINITY;
  #passedBytes = 0;

  constructor(rejectedKeys: RejectedKeys) {
    this.#rejectedKeys = rejectedKeys;
  }

  /**
   * How large a message may be, in bytes, once RabbitMQ has said so. Another connection may find
   * another limit.
   */
  get maxBytes(): number {
    return this.#maxBytes;
  }

  /** Whether it is no larger than one that passed, and not for where one was refused. */
  isSafe(message: RabbitmqMessage): boolean {
    return message.body.length <= this.#passedBytes && !this.#rejectedKeys.has(message);
  }

  /** RabbitMQ has read it and left its channel open. */
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
