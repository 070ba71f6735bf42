/**
 * Calls that go on in the background. Hosts give up a request after a minute or a few, so a longer
 * call is answered with an id, and its caller asks for the end with further requests. Ids and ends
 * are in the memory of this process.
 */
import { onAborted } from "../../on-aborted.js";
import { type Owner, ownerDigest, randomId } from "../owner.js";
import { limitWaits, type WaitLimit } from "./limit-waits.js";
import { settledWithin } from "./settled-within.js";

/** Options of calls in the background. */
export interface BackgroundOptions {
  /** Time after which a call is answered with an id, in milliseconds. */
  readonly answerWithinMs: number;
  /** Maximum number of calls of one caller that go on or are kept; 100 by default. */
  readonly maxCalls?: number;
  /** Limits the waits of each owner; by default those for these calls alone. */
  readonly waits?: WaitLimit;
}

/** The end of a call, or the id of a call that goes on. */
export type CallAnswer<Value> =
  | { readonly state: "ended"; readonly value: Value }
  | { readonly state: "running"; readonly id: string };

/** `none`: the id is unknown, belongs to another caller, or its call ended too long ago. */
export type AwaitAnswer<Value> = CallAnswer<Value> | { readonly state: "none" };

/** Limits of waiting for the end of a call. */
export interface AwaitOptions {
  /** Time to wait, in milliseconds; at most 25,000, which is the default. 0 waits for nothing. */
  readonly withinMs?: number;
  /** Ends the waiting early. */
  readonly signal?: AbortSignal | undefined;
}

/** Calls that are answered in time, and may go on after that. */
export interface BackgroundCalls<Value> {
  /**
   * Runs a call. If the call has not ended in time, the answer is an id, and the call goes on. The
   * call is waited for without a limit instead if its caller has too many calls that go on or are
   * kept, if nobody waits for the answer any more, or while the server closes. At that time the
   * call may have changed something, so refusing it would lose its end.
   *
   * @param call gets a signal that ends it: by `signal` until the answer, by `cancel` after that
   * @param signal signal of the request
   * @throws the error of the call, if the call fails in time
   */
  run(
    owner: Owner,
    call: (signal: AbortSignal) => Promise<Value>,
    signal?: AbortSignal,
  ): Promise<CallAnswer<Value>>;
  /**
   * Waits for the end of a call. The end can be read again for 15 minutes. A caller that already
   * waits four times gets the present state at once.
   *
   * @throws the error of the call, if it failed
   */
  awaitEnd(owner: Owner, id: string, options?: AwaitOptions): Promise<AwaitAnswer<Value>>;
  /**
   * Aborts a call that goes on. `awaitEnd` then returns its end.
   *
   * @returns `ended` if there is nothing left to abort; `none` as `awaitEnd` does
   */
  cancel(owner: Owner, id: string): "aborted" | "ended" | "none";
  /**
   * Waits until all calls have ended. Calls that run meanwhile are answered with their end. At the
   * deadline it aborts the calls that still go on.
   *
   * @param deadlineMs maximum time to wait, in milliseconds
   */
  close(deadlineMs: number): Promise<void>;
}

/** Time for which the end of a call can be read, in milliseconds. */
const keptMs = 15 * 60_000;
/** Maximum time of one wait, in milliseconds. */
const maxAwaitMs = 25_000;
const usualMaxCalls = 100;
/** Maximum number of calls of all callers that go on or are kept. */
const maxAllCalls = 10_000;

interface Call<Value> {
  readonly controller: AbortController;
  readonly end: Promise<Value>;
  isEnded: boolean;
}

/** A call whose caller knows its id. */
interface KnownCall<Value> {
  readonly owner: string;
  readonly call: Call<Value>;
  /** True once its caller got the end. */
  isRead: boolean;
}

interface State<Value> {
  readonly answerWithinMs: number;
  readonly maxCalls: number;
  /** Calls that have not ended. */
  readonly running: Set<Call<Value>>;
  /** Oldest first. */
  readonly known: Map<string, KnownCall<Value>>;
  readonly waits: WaitLimit;
  isClosing: boolean;
}

/** Makes a place for calls in the background. */
export function createBackgroundCalls<Value>({
  answerWithinMs,
  maxCalls = usualMaxCalls,
  waits = limitWaits(),
}: BackgroundOptions): BackgroundCalls<Value> {
  const state: State<Value> = {
    answerWithinMs,
    maxCalls,
    running: new Set(),
    known: new Map(),
    waits,
    isClosing: false,
  };
  return {
    run: (owner, call, signal) => runCall(state, ownerDigest(owner), call, signal),
    awaitEnd: (owner, id, options) => awaitEnd(state, ownerDigest(owner), id, options),
    cancel: (owner, id) => cancelCall(knownCall(state, ownerDigest(owner), id)?.call),
    close: (deadlineMs) => closeCalls(state, deadlineMs),
  };
}

async function runCall<Value>(
  state: State<Value>,
  owner: string,
  work: (signal: AbortSignal) => Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<CallAnswer<Value>> {
  const controller = new AbortController();
  if (signal?.aborted === true) controller.abort(signal.reason);
  const unlink = signal && onAborted(signal, () => controller.abort(signal.reason));
  try {
    const call = startCall(state, controller, work);
    await settledWithin(call.end, state.answerWithinMs);
    const isOver = call.isEnded || signal?.aborted === true || state.isClosing;
    if (isOver || !makeRoom(state, owner)) return { state: "ended", value: await call.end };
    return { state: "running", id: keepCall(state, owner, call) };
  } finally {
    unlink?.();
  }
}

function startCall<Value>(
  { running }: State<Value>,
  controller: AbortController,
  work: (signal: AbortSignal) => Promise<Value>,
): Call<Value> {
  const end = (async () => work(controller.signal))();
  const call: Call<Value> = { controller, end, isEnded: false };
  const ended = (): void => {
    call.isEnded = true;
    running.delete(call);
  };
  running.add(call);
  end.then(ended, ended);
  return call;
}

/** Returns whether the owner may have one more known call. Ends that were read make room. */
function makeRoom<Value>({ known, maxCalls }: State<Value>, owner: string): boolean {
  const own = [...known].filter(([, each]) => each.owner === owner);
  if (own.length < maxCalls && known.size < maxAllCalls) return true;
  const read = own.find(([, { call, isRead }]) => call.isEnded && isRead);
  return read !== undefined && known.delete(read[0]);
}

function keepCall<Value>({ known }: State<Value>, owner: string, call: Call<Value>): string {
  const id = randomId();
  known.set(id, { owner, call, isRead: false });
  const forgetLater = (): void => void setTimeout(() => known.delete(id), keptMs).unref();
  call.end.then(forgetLater, forgetLater);
  return id;
}

function knownCall<Value>(
  { known }: State<Value>,
  owner: string,
  id: string,
): KnownCall<Value> | undefined {
  const found = known.get(id);
  return found?.owner === owner ? found : undefined;
}

async function awaitEnd<Value>(
  state: State<Value>,
  owner: string,
  id: string,
  { signal, withinMs = maxAwaitMs }: AwaitOptions = {},
): Promise<AwaitAnswer<Value>> {
  const found = knownCall(state, owner, id);
  if (found === undefined) return { state: "none" };
  const { call } = found;
  const ms = Math.min(withinMs, maxAwaitMs);
  if (!call.isEnded && ms > 0) await state.waits(owner, () => settledWithin(call.end, ms, signal));
  if (!call.isEnded) return { state: "running", id };
  found.isRead = true;
  return { state: "ended", value: await call.end };
}

/** Time for calls to end after they were aborted, in milliseconds. */
const abortedMs = 1000;

async function closeCalls<Value>(state: State<Value>, deadlineMs: number): Promise<void> {
  const { running } = state;
  state.isClosing = true;
  const allEnded = async (): Promise<void> => {
    while (running.size > 0) await Promise.allSettled([...running].map(({ end }) => end));
  };
  await settledWithin(allEnded(), deadlineMs);
  for (const { controller } of running) controller.abort();
  await settledWithin(allEnded(), abortedMs);
}

function cancelCall(call: Call<unknown> | undefined): "aborted" | "ended" | "none" {
  if (call === undefined) return "none";
  if (call.isEnded) return "ended";
  call.controller.abort();
  return "aborted";
}
