import type { Name, Publication } from "../../contract.js";

export interface RabbitmqTarget {
  /** Empty: the default exchange, which takes the routing key for the name of a queue. */
  readonly exchange: Name;
  readonly routing_key: Name;
}

export type RabbitmqPublication<Message> = Publication<Message, RabbitmqTarget>;

/** A target with every credential put in. */
export interface RabbitmqPlace {
  readonly exchange: string;
  readonly routingKey: string;
}

/** That RabbitMQ took a message and put it into a queue at least. */
export interface RabbitmqReceipt {
  readonly exchange: string;
  readonly routing_key: string;
  /** Counts the messages of a channel, from 1. */
  readonly delivery_tag: number;
}

/** What `unroutable` carries: RabbitMQ has no queue for the message, and dropped it. */
export interface Unroutable {
  readonly error: { readonly exchange: string; readonly routing_key: string };
}

/** What RabbitMQ says of a message that it does not refuse. */
export type Routed<Receipt> = Receipt | { readonly unroutable: true };
