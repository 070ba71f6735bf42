/**
 * Retries ends of calls that a shared store could not be told. Otherwise the store would count a
 * slot or a key as in use long after the call ended. Each end names its call and does nothing if
 * another call has taken over, so that it may be sent twice.
 */
import type { GovernanceStore } from "./store.js";

type Tell = () => unknown;

/** Delay before the next try, in milliseconds. */
const retryMs = 1000;
/**
 * Maximum number of ends to retry. Beyond it the oldest are dropped: holds and leases expire by
 * themselves.
 */
const maxWaiting = 10_000;

class LateEnds {
  readonly #waiting = new Map<string, Tell>();
  #timer: NodeJS.Timeout | undefined;

  /** Sends an end. If that fails, it throws and retries later. */
  async now(id: string, tell: Tell): Promise<void> {
    try {
      await tell();
    } catch (error) {
      this.later(id, tell);
      throw error;
    }
  }

  later(id: string, tell: Tell): void {
    const [oldest] = this.#waiting.keys();
    if (oldest !== undefined && this.#waiting.size >= maxWaiting) this.#waiting.delete(oldest);
    this.#waiting.set(id, tell);
    this.#timer ??= setTimeout(() => void this.#again(), retryMs).unref();
  }

  async #again(): Promise<void> {
    await this.tellAll();
    this.#timer = undefined;
    if (this.#waiting.size > 0) this.#timer = setTimeout(() => void this.#again(), retryMs).unref();
  }

  /** Retries all ends, until one fails. */
  async tellAll(): Promise<void> {
    try {
      for (const [id, tell] of this.#waiting) {
        await tell();
        if (this.#waiting.get(id) === tell) this.#waiting.delete(id);
      }
    } catch {
      // Keep the others for the next try.
    }
  }

  async close(): Promise<void> {
    await this.tellAll();
    clearTimeout(this.#timer);
    this.#waiting.clear();
  }
}

/**
 * Wraps a store so that failed ends are retried. If the beginning of something fails, the store may
 * still have received it. The call is then not made, so its end is sent too.
 */
export function tellEndsLater(store: GovernanceStore): GovernanceStore {
  const ends = new LateEnds();
  return {
    kind: store.kind,
    get durable() {
      return store.durable;
    },
    register: (tools) => store.register(tools),
    states: () => store.states(),
    setState: (change) => store.setState(change),
    resetState: (tool, tenant) => store.resetState(tool, tenant),
    async take(uses, hold) {
      try {
        return await store.take(uses, hold);
      } catch (error) {
        ends.later(`take ${hold.callId}`, () => store.giveBack(uses, hold));
        throw error;
      }
    },
    peek: (uses) => store.peek(uses),
    add: (uses) => store.add(uses),
    giveBack: (uses, hold, time) =>
      ends.now(`take ${hold.callId}`, () => store.giveBack(uses, hold, time)),
    renewHold: (uses, hold) => store.renewHold(uses, hold),
    release: (uses, hold) => ends.now(`release ${hold.callId}`, () => store.release(uses, hold)),
    saveRequest: (request) => store.saveRequest(request),
    readRequest: (id) => store.readRequest(id),
    requests: (filter) => store.requests(filter),
    denyRequest: (id, decision) => store.denyRequest(id, decision),
    saveApproval: (approval) => store.saveApproval(approval),
    readApproval: (id) => store.readApproval(id),
    useApproval: (id, callId) => store.useApproval(id, callId),
    returnApproval: (id, callId) =>
      ends.now(`approval ${callId}`, () => store.returnApproval(id, callId)),
    async begin(call) {
      try {
        return await store.begin(call);
      } catch (error) {
        ends.later(`key ${call.callId}`, () => store.free(call.key, call.callId));
        throw error;
      }
    },
    finish: (key, callId, answer, ttlMs) =>
      ends.now(`key ${callId}`, () => store.finish(key, callId, answer, ttlMs)),
    free: (key, callId) => ends.now(`key ${callId}`, () => store.free(key, callId)),
    abandon: (key, callId) => ends.now(`key ${callId}`, () => store.abandon(key, callId)),
    lease: (name, holder, ttlMs) => store.lease(name, holder, ttlMs),
    renew: (lease, ttlMs) => store.renew(lease, ttlMs),
    unlease: (lease) => ends.now(`lease ${lease.holder}`, () => store.unlease(lease)),
    leaveLine: (name, holder) => store.leaveLine(name, holder),
    async close() {
      await ends.close();
      await store.close();
    },
  };
}
