import type { Batch } from "./batch.js";
import type { Delivery } from "./delivery.js";
import type { Placed } from "./producer.js";
import { Session, type SessionOptions } from "./session.js";
import { latest } from "./waiting.js";

/** Shorter than what brokers, load balancers and kafkajs' knowledge of the cluster last. */
const idleMs = 60_000;

const checkMs = 250;

/** A session, and what is under way on it. */
export class ActiveSession {
  readonly underWay = new Map<Batch, Delivery>();
  /** Rejects when it can't be opened, or is closed before. */
  readonly opened: Promise<void>;
  #isOpen = false;
  #usedAt = performance.now();
  readonly #session: Session;
  readonly #timer: NodeJS.Timeout;

  /**
   * @param onIdle called when it was open and of no use for long
   * @param onTick called now and then while something is under way
   */
  constructor(options: SessionOptions, onIdle: () => void, onTick: () => void) {
    this.#session = new Session(options);
    this.#timer = setInterval(() => this.#check(onIdle, onTick), checkMs).unref();
    this.opened = this.#open();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether a call waits for something on it. */
  get isAwaited(): boolean {
    for (const { callers } of this.underWay.keys()) if (callers.size > 0) return true;
    return false;
  }

  /** The batch is under way until it is taken from there. */
  send(batch: Batch): Promise<Placed> {
    const delivery = this.#session.deliver(batch.partition);
    this.underWay.set(batch, delivery);
    this.#session.keepAlive(true);
    const messages = batch.messages.map(({ message }) => message);
    return this.#session.send({ messages, delivery, until: latest(batch.messages) });
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
  #check(onIdle: () => void, onTick: () => void): void {
    this.#session.check();
    if (this.underWay.size > 0) return onTick();
    if (!this.#isOpen) return;
    const idle = performance.now() - this.#usedAt;
    if (idle >= checkMs) this.#session.keepAlive(false);
    if (idle >= idleMs) onIdle();
  }
}
