import type { Attempt } from "../../../../runtime/sink.js";
import type { Broker, Outgoing } from "../broker.js";
import { HeldLink } from "./held-link.js";
import type { Link, OpenLink } from "./link.js";
import { Opening } from "./opening.js";
import { whenAborted } from "./when-aborted.js";

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

class SharedLink<Target extends object, Receipt extends object> implements Broker<Target, Receipt> {
  readonly #open: OpenLink<Target, Receipt>;
  readonly #onIdle: () => void;
  #opening: Opening<HeldLink<Target, Receipt>> | undefined;
  #current: HeldLink<Target, Receipt> | undefined;
  /** All that are not closed yet: one that became unusable stays until its last message is settled. */
  readonly #held = new Set<HeldLink<Target, Receipt>>();
  /** Calls that came when there was no link. */
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
      this.#opening = new Opening(async (hangUp) => this.#hold(await this.#open(hangUp), hangUp));
    return this.#opening.wait(attempt);
  }

  #hold(link: Link<Target, Receipt>, hangUp: AbortController): HeldLink<Target, Receipt> {
    const held = new HeldLink(link, hangUp, {
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

  /** Later: a call that has just been handed this broker is not counted yet. */
  #leave(): void {
    if (this.#held.size > 0) return;
    setImmediate(() => {
      if (this.#held.size === 0 && this.#arrivals === 0) this.#onIdle();
    });
  }
}
