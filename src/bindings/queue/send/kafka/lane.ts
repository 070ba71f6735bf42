import type { Attempt } from "../../../../runtime/sink.js";
import type { KafkaReceipt } from "../../contract.js";
import { LostBroker, RefusedMessage } from "../faults.js";
import { blamesOneMessage, failureOf, faultOf, isTooLarge } from "./failures.js";
import { tooLarge } from "./limit.js";
import { type Batch, Outbox } from "./outbox.js";
import type { KafkaMessage } from "./record-size.js";
import { openSession } from "./session.js";
import type { Session } from "./session.js";
import type { KafkaSettings } from "./settings.js";
import { batchSize } from "./waiting.js";
import type { Waiting } from "./waiting.js";

/** A connection takes no longer, and those to all brokers of the URL leave some of an attempt's time. */
const mostConnectMs = 5000;
const connectShare = 0.8;

/** Shorter than what brokers, load balancers and kafkajs' knowledge of the cluster last. */
const idleMs = 60_000;

const checkMs = 500;

/** A session, and what is under way on it. */
interface Link {
  readonly session: Session;
  readonly underWay: Set<Batch>;
  readonly timer: NodeJS.Timeout;
  /** When its last batch was over. */
  usedAt: number;
  isOpen: boolean;
  /** It sends nothing more. */
  isRetired: boolean;
}

/**
 * All messages of one topic: those that come while others are under way go together. Topics have nothing in common: kafkajs asks for all topics
 * of a producer at once, and one that doesn't exist would fail all others.
 */
export class Lane {
  readonly #settings: KafkaSettings;
  readonly #topic: string;
  readonly #onEmpty: () => void;
  readonly #outbox: Outbox;
  readonly #links = new Set<Link>();
  #link: Link | undefined;
  #isScheduled = false;
  #onSettled: (() => void) | undefined;

  /** @param onEmpty called when nothing waits and nothing is connected */
  constructor(settings: KafkaSettings, topic: string, onEmpty: () => void) {
    this.#settings = settings;
    this.#topic = topic;
    this.#onEmpty = onEmpty;
    this.#outbox = new Outbox(topic);
  }

  publish(message: KafkaMessage, attempt: Attempt): Promise<KafkaReceipt> {
    return new Promise((resolve, reject) => {
      const waiting = { message, timeoutMs: attempt.timeoutMs, resolve, reject };
      this.#outbox.add(waiting);
      attempt.onAbort(() => this.#giveUp(waiting));
      this.#schedule();
    });
  }

  /** Waits until no call waits, and ends all connections. */
  async close(): Promise<void> {
    if (this.#isWaitedFor())
      await new Promise<void>((resolve) => {
        this.#onSettled = resolve;
      });
    for (const link of this.#links) this.#retire(link);
  }

  #isWaitedFor(): boolean {
    if (this.#outbox.size > 0) return true;
    return [...this.#links].some(({ underWay }) => underWay.size > 0);
  }

  /** After all that goes on at the moment: calls that were just answered may send again, and then together. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    process.nextTick(() => {
      this.#isScheduled = false;
      this.#dispatch();
    });
  }

  #dispatch(): void {
    if (this.#outbox.size === 0) return;
    const link = (this.#link ??= this.#open());
    if (!link.isOpen) return;
    for (;;) {
      const batch = this.#outbox.take(link.underWay);
      if (batch === undefined) return;
      void this.#send(link, batch);
    }
  }

  #open(): Link {
    const eachMs = (this.#outbox.longestMs * connectShare) / this.#settings.brokers.length;
    const connectMs = Math.min(mostConnectMs, Math.ceil(eachMs));
    const { session, opened } = openSession(this.#settings, this.#topic, connectMs, {
      onPartitions: (partitions) => this.#outbox.learn(partitions),
      onLost: () => this.#loseIdle(link),
    });
    const timer = setInterval(() => this.#check(link), checkMs).unref();
    const underWay = new Set<Batch>();
    const usedAt = performance.now();
    const link: Link = { session, underWay, timer, usedAt, isOpen: false, isRetired: false };
    this.#links.add(link);
    void this.#opened(link, opened);
    return link;
  }

  async #opened(link: Link, opened: Promise<void>): Promise<void> {
    try {
      await opened;
      link.isOpen = true;
      this.#tidy(link);
    } catch (error) {
      // One that was given up has nothing to do with what waits now.
      if (link.isRetired) return;
      const failure = failureFor(error);
      for (const waiting of this.#outbox.drain()) waiting.reject(failure);
      this.#retire(link);
    }
    this.#schedule();
  }

  async #send(link: Link, batch: Batch): Promise<void> {
    link.underWay.add(batch);
    link.session.keepAlive(true);
    try {
      const messages = batch.messages.map(({ message }) => message);
      const { partition, baseOffset } = await link.session.send(messages, batch.partition);
      for (const [index, { resolve }] of batch.messages.entries())
        resolve({ topic: this.#topic, partition, offset: String(baseOffset + BigInt(index)) });
    } catch (error) {
      this.#retire(link);
      await this.#fail(batch, error);
    }
    link.underWay.delete(batch);
    this.#tidy(link);
    this.#schedule();
  }

  async #fail(batch: Batch, error: unknown): Promise<void> {
    const fault = faultOf(error);
    if (blamesOneMessage(fault) && batch.messages.length > 1) return this.#outbox.putBack(batch);
    const failure = isTooLarge(fault)
      ? new RefusedMessage(await tooLarge(this.#settings, this.#topic, batchSize(batch.messages)))
      : failureFor(error);
    for (const { reject } of batch.messages) reject(failure);
  }

  /** The call waits no longer. What nobody waits for must not keep others waiting. */
  #giveUp(waiting: Waiting): void {
    waiting.reject(new LostBroker("aborted"));
    if (this.#outbox.remove(waiting)) {
      const link = this.#link;
      if (this.#outbox.size === 0 && link?.isOpen === false) this.#retire(link);
      return;
    }
    for (const link of this.#links)
      for (const batch of link.underWay)
        if (batch.callers.delete(waiting) && batch.callers.size === 0) this.#retire(link);
  }

  #loseIdle(link: Link): void {
    if (link.isOpen && link.underWay.size === 0) this.#retire(link);
  }

  /** The session sends nothing more; it ends when nobody waits for what is under way. */
  #retire(link: Link): void {
    link.isRetired = true;
    if (this.#link === link) {
      this.#link = undefined;
      this.#outbox.forget();
      this.#schedule();
    }
    this.#tidy(link);
  }

  #tidy(link: Link): void {
    link.usedAt = performance.now();
    if (link.isRetired && ![...link.underWay].some(({ callers }) => callers.size > 0)) {
      clearInterval(link.timer);
      link.session.close();
      this.#links.delete(link);
    }
    if (this.#onSettled !== undefined && !this.#isWaitedFor()) this.#onSettled();
    if (this.#links.size === 0 && this.#outbox.size === 0) this.#onEmpty();
  }

  /** Not done with each message: it would cost as much as the message. */
  #check(link: Link): void {
    link.session.check();
    if (link.underWay.size > 0 || !link.isOpen) return;
    const idle = performance.now() - link.usedAt;
    if (idle >= checkMs) link.session.keepAlive(false);
    if (idle >= idleMs) this.#retire(link);
  }
}

function failureFor(error: unknown): Error {
  if (error instanceof LostBroker || error instanceof RefusedMessage) return error;
  return failureOf(faultOf(error));
}
