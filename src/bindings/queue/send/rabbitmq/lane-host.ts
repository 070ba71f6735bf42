import type { ConfirmChannel } from "amqplib";

/** What a lane needs of its connection. */
export interface LaneHost {
  /** RabbitMQ is out of memory or disk, and reads nothing. */
  readonly isBlocked: boolean;
  /** What no error may tell, whatever RabbitMQ says. */
  readonly hidden: readonly string[];
  createChannel(options: { readonly highWaterMark: number }): Promise<ConfirmChannel>;
  /** The client was given a message, and is about to write it. */
  sent(): void;
  /** RabbitMQ owes an answer. */
  asked(): void;
  answered(count: number): void;
  /** No channel can be had any more. */
  exhausted(): void;
}
