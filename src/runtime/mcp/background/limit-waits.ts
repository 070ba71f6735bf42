/** Maximum number of waits of one owner at a time. */
const maxWaits = 4;

/** Waits, unless the owner already waits too often. */
export type WaitLimit = (owner: string, wait: () => Promise<void>) => Promise<void>;

/** Makes a limit that counts the waits of each owner. */
export function limitWaits(): WaitLimit {
  /** Number of waits by the digest of their owner. */
  const waits = new Map<string, number>();
  return async (owner, wait) => {
    const count = waits.get(owner) ?? 0;
    if (count >= maxWaits) return;
    waits.set(owner, count + 1);
    try {
      await wait();
    } finally {
      const rest = (waits.get(owner) ?? 1) - 1;
      if (rest > 0) waits.set(owner, rest);
      else waits.delete(owner);
    }
  };
}
