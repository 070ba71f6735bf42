/**
 * Calls of a serial tool, one at a time for each tenant: a lease that is renewed while the call
 * runs.
 */
import type { Call, Cancel } from "../call/call.js";
import { abortedError, callError } from "../call/call-error.js";
import { pause } from "../call/retry.js";
import { askStore, decisionOf, type Governor, quietly, whenKnown } from "./governor.js";
import type { ToolError } from "../errors.js";
import { onAborted } from "../on-aborted.js";
import type { GovernanceStore, Lease, MaybePromise } from "./store/store.js";

/** A holder of which nothing is heard loses its turn after that, in milliseconds. */
const leaseMs = 10_000;
/** How long before that the call is ended: what it has sent then has time to end, too. */
const marginMs = leaseMs / 4;
/** How often it says that it is still there, and how soon again when that failed. */
const renewMs = leaseMs / 4;
const renewAgainMs = 500;
const firstLookMs = 5;
const longestLookMs = 100;

/**
 * Waits for the call's turn, and keeps it until the call has ended. A call that can't keep it is
 * ended before the next one may begin. Calls of one process wait for each other, and the first of
 * them asks the store, where those of several processes are in line.
 *
 * @param longestMs how long it waits
 * @throws ToolError when it waits for longer, or its caller aborts
 */
export function holdTurn(
  governor: Governor,
  call: Call,
  longestMs: number,
): undefined | Promise<void> {
  const waitsUntil = performance.now() + longestMs;
  const place = standInLine(governor.store, nameOf(call));
  // Behind what gives the lease back: endings that joined later go first.
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

/** The place of a call among those of this process that want the same turn. */
interface QueueEntry {
  isFirst(): boolean;
  /** Called when it has become the first. */
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

/** Until the place is the first, the time is over, or the caller aborts. */
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

/** Those in line behind the call wait for it no longer. */
async function giveUp({ store }: Governor, call: Call, { late }: TurnAnswer): Promise<void> {
  if (late !== undefined) await quietly(() => store.unlease(late));
  await quietly(() => store.leaveLine(nameOf(call), call.id));
}

function tooLong(call: Call): ToolError {
  return callError(
    call,
    { code: "QUOTA.RATE_LIMITED", budget: `serial ${call.toolId}` },
    `\`${call.toolId}\` runs one call at a time, and those before this one take too long`,
  );
}

function nameOf({ caller, toolId }: Call): string {
  return JSON.stringify([caller?.tenant ?? null, toolId]);
}

/** What came of asking for a turn once. */
interface TurnAnswer {
  /** The call has its turn, or goes on without. */
  readonly isOver: boolean;
  /** A lease that came late: hardly worth anything, and the same holder may ask for it again. */
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
    // A read that goes on without its store goes on without a turn.
    if (known === undefined) return { isOver: true };
    const { lease } = known;
    if (lease === undefined) return { isOver: false };
    if (performance.now() - askedAt >= marginMs) return { isOver: false, late: lease };
    keepTurn(governor, call, lease, askedAt);
    return { isOver: true };
  });
}

/**
 * @param askedAt by `performance.now()`: the lease is counted from before it was given, so that it
 *   ends here first
 */
function keepTurn({ store }: Governor, call: Call, lease: Lease, askedAt: number): void {
  let endsAt = askedAt + leaseMs - marginMs;
  let lost: ToolError | undefined;
  let isOver = false;
  let renewal: NodeJS.Timeout | undefined;
  let ending: NodeJS.Timeout | undefined;
  const cancel: Cancel = {
    // Timers come late in a process that was busy, or stood still: what is sent next looks itself.
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
  // Once the lease is over, another call may have begun. Dropping an answer that has already arrived
  // would not help, so it is read first.
  const end = (): void => {
    if (performance.now() < endsAt + marginMs) return lose();
    setImmediate(() => {
      // A renewal may have come in the same turn of the event loop.
      if (!isOver && performance.now() >= endsAt) lose();
    });
  };
  const renew = async (): Promise<void> => {
    const began = performance.now();
    // The process was busy: the renewal's timer fired after the lease had ended.
    if (began >= endsAt) return end();
    // Most calls have ended before their first renewal: no timer is made for their end.
    endInTime();
    let again = renewMs;
    try {
      const isKept = await store.renew(lease, leaseMs);
      if (isOver) return;
      if (!isKept) return lose();
      endsAt = began + leaseMs - marginMs;
      endInTime();
    } catch {
      // It may be tried again, as long as the lease holds.
      again = renewAgainMs;
    }
    if (!isOver && lost === undefined) renewIn(again);
  };
  const renewIn = (ms: number): void => {
    renewal = setTimeout(() => void renew(), ms).unref();
  };
  // Whatever becomes of a renewal that is under way.
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
    // What was cut off may still go on elsewhere: others have to wait until the lease ends.
    return lost === undefined ? quietly(() => store.unlease(lease)) : undefined;
  });
}

function lostError(call: Call): ToolError {
  return callError(
    call,
    { code: "UNKNOWN.INTERNAL", reason: "lease-lost" },
    `\`${call.toolId}\` was ended: it runs one call at a time, and could not keep its turn`,
  );
}
