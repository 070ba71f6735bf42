import type { Attempt } from "../../../../runtime/executor.js";
import type { Broker, Outgoing } from "../broker.js";
import { Waiters, whenAborted } from "../deadline.js";
import { LostBroker } from "../failures.js";

/**
 * A broker that opens one link at a time: for the first message, and again for the first message
 * after the link became unusable. Nothing reconnects in the background, because nobody needs a
 * connection while nobody publishes.
 *
 * @param onIdle called when there is neither a link nor a call
 */
export function shareLink<Target extends object, Receipt extends object>(
  open: OpenLink<Target, Receipt>,
  onIdle: () => void,
): Broker<Target, Receipt> {
  return new SharedLink(open, onIdle);
}

class SharedLink<Target extends object, Receipt extends object> implements Broker<Target, Receipt> {
  readonly #open: OpenLink<Target, Receipt>;
  readonly #onIdle: () => void;
  #opening: Opening<HeldLink<Target, Receipt>> | undefined;
  #current: HeldLink<Target, Receipt> | undefined;
  /**
   * All links that are not closed. A link that became unusable stays until its last message is
   * settled.
   */
  readonly #held = new Set<HeldLink<Target, Receipt>>();
  /** Number of calls that arrived without a usable link. */
  #arrivals = 0;
  readonly #whenIdle: (() => void)[] = [];

  constructor(open: OpenLink<Target, Receipt>, onIdle: () => void) {
    this.#open = open;
    this.#onIdle = onIdle;
  }

  publish(outgoing: Outgoing & Target, attempt: Attempt): Promise<Receipt> {
    if (this.#current?.isUsable === true) return this.#current.publish(outgoing, attempt);
    return this.#publishOnceOpen(outgoing, attempt);
  }

  async close(late?: AbortSignal): Promise<void> {
    whenAborted(late, () => this.#cut());
    if (this.#isBusy) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
    this.#opening?.abandon();
    await Promise.all(Array.from(this.#held, (held) => held.close()));
  }

  #cut(): void {
    this.#opening?.abandon();
    for (const held of this.#held) held.cut();
  }

  async #publishOnceOpen(outgoing: Outgoing & Target, attempt: Attempt): Promise<Receipt> {
    this.#current?.retire();
    this.#current = undefined;
    this.#arrivals += 1;
    try {
      const held = await this.#opened(attempt);
      return await held.publish(outgoing, attempt);
    } finally {
      this.#arrivals -= 1;
      this.#rest();
    }
  }

  #opened(attempt: Attempt): Promise<HeldLink<Target, Receipt>> {
    if (this.#opening === undefined || this.#opening.isOver)
      this.#opening = new Opening(async (abortController) =>
        this.#hold(await this.#open(abortController), abortController),
      );
    return this.#opening.wait(attempt);
  }

  #hold(link: Link<Target, Receipt>, abortController: AbortController): HeldLink<Target, Receipt> {
    const held = new HeldLink(link, abortController, {
      onRest: () => this.#rest(),
      onClosed: () => {
        this.#held.delete(held);
        if (this.#current === held) this.#current = undefined;
        this.#leave();
      },
    });
    this.#current = held;
    this.#held.add(held);
    return held;
  }

  get #isBusy(): boolean {
    return this.#arrivals > 0 || [...this.#held].some(({ isBusy }) => isBusy);
  }

  #rest(): void {
    if (this.#whenIdle.length > 0 && !this.#isBusy)
      for (const tell of this.#whenIdle.splice(0)) tell();
    this.#leave();
  }

  /** Wait: a call that just got this broker is not counted yet. */
  #leave(): void {
    if (this.#held.size > 0) return;
    setImmediate(() => {
      if (this.#held.size === 0 && this.#arrivals === 0) this.#onIdle();
    });
  }
}

/** A link without use is closed after this time, in milliseconds. */
const idleMs = 10_000;

/**
 * A broker that owes an answer for this long is considered lost, whatever the time limits of the
 * calls.
 */
const silentMs = 20_000;

/** The owner of a link, which the link notifies. */
export interface Holder {
  /** Called when the last call on the link has ended. */
  onRest(): void;
  onClosed(): void;
}

/**
 * An open link that counts the messages waiting for answers. Without such messages, the link
 * doesn't keep the process alive.
 */
class HeldLink<Target extends object, Receipt extends object> {
  readonly #link: Link<Target, Receipt>;
  readonly #abortController: AbortController;
  readonly #holder: Holder;
  #calls = 0;
  /** Time at which its last call ended. */
  #idleSince = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  /** @param abortController ends the link at once */
  constructor(link: Link<Target, Receipt>, abortController: AbortController, holder: Holder) {
    this.#link = link;
    this.#abortController = abortController;
    this.#holder = holder;
    link.keepAlive(false);
    this.#tendIn(idleMs);
  }

  /** True if the link accepts another message. */
  get isUsable(): boolean {
    return this.#closing === undefined && this.#link.isUsable;
  }

  get isBusy(): boolean {
    return this.#calls > 0;
  }

  /** Every message passes here, so this must cost little. */
  publish(outgoing: Outgoing & Target, attempt: Attempt): Promise<Receipt> {
    if (this.#calls === 0) this.#link.keepAlive(true);
    this.#calls += 1;
    const published = this.#link.publish(outgoing, attempt);
    published.then(this.#ended, this.#ended);
    return published;
  }

  /** Closes the link as soon as its last message is settled. */
  retire(): void {
    if (this.#calls === 0) void this.close();
  }

  /** Closes the link. Messages without an answer are lost. */
  close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#closing ??= this.#link.close().finally(() => this.#holder.onClosed());
    return this.#closing;
  }

  /** Ends the link without a closing handshake. */
  cut(): void {
    this.#abortController.abort();
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

/** A broker that doesn't answer within this time is unavailable, whatever the attempts' limits. */
const connectMs = 10_000;

/** A link that is being opened, and the calls that wait for it. */
class Opening<Opened> {
  readonly #abortController = new AbortController();
  readonly #waiters: Waiters<Opened>;
  #isOver = false;

  /**
   * @param open opens the link; `abortController` ends it at once in any state, even once it is
   *   open
   */
  constructor(open: (abortController: AbortController) => Promise<Opened>) {
    const timer = setTimeout(() => this.abandon(), connectMs);
    const opened = new Promise<Opened>((resolve, reject) => {
      const abandoned = () => reject(new LostBroker("ETIMEDOUT"));
      this.#abortController.signal.addEventListener("abort", abandoned, { once: true });
      open(this.#abortController).then(resolve, reject);
    }).finally(() => {
      clearTimeout(timer);
      this.#isOver = true;
    });
    opened.catch(() => {});
    this.#waiters = new Waiters(opened, { giveUp: () => this.abandon() });
  }

  /** True if the link was opened, failed, or was given up. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Waits for the link, but stops shortly before the attempt ends. */
  wait(attempt: Attempt): Promise<Opened> {
    return this.#waiters.wait(attempt);
  }

  /** Gives up the opening. Has no effect once the link is open. */
  abandon(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#abortController.abort(new LostBroker("ETIMEDOUT"));
  }
}

/**
 * One connection to a broker, from its handshake to its end. A lost connection is not repaired but
 * replaced.
 */
export interface Link<Target extends object, Receipt extends object> {
  /**
   * True if the link accepts another message. False once the connection is lost, or the broker is
   * silent when it should answer.
   */
  readonly isUsable: boolean;
  /** Time in milliseconds for which the broker has owed an answer without giving a reason. */
  readonly silentMs: number;
  /**
   * Settles at the latest when the attempt is over or the link is lost.
   *
   * @throws LostBroker | RejectedMessage
   */
  publish(outgoing: Outgoing & Target, attempt: Attempt): Promise<Receipt>;
  /** Sets whether the link keeps the process alive. */
  keepAlive(isNeeded: boolean): void;
  /**
   * Closes the connection with the protocol's handshake, or at once if the broker is slow to
   * answer. Messages without an answer are lost.
   */
  close(): Promise<void>;
}

/**
 * Connects and logs in.
 *
 * @param abortController its signal ends the connection at once in any state, even during the
 *   handshake
 * @throws UnusableUrl | LostBroker | RejectedMessage
 */
export type OpenLink<Target extends object, Receipt extends object> = (
  abortController: AbortController,
) => Promise<Link<Target, Receipt>>;
