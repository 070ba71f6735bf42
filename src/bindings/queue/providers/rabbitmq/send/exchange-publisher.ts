import { LostBroker } from "../../../send/failures.js";
import { type ChannelOwner, PublishChannel, type ChannelHost } from "./publish-channel.js";
import type { Delivery, ObservedLimits, PendingMessage } from "./deliveries.js";
import { isForbiddenTopic, reasonOf, rejectionOf, sizeLimitOf } from "./failures.js";
import type { RabbitmqMessage } from "./message.js";

/**
 * Larger messages go one at a time, apart from the rest: one that is too large closes its channel.
 */
const largeBytes = 1_048_576;

/**
 * Channels that a connection keeps for exchanges that it is not publishing to. RabbitMQ allows 2047
 * in all.
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

  /** The one for a message. */
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

  /** RabbitMQ reads again. */
  advance(): void {
    for (const publisher of this.#publishers.values()) publisher.advance();
  }

  /** The connection is gone. */
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

/**
 * Messages of a publisher that may be on their way at a time, once it has shown that it carries
 * messages.
 */
const widest = 1024;

/** Frames that a channel buffers before the client asks to wait for `drain`. */
const bufferedFrames = 256;

/**
 * The way of messages to one exchange: a channel of its own, because RabbitMQ answers a message
 * that it refuses by closing the channel, with all that is on it. Nothing may be on its way when a
 * message is sent that it might refuse: then the refusal is about that one, and what is behind it,
 * which RabbitMQ doesn't read any more, goes over a new channel.
 */
export class ExchangePublisher implements ChannelOwner {
  readonly #host: ChannelHost;
  /** Messages that may be on their way at a time. */
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

  /** Its call is over: if it was not sent, it never is. Whether that is so. */
  remove(waiting: PendingMessage): boolean {
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

  /** The channel was closed without a word of RabbitMQ's. */
  #replace(channel: PublishChannel): void {
    channel.lose("connection lost");
    this.#channel = undefined;
    void this.#open();
  }
}

/**
 * The messages on a channel that RabbitMQ closed because of one of them, in the order in which they
 * were sent.
 */
export interface Attribution {
  /** It may have taken these; when it doesn't say which one it refused, they are all. */
  readonly before: readonly Delivery[];
  readonly refused: Delivery | undefined;
  /** It reads in order, and nothing after it has closed the channel: it has not taken these. */
  readonly behind: readonly Delivery[];
}

/**
 * It is about none of those that were read.
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

/** -1: it doesn't say. */
function refusedAmong(sent: readonly Delivery[], error: Error): number {
  if (sent.length === 1) return 0;
  const limit = sizeLimitOf(error);
  if (limit !== undefined) return sent.findIndex(({ bytes }) => bytes > limit);
  // Of several to one place, an earlier one may have been taken while it was allowed.
  const [only, ...others] = sent.filter((each) => isForbiddenTopic(error, each));
  return only !== undefined && others.length === 0 ? sent.indexOf(only) : -1;
}
