import type { Attempt } from "../../../../runtime/sink.js";
import type { Broker, Outgoing } from "../broker.js";
import type { Link, OpenLink } from "./link.js";
import { Opening } from "./opening.js";

/** What closing waits for messages under way, which their attempts' limits end as well. */
const closeMs = 10_000;

/** A link that nobody used for that long is closed: it would keep a process alive that has nothing else to do. */
const idleMs = 10_000;

/** A broker that owes an answer for that long is gone, whatever the limits of those who wait. */
const silentMs = 20_000;

/**
 * A broker behind one link at a time, opened by the first message and again by the first after it became unusable. Nothing reconnects in the
 * background: while nobody publishes, nobody needs a connection.
 *
 * @param onIdle called when there is neither a link nor a call
 */
export function shareLink<Target extends object, Receipt extends object>(
  open: OpenLink<Target, Receipt>,
  onIdle: () => void,
): Broker<Target, Receipt> {
  return new SharedLink(open, onIdle);
}

/** A link, and how many messages wait for their answers on it. */
interface Held<Target extends object, Receipt extends object> {
  readonly link: Link<Target, Receipt>;
  calls: number;
  /** When its last call ended. */
  idleSince: number;
  timer?: NodeJS.Timeout;
  closing?: Promise<void>;
}

class SharedLink<Target extends object, Receipt extends object> implements Broker<Target, Receipt> {
  readonly #open: OpenLink<Target, Receipt>;
  readonly #onIdle: () => void;
  #opening: Opening<Held<Target, Receipt>> | undefined;
  #current: Held<Target, Receipt> | undefined;
  /** All that are not closed yet: one that became unusable stays until its last message is settled. */
  readonly #held = new Set<Held<Target, Receipt>>();
  #calls = 0;
  readonly #whenIdle: (() => void)[] = [];

  constructor(open: OpenLink<Target, Receipt>, onIdle: () => void) {
    this.#open = open;
    this.#onIdle = onIdle;
  }

  publish(outgoing: Outgoing & Target, attempt: Attempt): Promise<Receipt> {
    const held = this.#usable();
    if (held !== undefined) return this.#publishOn(held, outgoing, attempt);
    return this.#publishOnceOpen(outgoing, attempt);
  }

  async close(): Promise<void> {
    if (this.#calls > 0) await this.#idle();
    this.#opening?.abandon();
    await Promise.all(Array.from(this.#held, (held) => this.#drop(held)));
  }

  #idle(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, closeMs);
      this.#whenIdle.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #usable(): Held<Target, Receipt> | undefined {
    if (this.#current?.link.isUsable === true) return this.#current;
    const before = this.#current;
    this.#current = undefined;
    if (before?.calls === 0) void this.#drop(before);
    return undefined;
  }

  #opened(attempt: Attempt): Promise<Held<Target, Receipt>> {
    if (this.#opening === undefined || this.#opening.isOver)
      this.#opening = new Opening(async (hangUp) => this.#hold(await this.#open(hangUp)));
    return this.#opening.wait(attempt);
  }

  #hold(link: Link<Target, Receipt>): Held<Target, Receipt> {
    const held: Held<Target, Receipt> = { link, calls: 0, idleSince: performance.now() };
    held.timer = setTimeout(() => this.#tend(held), idleMs);
    this.#current = held;
    this.#held.add(held);
    return held;
  }

  async #publishOnceOpen(outgoing: Outgoing & Target, attempt: Attempt): Promise<Receipt> {
    this.#calls += 1;
    try {
      return await this.#publishOn(await this.#opened(attempt), outgoing, attempt);
    } finally {
      this.#ended();
    }
  }

  /** On the way of every message: costs as little as it can. */
  #publishOn(
    held: Held<Target, Receipt>,
    outgoing: Outgoing & Target,
    attempt: Attempt,
  ): Promise<Receipt> {
    held.calls += 1;
    this.#calls += 1;
    const published = held.link.publish(outgoing, attempt);
    const ended = () => {
      held.calls -= 1;
      if (held.calls === 0) this.#rest(held);
      this.#ended();
    };
    published.then(ended, ended);
    return published;
  }

  #rest(held: Held<Target, Receipt>): void {
    held.idleSince = performance.now();
    if (!held.link.isUsable) void this.#drop(held);
  }

  #ended(): void {
    this.#calls -= 1;
    if (this.#calls > 0) return;
    for (const tell of this.#whenIdle.splice(0)) tell();
    this.#leave();
  }

  /** Later: a call that has just been handed this broker is not counted yet. */
  #leave(): void {
    if (this.#held.size > 0) return;
    setImmediate(() => {
      if (this.#held.size === 0 && this.#calls === 0) this.#onIdle();
    });
  }

  #tend(held: Held<Target, Receipt>): void {
    const isBusy = held.calls > 0;
    const restMs = isBusy ? idleMs : held.idleSince + idleMs - performance.now();
    if (restMs <= 0 || held.link.silentMs >= silentMs) void this.#drop(held);
    else held.timer = setTimeout(() => this.#tend(held), restMs);
  }

  #drop(held: Held<Target, Receipt>): Promise<void> {
    clearTimeout(held.timer);
    if (this.#current === held) this.#current = undefined;
    held.closing ??= held.link.close().finally(() => {
      this.#held.delete(held);
      this.#leave();
    });
    return held.closing;
  }
}
