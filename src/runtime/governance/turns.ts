/**
 * Runs calls of a serial tool one at a time for each tenant, by a lease that is renewed while the
 * call runs.
 */
import type { Call, Cancel } from "../call/call.js";
import { abortedError, callError } from "../call/call-error.js";
import { pause } from "../call/retry.js";
import { askStore, decisionOf, type Governor, quietly, whenKnown } from "./governor.js";
import type { ToolError } from "../errors.js";
import { onAborted } from "../on-aborted.js";
import type { GovernanceStore, Lease, MaybePromise } from "./store/store.js";

/** Lifetime of a lease that is not renewed, in milliseconds. */
const leaseMs = 10_000;
/**
 * Time before the end of the lease at which the call is ended, in milliseconds, so that the request
 * it sent can end too.
 */
const marginMs = leaseMs / 4;
/** Interval of renewals, and delay after a failed one, in milliseconds. */
const renewMs = leaseMs / 4;
const renewAgainMs = 500;
const firstLookMs = 5;
const longestLookMs = 100;

/**
 * Waits for the call's lease, and renews it until the call ends. A call that loses its lease is
 * ended before the next one may begin. Calls of one process form a queue; only its first call asks
 * the store, which has a line for the processes.
 *
 * @param longestMs maximum time to wait, in milliseconds
 * @throws ToolError if the wait takes longer, or the caller aborts
 */
export function holdTurn(
  governor: Governor,
  call: Call,
  longestMs: number,
): undefined | Promise<void> {
  const waitsUntil = performance.now() + longestMs;
  const place = standInLine(governor.store, nameOf(call));
  // Endings run in reverse order, so the lease is returned before the call leaves the queue.
  (call.endings ??= []).push(() => place.leave());
  if (!place.isFirst()) return awaitPlace(governor, call, place, waitsUntil);
  return takeTurn(governor, call, waitsUntil);
}

async function awaitPlace(
  governor: Governor,
  call: Call,
  place: QueueEntry,
  waitsUntil: number,
): Promise<void> {
  const { signal } = call.options;
  await untilFirst(place, waitsUntil - performance.now(), signal);
  if (signal?.aborted) throw abortedError(call);
  if (!place.isFirst()) throw tooLong(call);
  await takeTurn(governor, call, waitsUntil);
}

function takeTurn(governor: Governor, call: Call, waitsUntil: number): undefined | Promise<void> {
  return whenKnown(askForTurn(governor, call), (asked) =>
    asked.isOver ? undefined : awaitTurn(governor, call, asked, waitsUntil),
  );
}

/** Place of a call in this process's queue for a lease. */
interface QueueEntry {
  isFirst(): boolean;
  /** Called when the call becomes the first in the queue. */
  wake: () => void;
  leave(): undefined;
}

const lines = new WeakMap<GovernanceStore, Map<string, Set<QueueEntry>>>();

function standInLine(store: GovernanceStore, name: string): QueueEntry {
  let ofStore = lines.get(store);
  if (ofStore === undefined) lines.set(store, (ofStore = new Map()));
  const line = ofStore.get(name) ?? new Set<QueueEntry>();
  ofStore.set(name, line);
  const first = () => line.values().next().value;
  const place: QueueEntry = {
    isFirst: () => first() === place,
    wake: () => {},
    leave() {
      const wasFirst = place.isFirst();
      line.delete(place);
      if (line.size === 0) ofStore.delete(name);
      else if (wasFirst) first()?.wake();
    },
  };
  line.add(place);
  return place;
}

/** Waits until the call is first, the time is over, or the caller aborts. */
function untilFirst(place: QueueEntry, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      stopListening?.();
      resolve();
    };
    const timer = setTimeout(end, ms);
    const stopListening = signal && onAborted(signal, end);
    place.wake = end;
    if (signal?.aborted) end();
  });
}

async function awaitTurn(
  governor: Governor,
  call: Call,
  first: TurnAnswer,
  waitsUntil: number,
): Promise<void> {
  let asked = first;
  for (let wait = firstLookMs; !asked.isOver; wait = Math.min(2 * wait, longestLookMs)) {
    if (performance.now() > waitsUntil) {
      await giveUp(governor, call, asked);
      throw tooLong(call);
    }
    try {
      await pause(wait, call.options.signal);
    } catch {
      await giveUp(governor, call, asked);
      throw abortedError(call);
    }
    asked = await askForTurn(governor, call);
  }
}

/** Leaves the line, so that later calls need not wait for this one. */
async function giveUp({ store }: Governor, call: Call, { late }: TurnAnswer): Promise<void> {
  if (late !== undefined) await quietly(() => store.unlease(late));
  await quietly(() => store.leaveLine(nameOf(call), call.id));
}

function tooLong(call: Call): ToolError {
  return callError(
    call,
    { code: "QUOTA.RATE_LIMITED", budget: `serial ${call.toolId}` },
    `\`${call.toolId}\` runs one call at a time, and the calls before this one take too long`,
  );
}

function nameOf({ caller, toolId }: Call): string {
  return JSON.stringify([caller?.tenant ?? null, toolId]);
}

/** Result of asking for a lease once. */
interface TurnAnswer {
  /** True if the call has its lease, or goes on without one. */
  readonly isOver: boolean;
  /** A lease that arrived late and has nearly expired. The same holder may ask again. */
  readonly late?: Lease;
}

function askForTurn(governor: Governor, call: Call): MaybePromise<TurnAnswer> {
  const name = nameOf(call);
  const askedAt = performance.now();
  const answer = askStore(
    governor,
    call,
    (store) => whenKnown(store.lease(name, call.id, leaseMs), (lease) => ({ lease })),
    ({ lease }, store) => (lease ? store.unlease(lease) : store.leaveLine(name, call.id)),
  );
  return whenKnown(answer, (known): TurnAnswer => {
    // A read that goes on without the store goes on without a lease.
    if (known === undefined) return { isOver: true };
    const { lease } = known;
    if (lease === undefined) return { isOver: false };
    if (performance.now() - askedAt >= marginMs) return { isOver: false, late: lease };
    keepTurn(governor, call, lease, askedAt);
    return { isOver: true };
  });
}

/**
 * Renews the lease until the call ends.
 *
 * @param askedAt time before the request for the lease, by `performance.now()`, so that the lease
 * ends here before it ends in the store
 */
function keepTurn({ store }: Governor, call: Call, lease: Lease, askedAt: number): void {
  let endsAt = askedAt + leaseMs - marginMs;
  let lost: ToolError | undefined;
  let isOver = false;
  let renewal: NodeJS.Timeout | undefined;
  let ending: NodeJS.Timeout | undefined;
  const cancel: Cancel = {
    // Timers fire late in a busy or suspended process, so check the time before each send.
    get error() {
      if (performance.now() >= endsAt) lost ??= lostError(call);
      return lost;
    },
    listener: undefined,
  };
  const lose = (): void => {
    lost ??= lostError(call);
    cancel.listener?.(lost);
  };
  // When the lease is over, another call may have begun. Dropping an answer that has already
  // arrived would not help, so read it first.
  const end = (): void => {
    if (performance.now() < endsAt + marginMs) return lose();
    setImmediate(() => {
      // A renewal may have succeeded in the same turn of the event loop.
      if (!isOver && performance.now() >= endsAt) lose();
    });
  };
  const renew = async (): Promise<void> => {
    const began = performance.now();
    // The process was busy, and the timer of the renewal fired after the lease had ended.
    if (began >= endsAt) return end();
    // Most calls end before the first renewal, so create the second timer only now.
    endInTime();
    let again = renewMs;
    try {
      const isKept = await store.renew(lease, leaseMs);
      if (isOver) return;
      if (!isKept) return lose();
      endsAt = began + leaseMs - marginMs;
      endInTime();
    } catch {
      // Try again while the lease lasts.
      again = renewAgainMs;
    }
    if (!isOver && lost === undefined) renewIn(again);
  };
  const renewIn = (ms: number): void => {
    renewal = setTimeout(() => void renew(), ms).unref();
  };
  // Ends the call at the end of the lease, even while a renewal is in progress.
  const endInTime = (): void => {
    clearTimeout(ending);
    ending = setTimeout(end, endsAt - performance.now()).unref();
  };
  renewIn(renewMs);
  call.cancel = cancel;
  (call.endings ??= []).push(() => {
    isOver = true;
    clearTimeout(renewal);
    clearTimeout(ending);
    if (lost !== undefined || performance.now() >= endsAt + marginMs)
      decisionOf(call).turn = "lease-lost";
    // A call that was cut off may still run at the target. Keep the lease, so that others wait
    // until it expires.
    return lost === undefined ? quietly(() => store.unlease(lease)) : undefined;
  });
}

function lostError(call: Call): ToolError {
  return callError(
    call,
    { code: "UNKNOWN.INTERNAL", reason: "lease-lost" },
    `\`${call.toolId}\` was aborted: it runs one call at a time, and this call lost its turn`,
  );
}
