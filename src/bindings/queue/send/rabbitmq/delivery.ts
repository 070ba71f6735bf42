import type { RabbitmqReceipt } from "../../contract.js";
import type { Routed } from "../broker.js";
import type { RabbitmqMessage } from "./message.js";

/** A call that waits for what becomes of its message. */
export interface Caller {
  resolve(answer: Routed<RabbitmqReceipt>): void;
  reject(error: Error): void;
}

/** A message that is not sent yet. */
export interface Waiting extends Caller {
  readonly message: RabbitmqMessage;
}

/** A message that RabbitMQ has not confirmed yet. It may stay long after the call gave up. */
export interface Delivery extends Caller {
  /** The message itself, to be sent again if RabbitMQ certainly has not taken it; undefined once its call is over. */
  waiting: Waiting | undefined;
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

export function deliveryOf(waiting: Waiting): Delivery {
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
