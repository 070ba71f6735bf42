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

/** Whom a channel tells what becomes of it. */
export interface ChannelOwner {
  /** It may take more now. */
  advance(): void;
  /**
   * RabbitMQ closed it.
   *
   * @param sent what was not confirmed, in the order in which it was sent
   */
  fail(channel: PublishChannel, error: Error, sent: readonly Delivery[]): void;
}

/** What RabbitMQ says of one message, or of all up to it. */
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
  /** RabbitMQ has read a message, and left the channel open. */
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
   * Whether a message may be sent now. One that RabbitMQ might refuse waits until nothing is on its
   * way.
   *
   * @param width how many may be on their way at a time
   */
  maySend(message: RabbitmqMessage, width: number): boolean {
    const room = this.#isProven && this.#limits.isSafe(message) ? width : 1;
    return !this.#isFull && !this.#host.isBlocked && this.#unconfirmed.unread < room;
  }

  /** Somebody waits until a message may be sent. */
  hurry(): void {
    if (!this.#isFull) this.#readCheck.hurry();
  }

  /** Sends a message, or refuses it. False: the channel is closed, and the message as it was. */
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
      // The encoder's words quote what it was given.
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

  /** Its call is over: it is never sent again. */
  forget(waiting: PendingMessage): void {
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

/** What a publisher needs of its connection. */
export interface ChannelHost {
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

/** What was sent over a channel and is not confirmed yet, in the order in which it was sent. */
class Unconfirmed {
  readonly #deliveries = new Map<number, Delivery>();
  #read = 0;

  /** Whether some are read, and left unconfirmed. */
  get hasRead(): boolean {
    return this.#read > 0;
  }

  /** How many of them are not known to be read. */
  get unread(): number {
    return this.#deliveries.size - this.#read;
  }

  /**
   * The first one's tag of whom more is to be heard: it is unread, or somebody waits for its
   * confirm.
   */
  get oldest(): number | undefined {
    for (const [tag, { isRead, waiting }] of this.#deliveries)
      if (!isRead || waiting !== undefined) return tag;
    return undefined;
  }

  add(tag: number, delivery: Delivery): void {
    this.#deliveries.set(tag, delivery);
  }

  /**
   * Takes out what a confirm speaks of.
   *
   * @param multiple everything up to the tag
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
   * RabbitMQ has read everything up to the tag.
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

  /** Its call is over: it is never sent again. */
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
   * Notes that RabbitMQ gave a message back. It does so in the order in which messages were sent; a
   * message is known by its id and its routing key, which only two copies of one message share.
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

/** How long a message may be unconfirmed before RabbitMQ is asked whether it has read it. */
const unconfirmedMs = 250;

/**
 * Asks RabbitMQ how far it has read a channel whose messages are not confirmed soon. A queue may
 * leave them so for as long as it likes, one without its majority does; RabbitMQ reads on, and
 * answers a request once it has read all before it. That it answers says also that the connection
 * is alive.
 */
class ReadCheck {
  readonly #channel: ConfirmChannel;
  readonly #host: ChannelHost;
  readonly #unconfirmed: Unconfirmed;
  readonly #onRead: (tag: number) => void;
  #timer: NodeJS.Timeout | undefined;
  #isAsking = false;
  /** Of the last message. */
  #tag = 0;
  /** The tag when the timer was started. */
  #waitedFor = 0;

  /** @param onRead is told the tag up to which RabbitMQ has read the channel, and left it open */
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
   * Somebody waits until the messages before his are read. Once a queue has left some of them
   * unconfirmed, RabbitMQ is asked at once.
   */
  hurry(): void {
    if (this.#unconfirmed.hasRead) void this.#ask(this.#tag);
  }

  /** The channel is gone. */
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
   * It is about consumers, of which there are none: nothing comes of it but the answer. Without one
   * the channel is closed, which is told by itself.
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
