import { type ConfirmChannel, IllegalOperationError } from "amqplib";
import { LostBroker, RefusedMessage } from "../faults.js";
import { confirmedAs, type Delivery, deliveryOf, type Waiting } from "./delivery.js";
import type { LaneHost } from "./lane-host.js";
import type { Learned } from "./learned.js";
import type { RabbitmqMessage } from "./message.js";
import { ReadCheck } from "./read-check.js";
import { tooLarge } from "./refusals.js";
import { Unconfirmed } from "./unconfirmed.js";

/** Whom a channel tells what becomes of it. */
export interface ChannelOwner {
  /** It may take more now. */
  advance(): void;
  /**
   * RabbitMQ closed it.
   *
   * @param sent what was not confirmed, in the order in which it was sent
   */
  fail(channel: LaneChannel, error: Error, sent: readonly Delivery[]): void;
}

/** What RabbitMQ says of one message, or of all up to it. */
interface Confirm {
  readonly deliveryTag: number;
  readonly multiple: boolean;
}

/** One channel of a lane, from its opening to its end. */
export class LaneChannel {
  readonly #channel: ConfirmChannel;
  readonly #host: LaneHost;
  readonly #learned: Learned;
  readonly #owner: ChannelOwner;
  readonly #unconfirmed = new Unconfirmed();
  readonly #readCheck: ReadCheck;
  /** RabbitMQ has read a message, and left the channel open. */
  #isProven = false;
  #isFull = false;
  #sent = 0;

  constructor(channel: ConfirmChannel, host: LaneHost, learned: Learned, owner: ChannelOwner) {
    this.#channel = channel;
    this.#host = host;
    this.#learned = learned;
    this.#owner = owner;
    this.#readCheck = new ReadCheck(channel, host, this.#unconfirmed, (tag) => this.#read(tag));
    this.#listen();
  }

  get isIdle(): boolean {
    return this.#unconfirmed.oldest === undefined;
  }

  /**
   * Whether a message may be sent now. One that RabbitMQ might refuse waits until nothing is on its way.
   *
   * @param width how many may be on their way at a time
   */
  maySend(message: RabbitmqMessage, width: number): boolean {
    const room = this.#isProven && this.#learned.isSafe(message) ? width : 1;
    return !this.#isFull && !this.#host.isBlocked && this.#unconfirmed.unread < room;
  }

  /** Somebody waits until a message may be sent. */
  hurry(): void {
    if (!this.#isFull) this.#readCheck.hurry();
  }

  /** Sends a message, or refuses it. False: the channel is closed, and the message as it was. */
  send(waiting: Waiting): boolean {
    const { exchange, routingKey, body, options } = waiting.message;
    const { mostBytes } = this.#learned;
    if (body.length > mostBytes) {
      waiting.reject(tooLarge(body.length, mostBytes));
      return true;
    }
    try {
      this.#isFull = !this.#channel.publish(exchange, routingKey, body, options);
    } catch (error) {
      if (error instanceof IllegalOperationError) return false;
      // The encoder's words quote what it was given.
      waiting.reject(new RefusedMessage("the message holds what AMQP can't carry"));
      return true;
    }
    this.#sent += 1;
    this.#host.sent();
    this.#host.asked();
    this.#unconfirmed.add(this.#sent, deliveryOf(waiting));
    this.#readCheck.sent(this.#sent);
    return true;
  }

  /** Its call is over: it is never sent again. */
  forget(waiting: Waiting): void {
    this.#unconfirmed.forget(waiting);
  }

  /** Nothing comes from it any more. */
  lose(reason: string): void {
    for (const { reject } of this.#takeAll()) reject(new LostBroker(reason));
  }

  /** Gives it back. Only when idle. */
  close(): void {
    this.#readCheck.stop();
    this.#channel.close().catch(() => {});
  }

  #listen(): void {
    this.#channel.on("ack", (confirm: Confirm) =>
      this.#settle(confirm, (delivery, tag) => delivery.resolve(confirmedAs(delivery, tag))),
    );
    // It could not take them: a queue is full, or failed.
    this.#channel.on("nack", (confirm: Confirm) =>
      this.#settle(confirm, ({ reject }) => reject(new LostBroker("basic.nack"))),
    );
    this.#channel.on("return", (message) => this.#unconfirmed.markReturned(message));
    this.#channel.on("drain", () => {
      this.#isFull = false;
      this.#owner.advance();
    });
    this.#channel.on("error", (error) => this.#owner.fail(this, error, this.#takeAll()));
  }

  #settle(
    { deliveryTag, multiple }: Confirm,
    tell: (delivery: Delivery, tag: number) => void,
  ): void {
    const count = this.#unconfirmed.take(deliveryTag, multiple, (delivery, tag) => {
      this.#learned.passed(delivery);
      tell(delivery, tag);
    });
    this.#passed(count);
  }

  #read(tag: number): void {
    this.#passed(this.#unconfirmed.read(tag, (delivery) => this.#learned.passed(delivery)));
  }

  #passed(count: number): void {
    this.#isProven = true;
    this.#host.answered(count);
    this.#owner.advance();
  }

  #takeAll(): readonly Delivery[] {
    this.#readCheck.stop();
    this.#host.answered(this.#unconfirmed.unread);
    return this.#unconfirmed.takeAll();
  }
}
