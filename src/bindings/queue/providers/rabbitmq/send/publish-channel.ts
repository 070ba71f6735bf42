import { type ConfirmChannel, IllegalOperationError, type Message } from "amqplib";
import { LostBroker, RejectedMessage } from "../../../send/failures.js";
import {
  confirmedAs,
  type Delivery,
  deliveryOf,
  type ObservedLimits,
  type PendingMessage,
} from "./deliveries.js";
import { tooLarge } from "./failures.js";
import type { RabbitmqMessage } from "./message.js";

/** The owner of a channel, which the channel notifies. */
export interface ChannelOwner {
  /** Called when the channel may accept more messages. */
  advance(): void;
  /**
   * Called when RabbitMQ has closed the channel.
   *
   * @param sent unconfirmed messages, in the order in which they were sent
   */
  fail(channel: PublishChannel, error: Error, sent: readonly Delivery[]): void;
}

/** RabbitMQ's confirm for one message, or for all messages up to one. */
interface Confirm {
  readonly deliveryTag: number;
  readonly multiple: boolean;
}

/** One channel of a publisher, from its opening to its end. */
export class PublishChannel {
  readonly #channel: ConfirmChannel;
  readonly #host: ChannelHost;
  readonly #limits: ObservedLimits;
  readonly #owner: ChannelOwner;
  readonly #unconfirmed = new Unconfirmed();
  readonly #readCheck: ReadCheck;
  /** True once RabbitMQ has read a message and left the channel open. */
  #isProven = false;
  #isFull = false;
  #sent = 0;

  constructor(
    channel: ConfirmChannel,
    host: ChannelHost,
    limits: ObservedLimits,
    owner: ChannelOwner,
  ) {
    this.#channel = channel;
    this.#host = host;
    this.#limits = limits;
    this.#owner = owner;
    this.#readCheck = new ReadCheck(channel, host, this.#unconfirmed, (tag) => this.#read(tag));
    this.#listen();
  }

  get isIdle(): boolean {
    return this.#unconfirmed.oldest === undefined;
  }

  /**
   * Returns whether a message may be sent now. A message that RabbitMQ might reject waits until no
   * message on the channel is unread.
   *
   * @param width maximum number of unread messages at a time
   */
  maySend(message: RabbitmqMessage, width: number): boolean {
    const room = this.#isProven && this.#limits.isSafe(message) ? width : 1;
    return !this.#isFull && !this.#host.isBlocked && this.#unconfirmed.unread < room;
  }

  /** Asks for progress, because a message waits to be sent. */
  hurry(): void {
    if (!this.#isFull) this.#readCheck.hurry();
  }

  /**
   * Sends a message, or rejects it. Returns false if the channel is closed; the message then still
   * waits.
   */
  send(waiting: PendingMessage): boolean {
    const { exchange, routingKey, body, options } = waiting.message;
    const { maxBytes } = this.#limits;
    if (body.length > maxBytes) {
      waiting.reject(tooLarge(body.length, maxBytes));
      return true;
    }
    try {
      this.#isFull = !this.#channel.publish(exchange, routingKey, body, options);
    } catch (error) {
      if (error instanceof IllegalOperationError) return false;
      // The encoder's error is left out, because it quotes the message.
      waiting.reject(new RejectedMessage("the message contains data that AMQP can't carry"));
      return true;
    }
    this.#sent += 1;
    this.#host.sent();
    this.#host.asked();
    this.#unconfirmed.add(this.#sent, deliveryOf(waiting));
    this.#readCheck.sent(this.#sent);
    return true;
  }

  /** Never sends a message again, because its call is over. */
  forget(waiting: PendingMessage): void {
    this.#unconfirmed.forget(waiting);
  }

  /** Rejects all unconfirmed messages, because the connection is lost. */
  lose(reason: string): void {
    for (const { reject } of this.#takeAll()) reject(new LostBroker(reason));
  }

  /** Closes the channel. Call it only when the channel is idle. */
  close(): void {
    this.#readCheck.stop();
    this.#channel.close().catch(() => {});
  }

  #listen(): void {
    this.#channel.on("ack", (confirm: Confirm) =>
      this.#settle(confirm, (delivery, tag) => delivery.resolve(confirmedAs(delivery, tag))),
    );
    // RabbitMQ sends a nack if a queue is full or has failed.
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
      this.#limits.passed(delivery);
      tell(delivery, tag);
    });
    this.#passed(count);
  }

  #read(tag: number): void {
    this.#passed(this.#unconfirmed.read(tag, (delivery) => this.#limits.passed(delivery)));
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

/** The connection, as far as a publisher needs it. */
export interface ChannelHost {
  /** True while RabbitMQ is out of memory or disk and reads nothing. */
  readonly isBlocked: boolean;
  /** Secrets that no error may contain, even if RabbitMQ quotes them. */
  readonly hidden: readonly string[];
  createChannel(options: { readonly highWaterMark: number }): Promise<ConfirmChannel>;
  /** Notes that the client is about to write a message. */
  sent(): void;
  /** Notes that RabbitMQ owes an answer. */
  asked(): void;
  answered(count: number): void;
  /** Notes that the connection can open no more channels. */
  exhausted(): void;
}

/** The unconfirmed messages of a channel, in the order in which they were sent. */
class Unconfirmed {
  readonly #deliveries = new Map<number, Delivery>();
  #read = 0;

  /** True if RabbitMQ has read messages without confirming them. */
  get hasRead(): boolean {
    return this.#read > 0;
  }

  /** Number of messages that RabbitMQ may not have read yet. */
  get unread(): number {
    return this.#deliveries.size - this.#read;
  }

  /** Tag of the first message that is unread, or whose call waits for a confirm. */
  get oldest(): number | undefined {
    for (const [tag, { isRead, waiting }] of this.#deliveries)
      if (!isRead || waiting !== undefined) return tag;
    return undefined;
  }

  add(tag: number, delivery: Delivery): void {
    this.#deliveries.set(tag, delivery);
  }

  /**
   * Removes the messages that a confirm covers.
   *
   * @param multiple true for all messages up to the tag
   * @returns how many of them were unread
   */
  take(tag: number, multiple: boolean, each: (delivery: Delivery, tag: number) => void): number {
    if (!multiple) return this.#takeOne(tag, each);
    let count = 0;
    for (const sent of this.#deliveries.keys()) {
      if (sent > tag) break;
      count += this.#takeOne(sent, each);
    }
    return count;
  }

  #takeOne(tag: number, each: (delivery: Delivery, tag: number) => void): number {
    const delivery = this.#deliveries.get(tag);
    if (delivery === undefined) return 0;
    this.#deliveries.delete(tag);
    each(delivery, tag);
    if (!delivery.isRead) return 1;
    this.#read -= 1;
    return 0;
  }

  /**
   * Marks all messages up to the tag as read.
   *
   * @returns how many of them were unread
   */
  read(tag: number, each: (delivery: Delivery) => void): number {
    let count = 0;
    for (const [sent, delivery] of this.#deliveries) {
      if (sent > tag) break;
      if (delivery.isRead) continue;
      count += 1;
      delivery.isRead = true;
      each(delivery);
    }
    this.#read += count;
    return count;
  }

  /** Never sends a message again, because its call is over. */
  forget(waiting: PendingMessage): void {
    for (const delivery of this.#deliveries.values())
      if (delivery.waiting === waiting) {
        delivery.waiting = undefined;
        return;
      }
  }

  takeAll(): readonly Delivery[] {
    const all = [...this.#deliveries.values()];
    this.#deliveries.clear();
    this.#read = 0;
    return all;
  }

  /**
   * Marks a message as returned. RabbitMQ returns messages in the order in which they were sent.
   * The id and the routing key identify a message; only copies of one message share both.
   */
  markReturned({ fields, properties }: Message): void {
    for (const delivery of this.#deliveries.values()) {
      if (
        !delivery.isReturned &&
        delivery.messageId === properties.messageId &&
        delivery.routingKey === fields.routingKey
      ) {
        delivery.isReturned = true;
        return;
      }
    }
  }
}

/**
 * Time in milliseconds after which RabbitMQ is asked whether it has read an unconfirmed message.
 */
const unconfirmedMs = 250;

/**
 * Asks RabbitMQ how far it has read a channel if messages stay unconfirmed. A queue may delay
 * confirms without limit, for example if it has lost its majority. RabbitMQ still reads on, and
 * answers a request once it has read everything before the request. The answer also shows that the
 * connection is alive.
 */
class ReadCheck {
  readonly #channel: ConfirmChannel;
  readonly #host: ChannelHost;
  readonly #unconfirmed: Unconfirmed;
  readonly #onRead: (tag: number) => void;
  #timer: NodeJS.Timeout | undefined;
  #isAsking = false;
  /** Tag of the last message. */
  #tag = 0;
  /** Tag of the last message when the timer was started. */
  #waitedFor = 0;

  /**
   * @param onRead called with the tag up to which RabbitMQ has read the channel without closing it
   */
  constructor(
    channel: ConfirmChannel,
    host: ChannelHost,
    unconfirmed: Unconfirmed,
    onRead: (tag: number) => void,
  ) {
    this.#channel = channel;
    this.#host = host;
    this.#unconfirmed = unconfirmed;
    this.#onRead = onRead;
  }

  sent(tag: number): void {
    this.#tag = tag;
    if (this.#timer === undefined) this.#wait();
  }

  /**
   * Asks RabbitMQ at once if a queue has already left read messages unconfirmed. Called when a
   * message waits until earlier ones are read.
   */
  hurry(): void {
    if (this.#unconfirmed.hasRead) void this.#ask(this.#tag);
  }

  /** Stops the timer, because the channel is closed. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #wait(): void {
    this.#waitedFor = this.#tag;
    this.#timer = setTimeout(() => this.#check(), unconfirmedMs).unref();
  }

  #check(): void {
    this.#timer = undefined;
    const { oldest } = this.#unconfirmed;
    if (oldest === undefined) return;
    if (oldest <= this.#waitedFor) void this.#ask(this.#waitedFor);
    this.#wait();
  }

  /**
   * Sets the prefetch count, which has no effect without consumers, only to get an answer. If there
   * is no answer, the channel is closed, and the channel's own event reports that.
   */
  async #ask(tag: number): Promise<void> {
    if (this.#isAsking || this.#host.isBlocked) return;
    this.#isAsking = true;
    this.#host.asked();
    const isOpen = await this.#channel.prefetch(0).then(
      () => true,
      () => false,
    );
    this.#isAsking = false;
    this.#host.answered(1);
    if (isOpen) this.#onRead(tag);
  }
}
