import { LostBroker } from "../faults.js";
import { blame } from "./blame.js";
import type { Delivery, Waiting } from "./delivery.js";
import { type ChannelOwner, LaneChannel } from "./lane-channel.js";
import type { LaneHost } from "./lane-host.js";
import type { Learned } from "./learned.js";
import { isForbiddenTopic, reasonOf, refusalOf, sizeLimitOf } from "./refusals.js";

/** Messages of a lane that may be on their way at a time, once it has shown that it carries messages. */
const widest = 1024;

/** Frames that a channel buffers before it asks for patience. */
const bufferedFrames = 256;

/**
 * The way of messages to one exchange: a channel of its own, because RabbitMQ answers a message that it refuses by closing the channel, with all that is
 * on it. Nothing may be on its way when a message is sent that it might refuse: then the refusal is about that one, and what is behind it, which RabbitMQ
 * doesn't read any more, goes over a new channel.
 */
export class Lane implements ChannelOwner {
  readonly #host: LaneHost;
  /** Messages that may be on their way at a time. */
  readonly #width: number;
  readonly #learned: Learned;
  #waiting = new Set<Waiting>();
  #channel: LaneChannel | undefined;
  #isOpening = false;

  constructor(host: LaneHost, learned: Learned, { oneByOne }: { readonly oneByOne: boolean }) {
    this.#host = host;
    this.#learned = learned;
    this.#width = oneByOne ? 1 : widest;
  }

  get isIdle(): boolean {
    return this.#waiting.size === 0 && this.#channel?.isIdle !== false && !this.#isOpening;
  }

  add(waiting: Waiting): void {
    this.#waiting.add(waiting);
    this.advance();
  }

  /** Its call is over: if it was not sent, it never is. Whether that is so. */
  remove(waiting: Waiting): boolean {
    if (this.#waiting.delete(waiting)) return true;
    this.#channel?.forget(waiting);
    return false;
  }

  /** Sends what may be sent now. */
  advance(): void {
    if (this.#waiting.size === 0) return;
    const channel = this.#channel;
    if (channel === undefined) return void this.#open();
    for (const waiting of this.#waiting) {
      if (!channel.maySend(waiting.message, this.#width)) return channel.hurry();
      if (!channel.send(waiting)) return this.#replace(channel);
      this.#waiting.delete(waiting);
    }
  }

  /** The connection is gone. */
  lose(reason: string): void {
    this.#channel?.lose(reason);
    const unsent = [...this.#waiting];
    this.#waiting.clear();
    for (const { reject } of unsent) reject(new LostBroker(reason, "not-done"));
  }

  /** Gives the channel back. Only when idle. */
  close(): void {
    this.#channel?.close();
  }

  /** RabbitMQ closed the channel. What it has not read goes over a new one. */
  fail(channel: LaneChannel, error: Error, sent: readonly Delivery[]): void {
    if (this.#channel === channel) this.#channel = undefined;
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

  async #open(): Promise<void> {
    if (this.#isOpening) return;
    this.#isOpening = true;
    this.#host.asked();
    try {
      const channel = await this.#host.createChannel({ highWaterMark: bufferedFrames });
      this.#channel = new LaneChannel(channel, this.#host, this.#learned, this);
    } catch (error) {
      this.#host.exhausted();
      this.lose(reasonOf(error));
    } finally {
      this.#isOpening = false;
      this.#host.answered(1);
    }
    this.advance();
  }

  /** The channel was closed without a word of RabbitMQ's. */
  #replace(channel: LaneChannel): void {
    channel.lose("connection lost");
    this.#channel = undefined;
    void this.#open();
  }
}
