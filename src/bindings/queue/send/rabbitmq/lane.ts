import type { ConfirmChannel } from "amqplib";
import { LostBroker } from "../faults.js";
import { blame } from "./blame.js";
import { confirmedAs, deliveryOf, type Waiting } from "./delivery.js";
import type { LaneHost } from "./lane-host.js";
import type { Learned } from "./learned.js";
import { isForbiddenTopic, reasonOf, refusalOf, sizeLimitOf, tooLarge } from "./refusals.js";
import { Unconfirmed } from "./unconfirmed.js";

/** Messages of a lane that may be unconfirmed at a time, once it has shown that it carries messages. */
const widest = 1024;

/** Frames that a channel buffers before it asks for patience. */
const bufferedFrames = 256;

/**
 * The way of messages to one exchange: a channel of its own, because RabbitMQ answers a message that it refuses by closing the channel, with all that is
 * on it. Nothing may be on its way when a message is sent that it might refuse: then the refusal is about that one, and what is behind it, which RabbitMQ
 * doesn't read any more, goes over a new channel.
 */
export class Lane {
  readonly #host: LaneHost;
  /** Messages that may be unconfirmed at a time. */
  readonly #width: number;
  readonly #learned: Learned;
  readonly #unconfirmed = new Unconfirmed();
  #waiting = new Set<Waiting>();
  #channel: ConfirmChannel | undefined;
  #isOpening = false;
  #isProven = false;
  #isFull = false;
  #sent = 0;

  constructor(host: LaneHost, learned: Learned, { oneByOne }: { readonly oneByOne: boolean }) {
    this.#host = host;
    this.#learned = learned;
    this.#width = oneByOne ? 1 : widest;
  }

  get isIdle(): boolean {
    return this.#waiting.size === 0 && this.#unconfirmed.size === 0 && !this.#isOpening;
  }

  add(waiting: Waiting): void {
    this.#waiting.add(waiting);
    this.advance();
  }

  /** Its call is over: if it was not sent, it never is. Whether that is so. */
  remove(waiting: Waiting): boolean {
    if (this.#waiting.delete(waiting)) return true;
    this.#unconfirmed.forget(waiting);
    return false;
  }

  /** Sends what may be sent now. */
  advance(): void {
    if (this.#waiting.size === 0) return;
    if (this.#channel === undefined) return void this.#open();
    for (const waiting of this.#waiting) {
      if (!this.#maySend(waiting)) return;
      this.#send(this.#channel, waiting);
    }
  }

  /** The connection is gone. */
  lose(reason: string): void {
    for (const { reject } of this.#unconfirmed.takeAll()) reject(new LostBroker(reason));
    const unsent = [...this.#waiting];
    this.#waiting.clear();
    for (const { reject } of unsent) reject(new LostBroker(reason, "not-done"));
  }

  /** Gives the channel back. Only when idle. */
  close(): void {
    this.#channel?.close().catch(() => {});
  }

  #maySend({ message }: Waiting): boolean {
    const room = this.#isProven && this.#learned.isSafe(message) ? this.#width : 1;
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
    const { mostBytes } = this.#learned;
    if (body.length > mostBytes) return waiting.reject(tooLarge(body.length, mostBytes));
    try {
      this.#isFull = !channel.publish(exchange, routingKey, body, options);
    } catch {
      // The channel was closed, and its end not told yet. Nothing was sent.
      waiting.reject(new LostBroker("connection lost", "not-done"));
      return;
    }
    this.#sent += 1;
    this.#host.sent();
    this.#host.asked();
    this.#unconfirmed.add(this.#sent, deliveryOf(waiting));
  }

  #confirm(tag: number, multiple: boolean): void {
    this.#isProven = true;
    const count = this.#unconfirmed.take(tag, multiple, (delivery, tag) => {
      this.#learned.taken(delivery);
      delivery.resolve(confirmedAs(delivery, tag));
    });
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

  /** RabbitMQ closed the channel. What it has not read goes over a new one. */
  #fail(error: Error): void {
    const sent = this.#unconfirmed.takeAll();
    this.#channel = undefined;
    this.#host.answered(sent.length);
    const limit = sizeLimitOf(error);
    if (limit !== undefined) this.#learned.limit(limit);
    const { before, behind, refused } = blame(sent, error);
    for (const { reject } of before) reject(new LostBroker(reasonOf(error)));
    for (const each of sent) if (isForbiddenTopic(error, each)) this.#learned.suspect(each);
    refused?.reject(refusalOf(error, refused, this.#host.hidden));
    const again = behind.flatMap(({ waiting }) => waiting ?? []);
    this.#waiting = new Set([...again, ...this.#waiting]);
    this.advance();
  }
}
