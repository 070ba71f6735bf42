import type { Attempt } from "../../../../runtime/sink.js";
import type { Outgoing } from "../broker.js";
import type { Link } from "./link.js";

/** A link that nobody used for that long is closed. */
const idleMs = 10_000;

/** A broker that owes an answer for that long is gone, whatever the limits of those who wait. */
const silentMs = 20_000;

/** Whom a link tells how it is used. */
export interface Holder {
  /** The last of its calls has ended. */
  onRest(): void;
  onClosed(): void;
}

/** A link that is open, and how many messages wait for their answers on it: while there are none, it doesn't keep the process alive. */
export class HeldLink<Target extends object, Receipt extends object> {
  readonly #link: Link<Target, Receipt>;
  readonly #hangUp: AbortController;
  readonly #holder: Holder;
  #calls = 0;
  /** When its last call ended. */
  #idleSince = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  /** @param hangUp ends the link at once */
  constructor(link: Link<Target, Receipt>, hangUp: AbortController, holder: Holder) {
    this.#link = link;
    this.#hangUp = hangUp;
    this.#holder = holder;
    link.keepAlive(false);
    this.#tendIn(idleMs);
  }

  /** Whether another message may be given to it. */
  get isUsable(): boolean {
    return this.#closing === undefined && this.#link.isUsable;
  }

  get isBusy(): boolean {
    return this.#calls > 0;
  }

  /** On the way of every message: costs as little as it can. */
  publish(outgoing: Outgoing & Target, attempt: Attempt): Promise<Receipt> {
    if (this.#calls === 0) this.#link.keepAlive(true);
    this.#calls += 1;
    const published = this.#link.publish(outgoing, attempt);
    published.then(this.#ended, this.#ended);
    return published;
  }

  /** Closes it as soon as its last message is settled. */
  retire(): void {
    if (this.#calls === 0) void this.close();
  }

  /** Closes it; messages that have no answer yet are lost. */
  close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#closing ??= this.#link.close().finally(() => this.#holder.onClosed());
    return this.#closing;
  }

  /** The same without a farewell. */
  cut(): void {
    this.#hangUp.abort();
  }

  readonly #ended = (): void => {
    this.#calls -= 1;
    if (this.#calls === 0) this.#rest();
  };

  #rest(): void {
    this.#idleSince = performance.now();
    this.#link.keepAlive(false);
    if (!this.#link.isUsable) void this.close();
    this.#holder.onRest();
  }

  #tendIn(ms: number): void {
    this.#timer = setTimeout(() => this.#tend(), ms).unref();
  }

  #tend(): void {
    const restMs = this.isBusy ? idleMs : this.#idleSince + idleMs - performance.now();
    if (restMs <= 0 || this.#link.silentMs >= silentMs) void this.close();
    else this.#tendIn(restMs);
  }
}
