import type { ConfirmChannel } from "amqplib";
import type { LaneHost } from "./lane-host.js";
import type { Unconfirmed } from "./unconfirmed.js";

/** How long a message may be unconfirmed before RabbitMQ is asked whether it has read it. */
const patienceMs = 250;

/**
 * Asks RabbitMQ how far it has read a channel whose messages are not confirmed soon. A queue may leave them so for as long as it likes, one without its
 * majority does; RabbitMQ reads on, and answers a request once it has read all before it. That it answers says also that the connection is alive.
 */
export class ReadCheck {
  readonly #channel: ConfirmChannel;
  readonly #host: LaneHost;
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
    host: LaneHost,
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

  /** Somebody waits until the messages before his are read. Once a queue has left some of them unconfirmed, RabbitMQ is asked at once. */
  hurry(): void {
    if (this.#unconfirmed.hasRead) void this.#ask(this.#tag);
  }

  /** The channel is gone. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #wait(): void {
    this.#waitedFor = this.#tag;
    this.#timer = setTimeout(() => this.#check(), patienceMs).unref();
  }

  #check(): void {
    this.#timer = undefined;
    const { oldest } = this.#unconfirmed;
    if (oldest === undefined) return;
    if (oldest <= this.#waitedFor) void this.#ask(this.#waitedFor);
    this.#wait();
  }

  /** It is about consumers, of which there are none: nothing comes of it but the answer. Without one the channel is closed, which is told by itself. */
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
