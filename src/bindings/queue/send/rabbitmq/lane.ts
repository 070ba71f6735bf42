import type { ConfirmChannel } from "amqplib";
import { LostBroker } from "../faults.js";
import { confirmedAs, deliveryOf, type Waiting } from "./delivery.js";
import { reasonOf, refusalOf, sizeLimitOf, tooLarge } from "./refusals.js";
import { Unconfirmed } from "./unconfirmed.js";

/** Messages of a lane that may be unconfirmed at a time, once it has shown that it carries messages. */
const widest = 1024;

/** Frames that a channel buffers before it asks for patience. */
const bufferedFrames = 256;

/** What a lane needs of its connection. */
export interface LaneHost {
  /** RabbitMQ is out of memory or disk, and reads nothing. */
  readonly isBlocked: boolean;
  createChannel(options: { readonly highWaterMark: number }): Promise<ConfirmChannel>;
  /** The client was given a message, and is about to write it. */
  sent(): void;
  /** RabbitMQ owes an answer. */
  asked(): void;
  answered(count: number): void;
  /** No channel can be had any more. */
  exhausted(): void;
  /** RabbitMQ told its limit, in bytes. */
  limitLearned(bytes: number): void;
}

/**
 * The way of messages to one exchange: a channel of its own, because RabbitMQ answers a message that it refuses by closing the channel, with all that is
 * on it. Until a message was confirmed they go one at a time: so a refusal is about one message, and the others are not sent yet.
 */
export class Lane {
  readonly #host: LaneHost;
  /** Messages that may be unconfirmed at a time. */
  readonly #width: number;
  readonly #waiting = new Set<Waiting>();
  #unconfirmed = new Unconfirmed();
  #channel: ConfirmChannel | undefined;
  #isOpening = false;
  #isProven = false;
  #isFull = false;
  #sent = 0;

  constructor(host: LaneHost, { oneByOne }: { readonly oneByOne: boolean }) {
    this.#host = host;
    this.#width = oneByOne ? 1 : widest;
  }

  get isIdle(): boolean {
    return this.#waiting.size === 0 && this.#unconfirmed.size === 0 && !this.#isOpening;
  }

  add(waiting: Waiting): void {
    this.#waiting.add(waiting);
    this.advance();
  }

  /** Its call is over: if it was not sent, it never is. */
  remove(waiting: Waiting): void {
    this.#waiting.delete(waiting);
  }

  /** Sends what may be sent now. */
  advance(): void {
    if (this.#waiting.size === 0) return;
    if (this.#channel === undefined) return void this.#open();
    for (const waiting of this.#waiting) {
      if (!this.#maySend) return;
      this.#send(this.#channel, waiting);
    }
  }

  /** The connection is gone. */
  lose(reason: string): void {
    const lost = [...this.#unconfirmed.takeAll(), ...this.#waiting];
    this.#waiting.clear();
    for (const { reject } of lost) reject(new LostBroker(reason));
  }

  /** Gives the channel back. Only when idle. */
  close(): void {
    this.#channel?.close().catch(() => {});
  }

  get #maySend(): boolean {
    const room = this.#isProven ? this.#width : 1;
    return !this.#isFull && !this.#host.isBlocked && this.#unconfirmed.size < room;
  }

  async #open(): Promise<void> {
    if (this.#isOpening) return;
    this.#isOpening = true;
    this.#host.asked();
    try {
      const channel = await this.#host.createChannel({ highWaterMark: bufferedFrames });
      this.#listen(channel);
    } catch (error) {
      this.#host.exhausted();
      this.lose(reasonOf(error));
    } finally {
      this.#isOpening = false;
      this.#host.answered(1);
    }
    this.advance();
  }

  #listen(channel: ConfirmChannel): void {
    this.#channel = channel;
    this.#sent = 0;
    this.#isProven = false;
    this.#isFull = false;
    channel.on("ack", ({ deliveryTag, multiple }) => this.#confirm(deliveryTag, multiple));
    channel.on("nack", ({ deliveryTag, multiple }) => this.#refuse(deliveryTag, multiple));
    channel.on("return", (message) => this.#unconfirmed.markReturned(message));
    channel.on("drain", () => {
      this.#isFull = false;
      this.advance();
    });
    channel.on("error", (error) => this.#fail(error));
  }

  #send(channel: ConfirmChannel, waiting: Waiting): void {
    const { exchange, routingKey, body, options } = waiting.message;
    this.#waiting.delete(waiting);
    try {
      this.#isFull = !channel.publish(exchange, routingKey, body, options);
    } catch {
      // The channel was closed, and its end not told yet. Nothing was sent.
      waiting.reject(new LostBroker("connection lost"));
      return;
    }
    this.#sent += 1;
    this.#host.sent();
    this.#host.asked();
    this.#unconfirmed.add(this.#sent, deliveryOf(waiting));
  }

  #confirm(tag: number, multiple: boolean): void {
    this.#isProven = true;
    const count = this.#unconfirmed.take(tag, multiple, (delivery, tag) =>
      delivery.resolve(confirmedAs(delivery, tag)),
    );
    this.#host.answered(count);
    this.advance();
  }

  /** RabbitMQ could not take them: a queue is full, or failed. */
  #refuse(tag: number, multiple: boolean): void {
    const count = this.#unconfirmed.take(tag, multiple, ({ reject }) =>
      reject(new LostBroker("basic.nack")),
    );
    this.#host.answered(count);
    this.advance();
  }

  /** RabbitMQ closed the channel. What was not sent yet goes over a new one. */
  #fail(error: Error): void {
    const lost = this.#unconfirmed.takeAll();
    this.#channel = undefined;
    this.#host.answered(lost.length);
    const limit = sizeLimitOf(error);
    if (limit !== undefined) this.#host.limitLearned(limit);
    for (const { bytes, reject } of lost) {
      if (limit !== undefined && bytes > limit) reject(tooLarge(bytes, limit));
      // Which of several it refused is not said: those before are perhaps in their queues.
      else reject(lost.length === 1 ? refusalOf(error) : new LostBroker(reasonOf(error)));
    }
    this.advance();
  }
}
