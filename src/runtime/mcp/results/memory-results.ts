import { longestTimerMs } from "../../within-time.js";
import { type Owner, ownerDigest, randomId } from "../owner.js";
import type { KeptResult, NotKept, ResultStore } from "./result-store.js";
import { callerLimit, type ResultLimits, storedText, textOfStored } from "./stored-text.js";

/** Options of results in memory. */
export interface MemoryResultsOptions extends ResultLimits {
  /**
   * Maximum size of the results of all callers, in bytes; 1 GiB by default. If the results of other
   * callers leave too little room, a result is not kept.
   */
  readonly maxBytes?: number;
}

const usualMaxBytes = 1024 ** 3;

/**
 * Creates a store of results in the memory of this process, outside of the JavaScript heap. They
 * are gone when the process ends.
 *
 * @throws RangeError if a limit is not valid
 */
export function memoryResults(options: MemoryResultsOptions = {}): ResultStore {
  return new MemoryResults(callerLimit(options), options.maxBytes ?? usualMaxBytes);
}

interface Entry {
  readonly content: Buffer;
  readonly bytes: number;
  /** End of the entry, by `performance.now()`, which changes of the system clock don't affect. */
  readonly endsAt: number;
  readonly timer: NodeJS.Timeout;
}

/** The results of one owner. */
interface OwnResults {
  /** Oldest first. */
  readonly entries: Map<string, Entry>;
  bytes: number;
}

class MemoryResults implements ResultStore {
  readonly kind = "memory";
  readonly #maxCallerBytes: number;
  readonly #maxBytes: number;
  readonly #owners = new Map<string, OwnResults>();
  #bytes = 0;

  constructor(maxCallerBytes: number, maxBytes: number) {
    this.#maxCallerBytes = maxCallerBytes;
    this.#maxBytes = maxBytes;
  }

  async keep(owner: Owner, text: string, ttlMs: number): Promise<KeptResult | NotKept> {
    const stored = storedText(text, this.#maxCallerBytes);
    if (stored === undefined) return "too-large";
    const { bytes, form } = stored;
    const digest = ownerDigest(owner);
    const own = this.#owners.get(digest) ?? { entries: new Map<string, Entry>(), bytes: 0 };
    const others = this.#bytes - own.bytes;
    const most = Math.min(this.#maxCallerBytes, this.#maxBytes - others);
    if (bytes > most) return "full";
    for (const id of own.entries.keys()) {
      if (own.bytes + bytes <= most) break;
      this.#remove(digest, id);
    }
    const id = randomId();
    const timer = setTimeout(
      () => this.#remove(digest, id),
      Math.min(ttlMs, longestTimerMs),
    ).unref();
    const endsAt = performance.now() + ttlMs;
    own.entries.set(id, { content: Buffer.from(form), bytes, endsAt, timer });
    own.bytes += bytes;
    this.#bytes += bytes;
    this.#owners.set(digest, own);
    return { id };
  }

  async read(owner: Owner, id: string): Promise<string | undefined> {
    const found = this.#owners.get(ownerDigest(owner))?.entries.get(id);
    // A timer is late while the process is busy.
    if (found === undefined || found.endsAt <= performance.now()) return undefined;
    return textOfStored(found.content.toString("utf8"));
  }

  async close(): Promise<void> {
    for (const [digest, { entries }] of this.#owners)
      for (const id of entries.keys()) this.#remove(digest, id);
  }

  #remove(digest: string, id: string): void {
    const own = this.#owners.get(digest);
    const entry = own?.entries.get(id);
    if (own === undefined || entry === undefined) return;
    clearTimeout(entry.timer);
    own.entries.delete(id);
    own.bytes -= entry.bytes;
    this.#bytes -= entry.bytes;
    if (own.entries.size === 0) this.#owners.delete(digest);
  }
}
