import { LostBroker } from "../../../send/failures.js";
import { type ChannelOwner, PublishChannel, type ChannelHost } from "./publish-channel.js";
import type { Delivery, ObservedLimits, PendingMessage } from "./deliveries.js";
import { isForbiddenTopic, reasonOf, rejectionOf, sizeLimitOf } from "./failures.js";
import type { RabbitmqMessage } from "./message.js";

/**
 * Larger messages go one at a time, apart from smaller ones, because a message that is too large
 * closes its channel.
 */
const largeBytes = 1_048_576;

/**
 * Channels that a connection keeps for exchanges it is not publishing to. RabbitMQ allows 2047
 * channels in all.
 */
const keptPublishers = 64;

/** The publishers of a connection. */
export class ExchangePublishers {
  readonly #host: ChannelHost;
  readonly #limits: ObservedLimits;
  readonly #publishers = new Map<string, ExchangePublisher>();

  constructor(host: ChannelHost, limits: ObservedLimits) {
    this.#host = host;
    this.#limits = limits;
  }

  /** Returns the publisher for a message. */
  for({ exchange, body }: RabbitmqMessage): ExchangePublisher {
    const oneByOne = body.length > largeBytes;
    const name = `${oneByOne ? "large" : "any"} ${exchange}`;
    const known = this.#publishers.get(name);
    if (known !== undefined) return known;
    this.#closeIdle();
    const publisher = new ExchangePublisher(this.#host, this.#limits, { oneByOne });
    this.#publishers.set(name, publisher);
    return publisher;
  }

  /** Continues, because RabbitMQ reads again. */
  advance(): void {
    for (const publisher of this.#publishers.values()) publisher.advance();
  }

  /** Rejects all messages, because the connection is lost. */
  lose(reason: string): void {
    for (const publisher of this.#publishers.values()) publisher.lose(reason);
  }

  #closeIdle(): void {
    for (const [name, publisher] of this.#publishers) {
      if (this.#publishers.size < keptPublishers) return;
      if (!publisher.isIdle) continue;
      this.#publishers.delete(name);
      publisher.close();
    }
  }
}

/** Maximum number of unread messages of a publisher, once its channel has carried a message. */
const widest = 1024;

/** Frames that a channel buffers before the client asks to wait for `drain`. */
const bufferedFrames = 256;

/**
 * Sends messages to one exchange. It has its own channel, because RabbitMQ rejects a message by
 * closing the channel with everything on it. A message that RabbitMQ might reject is sent only when
 * nothing else is unread, so that a rejection can only concern this message. RabbitMQ doesn't read
 * the messages behind a rejected one; they go over a new channel.
 */
export class ExchangePublisher implements ChannelOwner {
  readonly #host: ChannelHost;
  /** Maximum number of unread messages at a time. */
  readonly #width: number;
  readonly #limits: ObservedLimits;
  #waiting = new Set<PendingMessage>();
  #channel: PublishChannel | undefined;
  #isOpening = false;

  constructor(
    host: ChannelHost,
    limits: ObservedLimits,
    { oneByOne }: { readonly oneByOne: boolean },
  ) {
    this.#host = host;
    this.#limits = limits;
    this.#width = oneByOne ? 1 : widest;
  }

  get isIdle(): boolean {
    return this.#waiting.size === 0 && this.#channel?.isIdle !== false && !this.#isOpening;
  }

  add(waiting: PendingMessage): void {
    this.#waiting.add(waiting);
    this.advance();
  }

  /** Removes a message, because its call is over. Returns whether the message was still unsent. */
  remove(waiting: PendingMessage): boolean {
    if (this.#waiting.delete(waiting)) return true;
    this.#channel?.forget(waiting);
    return false;
  }

  /** Sends every message that may be sent now. */
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

  /** Rejects all messages, because the connection is lost. */
  lose(reason: string): void {
    this.#channel?.lose(reason);
    const unsent = [...this.#waiting];
    this.#waiting.clear();
    for (const { reject } of unsent) reject(new LostBroker(reason, "not-done"));
  }

  /** Closes the channel. Call it only when the publisher is idle. */
  close(): void {
    this.#channel?.close();
  }

  /**
   * Handles a channel that RabbitMQ closed. The messages that RabbitMQ has not read go over a new
   * channel.
   */
  fail(channel: PublishChannel, error: Error, sent: readonly Delivery[]): void {
    if (this.#channel === channel) this.#channel = undefined;
    const limit = sizeLimitOf(error);
    if (limit !== undefined) this.#limits.limit(limit);
    const { before, behind, refused } = attributeRejection(sent, error);
    for (const { reject } of before) reject(new LostBroker(reasonOf(error)));
    for (const each of sent) if (isForbiddenTopic(error, each)) this.#limits.noteRejected(each);
    refused?.reject(rejectionOf(error, refused, this.#host.hidden));
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
      this.#channel = new PublishChannel(channel, this.#host, this.#limits, this);
    } catch (error) {
      this.#host.exhausted();
      this.lose(reasonOf(error));
    } finally {
      this.#isOpening = false;
      this.#host.answered(1);
    }
    this.advance();
  }

  /** Replaces a channel that was closed without a reason from RabbitMQ. */
  #replace(channel: PublishChannel): void {
    channel.lose("connection lost");
    this.#channel = undefined;
    void this.#open();
  }
}

/**
 * Messages on a channel that RabbitMQ closed because of one of them, in the order in which they
 * were sent.
 */
export interface Attribution {
  /**
   * Messages that RabbitMQ may have taken. If the rejected message is unknown, it is one of these.
   */
  readonly before: readonly Delivery[];
  readonly refused: Delivery | undefined;
  /**
   * Messages that RabbitMQ has not taken: it reads in order, and stopped at the rejected message.
   */
  readonly behind: readonly Delivery[];
}

/**
 * Finds the message that RabbitMQ rejected. It is not one of those that RabbitMQ has read.
 *
 * @param error of the channel
 */
export function attributeRejection(sent: readonly Delivery[], error: Error): Attribution {
  const read = sent.filter(({ isRead }) => isRead);
  const unread = sent.slice(read.length);
  const at = refusedAmong(unread, error);
  const refused = unread[at];
  if (refused !== undefined)
    return { before: [...read, ...unread.slice(0, at)], refused, behind: unread.slice(at + 1) };
  const last = unread.findLastIndex((each) => isForbiddenTopic(error, each));
  if (last === -1) return { before: sent, refused, behind: [] };
  return {
    before: [...read, ...unread.slice(0, last + 1)],
    refused,
    behind: unread.slice(last + 1),
  };
}

/** Returns the index of the rejected message; -1 if the error doesn't identify it. */
function refusedAmong(sent: readonly Delivery[], error: Error): number {
  if (sent.length === 1) return 0;
  const limit = sizeLimitOf(error);
  if (limit !== undefined) return sent.findIndex(({ bytes }) => bytes > limit);
  // If several messages went to this place, an earlier one may have been accepted while publishing
  // was still allowed.
  const [only, ...others] = sent.filter((each) => isForbiddenTopic(error, each));
  return only !== undefined && others.length === 0 ? sent.indexOf(only) : -1;
}
