import type { Name, Publication } from "../../contract.js";

export interface RabbitmqTarget {
  /**
   * Name of the exchange. Empty for the default exchange, which uses the routing key as the name of
   * a queue.
   */
  readonly exchange: Name;
  readonly routing_key: Name;
}

/** A publication to RabbitMQ. */
export type RabbitmqPublication<Message> = Publication<Message, RabbitmqTarget>;

/** A target with opened credentials. */
export interface RabbitmqPlace {
  readonly exchange: string;
  readonly routingKey: string;
}

/** Confirmation that RabbitMQ put a message into at least one queue. */
export interface RabbitmqReceipt {
  /** Exchange that took the message. */
  readonly exchange: string;
  /** Routing key of the message. */
  readonly routing_key: string;
  /** Number of the message on its channel, from 1. */
  readonly delivery_tag: number;
}

/** The answer `unroutable`: RabbitMQ has no queue for the message, and dropped it. */
export interface Unroutable {
  /** Target of the message. */
  readonly error: { readonly exchange: string; readonly routing_key: string };
}

/** RabbitMQ's answer to a message that it did not reject. */
export type Routed<Receipt> = Receipt | { readonly unroutable: true };
