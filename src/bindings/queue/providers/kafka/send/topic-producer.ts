import type { Attempt, WriteOutcome } from "../../../../../runtime/executor.js";
import { whenAborted } from "../../../send/deadline.js";
import { LostBroker } from "../../../send/failures.js";
import type { KafkaReceipt } from "../contract.js";
import type { Batch } from "./batch.js";
import { type KafkaMessage, lastMoment, type PendingMessage } from "./message.js";
import { isLate } from "./traffic.js";
import { classifyFailure } from "./classify-failure.js";
import { failureOf } from "./failures.js";
import type { Leaders } from "./partitions.js";
import { PendingMessages } from "./pending-messages.js";
import { type Session, Sessions } from "./sessions.js";
import type { KafkaSettings } from "./settings.js";

/**
 * Sends all messages of one topic. This is not kafkajs' `Producer`: each session of a topic has one
 * of those. Messages that arrive while others are under way go together in one batch. Topics share
 * nothing. kafkajs asks for all topics of a producer at once, so one missing topic would fail all
 * others. A failure in one topic would also cost the others their connections.
 */
export class TopicProducer {
  readonly #settings: KafkaSettings;
  readonly #topic: string;
  readonly #onEmpty: () => void;
  readonly #pending: PendingMessages;
  readonly #sessions: Sessions;
  #isScheduled = false;
  #onSettled: (() => void) | undefined;

  /** @param onEmpty called when no message waits and nothing is connected */
  constructor(settings: KafkaSettings, topic: string, leaders: Leaders, onEmpty: () => void) {
    this.#settings = settings;
    this.#topic = topic;
    this.#onEmpty = onEmpty;
    const pending = (this.#pending = new PendingMessages(leaders));
    const schedule = () => this.#schedule();
    this.#sessions = new Sessions(settings, topic, {
      onOpen: schedule,
      onFailed: (error) => this.#failAll(error),
      onPartitions: (partitions) => {
        if (pending.learn(partitions)) schedule();
      },
      choose: (key, partitions) => pending.choose(key, partitions, this.#sessions.lingering),
      onRetired() {
        pending.forget();
        schedule();
      },
      // An answer may be overdue by now, so other messages may go elsewhere.
      onTick: schedule,
      onRest: () => this.#rest(),
    });
  }

  publish(message: KafkaMessage, attempt: Attempt): Promise<KafkaReceipt> {
    return new Promise((resolve, reject) => {
      const waiting = { message, until: lastMoment(attempt.remainingMs), resolve, reject };
      this.#pending.add(waiting);
      attempt.onAbort(() => this.#giveUp(waiting));
      this.#schedule();
    });
  }

  /**
   * Waits until no call waits, and ends all connections.
   *
   * @param late ends the wait: see `Broker`
   */
  async close(late?: AbortSignal): Promise<void> {
    whenAborted(late, () => this.#cut());
    if (this.#isWaitedFor)
      await new Promise<void>((resolve) => {
        this.#onSettled = resolve;
      });
    this.#sessions.retireAll();
  }

  #cut(): void {
    this.#failAll(new LostBroker("closed"));
    this.#sessions.cut();
  }

  get #isWaitedFor(): boolean {
    return this.#pending.size > 0 || this.#sessions.isBusy;
  }

  /**
   * Runs after the current events: calls that just got their answers may send again, and then share
   * a batch.
   */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    process.nextTick(() => {
      this.#isScheduled = false;
      this.#dispatch();
    });
  }

  #dispatch(): void {
    if (this.#pending.size === 0) return;
    const session = this.#sessions.present ?? this.#sessions.open(this.#pending.until);
    if (!session.isOpen) return;
    for (;;) {
      const batch = this.#pending.take(session.underWay, this.#sessions.lingering);
      if (batch === undefined) return;
      void this.#send(session, batch);
    }
  }

  #failAll(error: unknown): void {
    const failure = failureOf(error, "not-done");
    for (const waiting of this.#pending.drain()) waiting.reject(failure);
  }

  async #send(session: Session, batch: Batch): Promise<void> {
    try {
      const { partition, baseOffset } = await session.send(batch);
      this.#pending.succeeded(batch);
      for (const [index, { resolve }] of batch.messages.entries())
        resolve({ topic: this.#topic, partition, offset: String(baseOffset + BigInt(index)) });
    } catch (error) {
      await this.#fail(session, batch, error);
    }
    this.#sessions.ended(session, batch);
    this.#schedule();
  }

  async #fail(session: Session, batch: Batch, error: unknown): Promise<void> {
    const outcome = this.#stop(session, batch);
    const failure = await classifyFailure(this.#settings, this.#topic, batch, error, outcome);
    if (!(failure instanceof Error)) return this.#pending.putBack(batch, failure);
    if (failure instanceof LostBroker) this.#pending.lost(batch);
    for (const { reject } of batch.messages) reject(failure);
  }

  /** Gives up a call's message. Nothing that no call waits for may keep others waiting. */
  #giveUp(waiting: PendingMessage): WriteOutcome {
    waiting.reject(new LostBroker("aborted"));
    if (this.#pending.remove(waiting)) {
      const { present } = this.#sessions;
      if (this.#pending.size === 0 && present?.isOpen === false) this.#sessions.retire(present);
      return "not-done";
    }
    const [session, batch] = this.#sessions.find(waiting) ?? [];
    if (session === undefined || batch === undefined) return "unknown";
    batch.callers.delete(waiting);
    if (batch.callers.size > 0) return "unknown";
    const outcome = this.#stop(session, batch);
    // A caller that gives up early proves nothing about the broker.
    if (outcome === "unknown" && isLate(batch)) this.#pending.lost(batch);
    return outcome;
  }

  /** Stops a batch, and returns whether it was written, as far as known. */
  #stop(session: Session, batch: Batch): WriteOutcome {
    const delivery = session.underWay.get(batch);
    delivery?.stop();
    this.#sessions.retire(session);
    return delivery?.outcome ?? "unknown";
  }

  #rest(): void {
    if (this.#onSettled !== undefined && !this.#isWaitedFor) this.#onSettled();
    if (this.#sessions.isEmpty && this.#pending.size === 0) this.#onEmpty();
  }
}
