import { LostBroker } from "../../../send/faults.js";
import { type ChannelOwner, LaneChannel, type LaneHost } from "./confirm-channel.js";
import type { Delivery, Learned, Waiting } from "./delivery.js";
import { isForbiddenTopic, reasonOf, refusalOf, sizeLimitOf } from "./failures.js";
import type { RabbitmqMessage } from "./message.js";

/** Larger messages go one at a time, apart from the rest: one that is too large closes its channel. */
const largeBytes = 1_048_576;

/** Channels that a connection keeps for exchanges that it is not publishing to. RabbitMQ allows 2047 in all. */
const keptLanes = 64;

/** The lanes of a connection. */
export class Lanes {
  readonly #host: LaneHost;
  readonly #learned: Learned;
  readonly #lanes = new Map<string, Lane>();

  constructor(host: LaneHost, learned: Learned) {
    this.#host = host;
    this.#learned = learned;
  }

  /** The one for a message. */
  for({ exchange, body }: RabbitmqMessage): Lane {
    const oneByOne = body.length > largeBytes;
    const name = `${oneByOne ? "large" : "any"} ${exchange}`;
    const known = this.#lanes.get(name);
    if (known !== undefined) return known;
    this.#closeIdle();
    const lane = new Lane(this.#host, this.#learned, { oneByOne });
    this.#lanes.set(name, lane);
    return lane;
  }

  /** RabbitMQ reads again. */
  advance(): void {
    for (const lane of this.#lanes.values()) lane.advance();
  }

  /** The connection is gone. */
  lose(reason: string): void {
    for (const lane of this.#lanes.values()) lane.lose(reason);
  }

  #closeIdle(): void {
    for (const [name, lane] of this.#lanes) {
      if (this.#lanes.size < keptLanes) return;
      if (!lane.isIdle) continue;
      this.#lanes.delete(name);
      lane.close();
    }
  }
}

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

/** The messages on a channel that RabbitMQ closed because of one of them, in the order in which they were sent. */
export interface Blamed {
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
export function blame(sent: readonly Delivery[], error: Error): Blamed {
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
