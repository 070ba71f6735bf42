import { RunStoreError } from "../store.js";

/** Lifetime of a lease that is not renewed, in milliseconds. */
export const leaseMs = 10_000;
/**
 * Time before the end of the lease at which the run counts as lost, in milliseconds, so that a
 * request that was sent can end too.
 */
const marginMs = leaseMs / 4;
/** Time between the requests of two renewals, and delay after a failed one, in milliseconds. */
const renewMs = leaseMs / 4;
const renewAgainMs = leaseMs / 40;
/** Time limit for a renewal, in milliseconds. If it fails, a second one is still in time. */
export const renewWithinMs = 0.35 * leaseMs;
/** Delay of a timer that shows that the process was blocked, in milliseconds. */
const blockedMs = leaseMs / 40;

/** A lease that is renewed. */
export interface KeptLease {
  /** Aborts if the lease is lost, or nearly over without a renewal. */
  readonly lost: AbortSignal;
  /** Marks the lease as lost. */
  lose(why: unknown): void;
  /**
   * Checks that the lease has not ended in the store. It needs no timer, because timers are late
   * after the process was blocked.
   *
   * @throws the reason why the lease is lost
   */
  requireHeld(): void;
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
  /** Time of the request that took or renewed the lease. */
  let renewedAt = takenAt;
  let isOver = false;
  let isRenewing = false;
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
  const endsAt = (): number => renewedAt + leaseMs;
  const loseIn = (ms: number, act = () => lose(tooLate(name))): void => {
    clearTimeout(ending);
    ending = setTimeout(act, ms).unref();
  };
  const endInTime = (): void => {
    const dueAt = endsAt() - marginMs;
    loseIn(dueAt - performance.now(), () => {
      const now = performance.now();
      if (now - dueAt < blockedMs || now >= endsAt()) return lose(tooLate(name));
      // The process was blocked, so that no renewal could be made. The lease may still be renewed.
      loseIn(endsAt() - now);
      renewAt(now);
    });
  };
  const renewAt = (time: number): void => {
    if (isRenewing) return;
    clearTimeout(renewal);
    renewal = setTimeout(() => void renewOnce(), time - performance.now()).unref();
  };
  const renewOnce = async (): Promise<void> => {
    const began = performance.now();
    isRenewing = true;
    const isKept = await renew().catch(() => undefined);
    isRenewing = false;
    if (isOver) return;
    if (isKept === false) return lose(lostError(name, "another process may hold it"));
    // After a failure, try again while the lease lasts.
    if (isKept === undefined) return renewAt(performance.now() + renewAgainMs);
    renewedAt = began;
    endInTime();
    renewAt(began + renewMs);
  };
  const requireHeld = (): void => {
    if (performance.now() >= endsAt()) lose(tooLate(name));
    losing.signal.throwIfAborted();
  };
  endInTime();
  renewAt(takenAt + renewMs);
  return { lost: losing.signal, lose, requireHeld, stop };
}

function tooLate(name: string): RunStoreError {
  return lostError(name, "its lease could not be renewed in time");
}

export function lostError(name: string, why: string): RunStoreError {
  return new RunStoreError(
    "lost",
    `${name} is lost: ${why}`,
    "nothing more is sent; resume the run, which goes on from what was stored",
  );
}
