/**
 * Calls of a serial tool, one at a time for each tenant: a lease that is renewed while the call
 * runs.
 */
import type { Call, Cancel } from "../call/call.js";
import { abortedError, callError } from "../call/call-error.js";
import { pause } from "../call/retry.js";
import { askStore, type Governor } from "./governor.js";
import type { ToolError } from "../errors.js";
import type { GovernanceStore, Lease } from "./store/store.js";

/** A holder of which nothing is heard loses its turn after that, in milliseconds. */
const leaseMs = 10_000;
/** How often it says that it is still there. */
const renewMs = leaseMs / 4;
const firstLookMs = 5;
const longestLookMs = 250;

/**
 * Waits for the call's turn, and keeps it until the call has ended. A call that can't keep it is
 * ended before the next one may begin.
 *
 * @param longestMs how long it waits
 * @throws ToolError when it waits for longer, or its caller aborts
 */
export async function holdTurn(governor: Governor, call: Call, longestMs: number): Promise<void> {
  const name = JSON.stringify([call.caller?.tenant ?? null, call.toolId]);
  const waitsUntil = performance.now() + longestMs;
  for (let wait = firstLookMs; ; wait = Math.min(2 * wait, longestLookMs)) {
    const askedAt = performance.now();
    const asked = await askStore(
      governor,
      call,
      async (store) => ({ lease: await store.lease(name, call.id, leaseMs) }),
      ({ lease }, store) => lease && store.unlease(lease),
    );
    // A read that goes on without its store waits for nobody.
    if (asked === undefined) return;
    const { lease } = asked;
    if (lease !== undefined) return keepTurn(governor, call, lease, askedAt);
    if (performance.now() > waitsUntil)
      throw callError(
        call,
        { code: "QUOTA.RATE_LIMITED", budget: `serial ${call.toolId}` },
        `\`${call.toolId}\` runs one call at a time, and those before this one take too long`,
      );
    await pause(wait, call.options.signal).catch(() => {
      throw abortedError(call);
    });
  }
}

/**
 * @param askedAt by `performance.now()`: the lease is counted from before it was given, so that it
 *   ends here first
 */
function keepTurn({ store }: Governor, call: Call, lease: Lease, askedAt: number): void {
  const cancel: Cancel = { error: undefined, listener: undefined };
  let isOver = false;
  let renewing: NodeJS.Timeout | undefined;
  let expiring: NodeJS.Timeout | undefined;
  const end = (): void => {
    isOver = true;
    clearTimeout(renewing);
    clearTimeout(expiring);
  };
  const lose = (): void => {
    if (isOver) return;
    end();
    cancel.error = lostError(call);
    cancel.listener?.(cancel.error);
  };
  /** A store that never answers renews nothing: the turn is over all the same. */
  const hold = (since: number): void => {
    clearTimeout(expiring);
    const left = since + leaseMs - renewMs - performance.now();
    expiring = setTimeout(lose, Math.max(0, left)).unref();
  };
  const renewLater = (): void => {
    renewing = setTimeout(() => void renew(), renewMs).unref();
  };
  const renew = async (): Promise<void> => {
    const began = performance.now();
    try {
      if (!(await store.renew(lease, leaseMs))) return lose();
      if (!isOver) hold(began);
    } catch {
      // It may be tried again, as long as the lease holds.
    }
    if (!isOver) renewLater();
  };
  hold(askedAt);
  renewLater();
  call.cancel = cancel;
  (call.endings ??= []).push(() => {
    end();
    return giveBack(store, lease);
  });
}

function lostError(call: Call): ToolError {
  return callError(
    call,
    { code: "UNKNOWN.INTERNAL", reason: "lease-lost" },
    `\`${call.toolId}\` was ended: it runs one call at a time, and could not keep its turn`,
  );
}

/** What can't be given back ends by itself. */
function giveBack(store: GovernanceStore, lease: Lease): undefined | Promise<void> {
  try {
    const given = store.unlease(lease);
    return given instanceof Promise ? given.catch(() => {}) : undefined;
  } catch {
    return undefined;
  }
}
