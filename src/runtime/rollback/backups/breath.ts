import { setImmediate } from "node:timers/promises";

/**
 * Lets other work of the process run in between. Many small steps on files are three times faster
 * with synchronous calls than with asynchronous ones, so each part of this folder works in spells.
 */
export class Breath {
  #left = spell;

  /** @param cost steps since the last call */
  async take(cost = 1): Promise<void> {
    this.#left -= cost;
    if (this.#left > 0) return;
    this.#left = spell;
    await setImmediate();
  }
}

/** Number of small files, or pieces of a large one, between two pauses. */
const spell = 16;
