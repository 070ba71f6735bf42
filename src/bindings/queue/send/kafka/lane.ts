import type { PartitionMetadata } from "kafkajs";
import type { Attempt, WriteOutcome } from "../../../../runtime/sink.js";
import type { KafkaReceipt } from "../../contract.js";
import { LostBroker } from "../faults.js";
import { failureOf } from "./failures.js";
import { judge } from "./judge.js";
import { ActiveSession } from "./active-session.js";
import { type Batch, Outbox } from "./outbox.js";
import type { KafkaMessage } from "./record-size.js";
import type { KafkaSettings } from "./settings.js";
import { lastMoment, type Waiting } from "./waiting.js";

/**
 * All messages of one topic: those that come while others are under way go together. Topics have nothing in common: kafkajs asks for all topics
 * of a producer at once, and one that doesn't exist would fail all others; and what fails in one would cost all others their connections.
 */
export class Lane {
  readonly #settings: KafkaSettings;
  readonly #topic: string;
  readonly #onEmpty: () => void;
  readonly #outbox: Outbox;
  /** The present one, and those before it that calls still wait for. */
  readonly #sessions = new Set<ActiveSession>();
  #session: ActiveSession | undefined;
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
      const waiting = { message, until: lastMoment(attempt.remainingMs), resolve, reject };
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
    for (const session of this.#sessions) this.#retire(session);
  }

  #isWaitedFor(): boolean {
    if (this.#outbox.size > 0) return true;
    return [...this.#sessions].some(({ underWay }) => underWay.size > 0);
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
    const session = (this.#session ??= this.#open());
    if (!session.isOpen) return;
    for (;;) {
      const batch = this.#outbox.take(session.underWay, this.#lingering(session));
      if (batch === undefined) return;
      void this.#send(session, batch);
    }
  }

  /** What sessions before this one still try to send. */
  #lingering(session: ActiveSession): readonly Batch[] {
    if (this.#sessions.size === 1) return [];
    const others = [...this.#sessions].filter((each) => each !== session);
    return others.flatMap(({ underWay }) =>
      [...underWay.keys()].filter(({ callers }) => callers.size > 0),
    );
  }

  #open(): ActiveSession {
    const options = {
      settings: this.#settings,
      topic: this.#topic,
      until: this.#outbox.until,
      onPartitions: (partitions: PartitionMetadata[], chosen: number) =>
        this.#learn(session, partitions, chosen),
      onLost: () => this.#loseIdle(session),
    };
    const session: ActiveSession = new ActiveSession(options, () => this.#retire(session));
    this.#sessions.add(session);
    void this.#opened(session);
    return session;
  }

  async #opened(session: ActiveSession): Promise<void> {
    try {
      await session.opened;
    } catch (error) {
      // One that was given up has nothing to do with what waits now.
      if (this.#session !== session) return;
      const failure = failureOf(error, "not-done");
      for (const waiting of this.#outbox.drain()) waiting.reject(failure);
      this.#retire(session);
    }
    this.#schedule();
  }

  #learn(session: ActiveSession, partitions: PartitionMetadata[], chosen: number): void {
    for (const batch of session.underWay.keys()) batch.partition ??= chosen;
    if (this.#session === session && this.#outbox.learn(partitions)) this.#schedule();
  }

  async #send(session: ActiveSession, batch: Batch): Promise<void> {
    try {
      const { partition, baseOffset } = await session.send(batch);
      for (const [index, { resolve }] of batch.messages.entries())
        resolve({ topic: this.#topic, partition, offset: String(baseOffset + BigInt(index)) });
    } catch (error) {
      const outcome = this.#stop(session, batch);
      const failure = await judge(this.#settings, this.#topic, batch, error, outcome);
      if (failure === "divide") this.#outbox.putBack(batch);
      else for (const { reject } of batch.messages) reject(failure);
    }
    session.underWay.delete(batch);
    this.#tidy(session);
    this.#schedule();
  }

  /** The call waits no longer. What nobody waits for must not keep others waiting. */
  #giveUp(waiting: Waiting): WriteOutcome {
    waiting.reject(new LostBroker("aborted"));
    if (this.#outbox.remove(waiting)) {
      const session = this.#session;
      if (this.#outbox.size === 0 && session?.isOpen === false) this.#retire(session);
      return "not-done";
    }
    for (const session of this.#sessions)
      for (const batch of session.underWay.keys())
        if (batch.callers.delete(waiting) && batch.callers.size === 0)
          return this.#stop(session, batch);
    return "unknown";
  }

  /** Nothing more of it is sent; says what is known of it. */
  #stop(session: ActiveSession, batch: Batch): WriteOutcome {
    const delivery = session.underWay.get(batch);
    delivery?.stop();
    this.#retire(session);
    return delivery?.outcome ?? "unknown";
  }

  #loseIdle(session: ActiveSession): void {
    if (session.isOpen && session.underWay.size === 0) this.#retire(session);
  }

  /** The session sends nothing more; it ends when nobody waits for what is under way. */
  #retire(session: ActiveSession): void {
    if (this.#session === session) {
      this.#session = undefined;
      this.#outbox.forget();
      this.#schedule();
    }
    this.#tidy(session);
  }

  #tidy(session: ActiveSession): void {
    session.rest();
    if (this.#session !== session && !session.isAwaited) {
      session.close();
      this.#sessions.delete(session);
    }
    if (this.#onSettled !== undefined && !this.#isWaitedFor()) this.#onSettled();
    if (this.#sessions.size === 0 && this.#outbox.size === 0) this.#onEmpty();
  }
}
