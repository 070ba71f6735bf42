import { RunStoreError } from "../store.js";

/** Default lifetime of a lease that is not renewed, in milliseconds. */
export const usualLeaseMs = 10_000;

/** Times of a lease, as parts of its lifetime. */
const parts = {
  /**
   * Time before the end at which the run counts as lost, so that a request that was sent can end
   * too.
   */
  margin: 1 / 4,
  /** Time between the requests of two renewals. */
  renew: 1 / 4,
  /** Delay after a failed renewal. */
  renewAgain: 1 / 40,
  /** Time limit for a renewal. If it fails, a second one is still in time. */
  renewWithin: 0.35,
  /** Delay of a timer that shows that the process was blocked. */
  blocked: 1 / 40,
} as const;

/** Returns the time limit for a renewal, in milliseconds. */
export function renewWithinMs(leaseMs: number): number {
  return parts.renewWithin * leaseMs;
}

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

/** A lease that was taken. */
export interface TakenLease {
  /** The run, in messages. */
  readonly name: string;
  /**
   * Time before the request for the lease, by `performance.now()`, so that the lease ends here before
   * it ends in the store.
   */
  readonly takenAt: number;
  /** Lifetime without a renewal, in milliseconds. */
  readonly leaseMs: number;
}

/**
 * Renews a lease until it is stopped or lost. It doesn't keep the process alive.
 *
 * @param renew returns false if the lease is over
 */
export function keepLease(
  { leaseMs, name, takenAt }: TakenLease,
  renew: () => Promise<boolean>,
): KeptLease {
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
    const dueAt = endsAt() - parts.margin * leaseMs;
    loseIn(dueAt - performance.now(), () => {
      const now = performance.now();
      if (now - dueAt < parts.blocked * leaseMs || now >= endsAt()) return lose(tooLate(name));
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
    if (isKept === undefined) return renewAt(performance.now() + parts.renewAgain * leaseMs);
    renewedAt = began;
    endInTime();
    renewAt(began + parts.renew * leaseMs);
  };
  const requireHeld = (): void => {
    if (performance.now() >= endsAt()) lose(tooLate(name));
    losing.signal.throwIfAborted();
  };
  endInTime();
  renewAt(takenAt + parts.renew * leaseMs);
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
