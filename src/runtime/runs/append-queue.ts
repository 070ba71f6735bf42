import type { PreparedEvent } from "./sealed-run.js";

interface Waiting {
  readonly event: PreparedEvent;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Length of the events that share a write, in bytes. A longer event has a write of its own. */
const maxGroupBytes = 32 * 1024 * 1024;

/**
 * Stores events in order. Events that come while others are being stored share the next write. If a
 * write fails, its events fail, and later events are tried again.
 */
export class AppendQueue {
  readonly #store: (events: readonly PreparedEvent[]) => Promise<void>;
  readonly #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;

  /** @param store stores events in order, or none of them */
  constructor(store: (events: readonly PreparedEvent[]) => Promise<void>) {
    this.#store = store;
  }

  append(event: PreparedEvent): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ event, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Resolves when all events are stored, or have failed. */
  idle(): Promise<void> {
    return this.#running ?? Promise.resolve();
  }

  #takeGroup(): readonly Waiting[] {
    let bytes = 0;
    const end = this.#waiting.findIndex(({ event }, at) => {
      bytes += event.bytes;
      return at > 0 && bytes > maxGroupBytes;
    });
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
  }

  async #run(): Promise<void> {
    // Events of the same turn share the first write.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const group = this.#takeGroup();
      try {
        await this.#store(group.map(({ event }) => event));
        for (const { resolve } of group) resolve();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#running = undefined;
  }
}
