/** Number of entries above which expired ones are removed. */
const fewEntries = 10_000;

/** A map that removes expired entries once it has grown. */
export class EndingMap<Value> {
  readonly entries = new Map<string, Value>();
  #sweepAt = fewEntries;

  /**
   * Removes expired entries if there are twice as many entries as after the last removal. So each
   * entry is visited only a few times.
   */
  makeRoom(isOver: (value: Value) => boolean, remove = (key: string) => this.entries.delete(key)) {
    const { entries } = this;
    if (entries.size < this.#sweepAt) return;
    for (const [key, value] of entries) if (isOver(value)) remove(key);
    this.#sweepAt = Math.max(fewEntries, 2 * entries.size);
  }
}
