import { RunStoreError } from "../store.js";

/** Lifetime of a lease that is not renewed, in milliseconds. */
export const leaseMs = 10_000;
/**
 * Time before the end of the lease at which the run counts as lost, in milliseconds, so that a
 * request that was sent can end too.
 */
const marginMs = leaseMs / 4;
/** Interval of renewals, and delay after a failed one, in milliseconds. */
const renewMs = leaseMs / 4;
const renewAgainMs = 500;

/** A lease that is renewed. */
export interface KeptLease {
  /** Aborts if the lease is lost, or nearly over without a renewal. */
  readonly lost: AbortSignal;
  /** Marks the lease as lost. */
  lose(why: unknown): void;
  /** Stops renewing. */
  stop(): void;
}

/**
 * Renews a lease until it is stopped or lost. It doesn't keep the process alive.
 *
 * @param name the run, in messages
 * @param takenAt time before the request for the lease, by `performance.now()`, so that the lease
 * ends here before it ends in the store
 * @param renew returns false if the lease is over
 */
export function keepLease(name: string, takenAt: number, renew: () => Promise<boolean>): KeptLease {
  const losing = new AbortController();
  let endsAt = takenAt + leaseMs - marginMs;
  let isOver = false;
  let renewal: NodeJS.Timeout | undefined;
  let ending: NodeJS.Timeout | undefined;
  const stop = (): void => {
    isOver = true;
    clearTimeout(renewal);
    clearTimeout(ending);
  };
  const lose = (why: unknown): void => {
    if (isOver) return;
    stop();
    losing.abort(why);
  };
  const endInTime = (): void => {
    clearTimeout(ending);
    const end = () => lose(lostError(name, "its lease could not be renewed in time"));
    ending = setTimeout(end, endsAt - performance.now()).unref();
  };
  const renewIn = (ms: number): void => {
    renewal = setTimeout(() => void renewOnce(), ms).unref();
  };
  const renewOnce = async (): Promise<void> => {
    const began = performance.now();
    let again = renewMs;
    try {
      const isKept = await renew();
      if (isOver) return;
      if (!isKept) return lose(lostError(name, "another process may hold it"));
      endsAt = began + leaseMs - marginMs;
      endInTime();
    } catch {
      // Try again while the lease lasts.
      again = renewAgainMs;
    }
    if (!isOver) renewIn(again);
  };
  endInTime();
  renewIn(renewMs);
  return { lost: losing.signal, lose, stop };
}

export function lostError(name: string, why: string): RunStoreError {
  return new RunStoreError(
    "lost",
    `${name} is lost: ${why}`,
    "nothing more is sent; resume the run, which goes on from what was stored",
  );
}
