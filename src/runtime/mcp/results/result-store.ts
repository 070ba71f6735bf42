import type { Owner } from "../owner.js";

/** Keeps results that are too long for an answer, so that their callers can read them later. */
export interface ResultStore {
  /** Kind of the store, such as `memory`. */
  readonly kind: string;
  /**
   * Keeps a text under a new id, which nobody can guess. If the owner then exceeds its limit,
   * the store removes the owner's oldest results, and never those of others.
   *
   * @param ttlMs time for which the text can be read, in milliseconds
   * @throws StoreUnavailable if the store can't be used
   */
  keep(owner: Owner, text: string, ttlMs: number): Promise<KeptResult | NotKept>;
  /**
   * Returns a text; undefined for an unknown or expired id, or the id of another tenant or subject.
   *
   * @throws StoreUnavailable if the store can't be used
   */
  read(owner: Owner, id: string): Promise<string | undefined>;
  /** Closes the store. Call it if you opened the store. */
  close(): Promise<void>;
}

/** A result that is kept. */
export interface KeptResult {
  /** Letters, digits, `-` and `_`. */
  readonly id: string;
}

/**
 * Reason why a result is not kept: the text alone is larger than its owner may keep, or results of
 * other owners fill the store.
 */
export type NotKept = "too-large" | "full";

/** Time for which the server keeps a result, in milliseconds. */
export const keptResultMs = 15 * 60_000;
