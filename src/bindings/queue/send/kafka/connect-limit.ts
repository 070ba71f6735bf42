/** A broker has no longer to take a connection and to answer on it. */
const mostMs = 5000;

/** How long a session's connections may take. */
export class ConnectLimit {
  /** What the session has to open in. */
  readonly openMs: number;
  readonly #brokers: number;
  #until: number;
  #isOpen = false;

  /**
   * @param brokers how many are asked, one after the other, until the session is open
   * @param until when it has to be open (`performance.now()`)
   */
  constructor(brokers: number, until: number) {
    this.#brokers = brokers;
    this.#until = until;
    this.openMs = Math.min(mostMs * brokers, leftUntil(until));
  }

  /** What a connection that begins now has until its first answer is there. */
  get ms(): number {
    if (!this.#isOpen) return this.openMs / this.#brokers;
    return Math.min(mostMs, leftUntil(this.#until));
  }

  opened(): void {
    this.#isOpen = true;
  }

  /** Somebody waits until then. */
  extend(until: number): void {
    this.#until = Math.max(this.#until, until);
  }
}

function leftUntil(moment: number): number {
  return Math.max(1, moment - performance.now());
}
