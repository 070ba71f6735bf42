import { Delivery } from "./delivery.js";
import type { Batch } from "./outbox.js";
import { type Placed, Session, type SessionOptions } from "./session.js";
import { latest } from "./waiting.js";

/** Shorter than what brokers, load balancers and kafkajs' knowledge of the cluster last. */
const idleMs = 60_000;

const checkMs = 500;

/** A session, and what is under way on it. */
export class ActiveSession {
  readonly underWay = new Map<Batch, Delivery>();
  /** Rejects when it can't be opened, or is closed before. */
  readonly opened: Promise<void>;
  #isOpen = false;
  #usedAt = performance.now();
  readonly #session: Session;
  readonly #timer: NodeJS.Timeout;

  /** @param onIdle called when it was open and of no use for long */
  constructor(options: SessionOptions, onIdle: () => void) {
    this.#session = new Session(options);
    this.#timer = setInterval(() => this.#check(onIdle), checkMs).unref();
    this.opened = this.#open();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether a call waits for something on it. */
  get isAwaited(): boolean {
    return [...this.underWay.keys()].some(({ callers }) => callers.size > 0);
  }

  /** The batch is under way until it is taken from there. */
  send(batch: Batch): Promise<Placed> {
    const delivery = new Delivery();
    this.underWay.set(batch, delivery);
    this.#session.keepAlive(true);
    const messages = batch.messages.map(({ message }) => message);
    const { partition } = batch;
    return this.#session.send({ messages, partition, delivery, until: latest(batch.messages) });
  }

  /** A batch is over. */
  rest(): void {
    this.#usedAt = performance.now();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#session.close();
  }

  async #open(): Promise<void> {
    await this.#session.opened;
    this.#isOpen = true;
    this.rest();
  }

  /** Not done with each message: it would cost as much as the message. */
  #check(onIdle: () => void): void {
    this.#session.check();
    if (this.underWay.size > 0 || !this.#isOpen) return;
    const idle = performance.now() - this.#usedAt;
    if (idle >= checkMs) this.#session.keepAlive(false);
    if (idle >= idleMs) onIdle();
  }
}
