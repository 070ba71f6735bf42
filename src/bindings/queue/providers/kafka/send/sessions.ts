import type { PartitionMetadata } from "kafkajs";
import type { Batch } from "./batch.js";
import { type KafkaMessage, latest, type PendingMessage } from "./message.js";
import type { Delivery } from "./deliveries.js";
import {
  type BatchPosition,
  IdempotentProducer,
  type ProducerOptions,
} from "./idempotent-producer.js";
import type { KafkaSettings } from "./settings.js";

/** Callbacks of a topic's sessions. */
export interface SessionEvents {
  /** Called when the present session can send. */
  onOpen(): void;
  /** Called when the present session could not be opened. */
  onFailed(error: unknown): void;
  /** Called when the cluster has listed the topic's partitions to the present session. */
  onPartitions(partitions: PartitionMetadata[]): void;
  /** Chooses the partition of a message that was sent without one. */
  choose(key: KafkaMessage["key"], partitions: PartitionMetadata[]): number;
  /** Called when the present session was retired. */
  onRetired(): void;
  /** Called regularly while something is under way. */
  onTick(): void;
  /** Called when a batch or a session is over. */
  onRest(): void;
}

/** The sessions of one topic: the present one, and earlier ones for which calls still wait. */
export class Sessions {
  readonly #settings: KafkaSettings;
  readonly #topic: string;
  readonly #events: SessionEvents;
  readonly #all = new Set<Session>();
  #present: Session | undefined;

  constructor(settings: KafkaSettings, topic: string, events: SessionEvents) {
    this.#settings = settings;
    this.#topic = topic;
    this.#events = events;
  }

  get present(): Session | undefined {
    return this.#present;
  }

  get isEmpty(): boolean {
    return this.#all.size === 0;
  }

  /** True if any session has a batch under way. */
  get isBusy(): boolean {
    return [...this.#all].some(({ underWay }) => underWay.size > 0);
  }

  /** Batches that earlier sessions still try to send. */
  get lingering(): readonly Batch[] {
    if (this.#all.size === 0 || (this.#all.size === 1 && this.#present !== undefined)) return [];
    const others = [...this.#all].filter((each) => each !== this.#present);
    return others.flatMap(({ underWay }) =>
      [...underWay.keys()].filter(({ callers }) => callers.size > 0),
    );
  }

  /**
   * Begins a session, which becomes the present one.
   *
   * @param until time by which it must be open (`performance.now()`)
   */
  open(until: number): Session {
    const options = {
      settings: this.#settings,
      topic: this.#topic,
      until,
      onPartitions: (partitions: PartitionMetadata[]) => {
        if (this.#present === session) this.#events.onPartitions(partitions);
      },
      choose: (key: KafkaMessage["key"], partitions: PartitionMetadata[]) =>
        this.#choose(session, key, partitions),
      onLost: () => this.#loseIdle(session),
    };
    const retire = () => this.retire(session);
    const session: Session = new Session(options, retire, this.#events.onTick);
    this.#all.add(session);
    this.#present = session;
    void this.#opened(session);
    return session;
  }

  /** Finds the session and the batch that carry a call's message. */
  find(waiting: PendingMessage): readonly [Session, Batch] | undefined {
    for (const session of this.#all)
      for (const batch of session.underWay.keys())
        if (batch.callers.has(waiting)) return [session, batch];
    return undefined;
  }

  /** Stops sending over a session. It closes when no call waits for its batches any more. */
  retire(session: Session): void {
    if (this.#present === session) {
      this.#present = undefined;
      this.#events.onRetired();
    }
    this.#tidy(session);
  }

  /** Notes that a batch is over. */
  ended(session: Session, batch: Batch): void {
    session.underWay.delete(batch);
    this.#tidy(session);
  }

  retireAll(): void {
    for (const session of this.#all) this.retire(session);
  }

  /** Ends all connections and batches at once. */
  cut(): void {
    for (const session of this.#all) session.close();
  }

  async #opened(session: Session): Promise<void> {
    try {
      await session.opened;
    } catch (error) {
      // The failure of a retired session doesn't concern the messages that wait now.
      if (this.#present !== session) return;
      this.#events.onFailed(error);
      return this.retire(session);
    }
    this.#events.onOpen();
  }

  #choose(session: Session, key: KafkaMessage["key"], partitions: PartitionMetadata[]): number {
    const chosen = this.#events.choose(key, partitions);
    for (const batch of session.underWay.keys()) batch.partition ??= chosen;
    return chosen;
  }

  #loseIdle(session: Session): void {
    if (session.isOpen && session.underWay.size === 0) this.retire(session);
  }

  #tidy(session: Session): void {
    session.rest();
    if (this.#present !== session && !session.isAwaited) {
      session.close();
      this.#all.delete(session);
    }
    this.#events.onRest();
  }
}

/** Shorter than the idle limits of brokers, load balancers and kafkajs' metadata. */
const idleMs = 60_000;

const checkMs = 250;

/** A session and its batches under way. */
export class Session {
  readonly underWay = new Map<Batch, Delivery>();
  /** Rejects if the session can't be opened, or is closed before it is open. */
  readonly opened: Promise<void>;
  #isOpen = false;
  #usedAt = performance.now();
  readonly #producer: IdempotentProducer;
  readonly #timer: NodeJS.Timeout;

  /**
   * @param onIdle called when the session is open and has been idle for long
   * @param onTick called regularly while something is under way
   */
  constructor(options: ProducerOptions, onIdle: () => void, onTick: () => void) {
    this.#producer = new IdempotentProducer(options);
    this.#timer = setInterval(() => this.#check(onIdle, onTick), checkMs).unref();
    this.opened = this.#open();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** True if a call waits for a batch of this session. */
  get isAwaited(): boolean {
    for (const { callers } of this.underWay.keys()) if (callers.size > 0) return true;
    return false;
  }

  /** Sends a batch. It stays in `underWay` until the caller removes it. */
  send(batch: Batch): Promise<BatchPosition> {
    const delivery = this.#producer.deliver(batch.partition);
    this.underWay.set(batch, delivery);
    this.#producer.keepAlive(true);
    const messages = batch.messages.map(({ message }) => message);
    return this.#producer.send({ messages, delivery, until: latest(batch.messages) });
  }

  /** Restarts the idle time, because a batch is over. */
  rest(): void {
    this.#usedAt = performance.now();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#producer.close();
  }

  async #open(): Promise<void> {
    await this.#producer.opened;
    this.#isOpen = true;
    this.rest();
  }

  /** Runs on a timer: with each message, it would cost as much as the message. */
  #check(onIdle: () => void, onTick: () => void): void {
    this.#producer.check();
    if (this.underWay.size > 0) return onTick();
    if (!this.#isOpen) return;
    const idle = performance.now() - this.#usedAt;
    if (idle >= checkMs) this.#producer.keepAlive(false);
    if (idle >= idleMs) onIdle();
  }
}
