import type { Call } from "../call/call.js";
import { askStore, type Governor, whenKnown } from "./governor.js";
import { isInProcess } from "./store/in-process.js";
import type { GovernanceStore, ToolStateChange } from "./store/store.js";

/**
 * Maximum age of known states, in milliseconds. A change by another process is seen within twice
 * this time.
 */
const freshMs = 400;

/** The states of tools, read again from the store when they are old. */
export interface ToolStates {
  /** Reads the states if they are old. Returns a promise if the store is asynchronous. */
  fresh(call: Call): undefined | Promise<void>;
  /** Reads the states outside of a call. If the store can't be reached, the earlier states stay. */
  refresh(): Promise<void>;
  /** Returns the state that counts for the tenant; undefined for `enabled`, if nobody set it. */
  of(toolId: string, tenant: string | undefined): CountingState | undefined;
}

/** A state that was set in the store, or the one that the tool's skill declares. */
export type CountingState = Pick<ToolStateChange, "because" | "state">;

const declaredPause: CountingState = {
  state: "paused",
  because: "its skill declares it, and nobody has enabled it",
};

export function createToolStates(governor: Governor): ToolStates {
  let known = new Map<string, ToolStateChange>();
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<readonly ToolStateChange[]> | undefined;
  const { tools } = governor.policy;
  const isPaused = (id: string): boolean =>
    Object.hasOwn(tools, id) && tools[id]?.state === "paused";
  /** Calls that arrive during a request to the store share its answer. */
  const ask = (store: GovernanceStore) => {
    if (asking !== undefined) return asking;
    const states = store.states();
    if (!(states instanceof Promise)) return states;
    asking = states.finally(() => (asking = undefined));
    return asking;
  };
  // Reading states from memory is cheaper than caching them.
  const isFresh = (now: number) => !isInProcess(governor.store) && now - askedAt < freshMs;
  const keep = (states: readonly ToolStateChange[], now: number): void => {
    askedAt = now;
    if (states.length > 0 || known.size > 0)
      known = new Map(states.map((each) => [keyOf(each.tool, each.tenant), each]));
  };
  return {
    fresh(call) {
      const now = performance.now();
      if (isFresh(now)) return undefined;
      return whenKnown(askStore(governor, call, ask), (states) => {
        if (states !== undefined) keep(states, now);
        return undefined;
      });
    },
    async refresh() {
      const now = performance.now();
      if (isFresh(now)) return;
      try {
        keep(await ask(governor.store), now);
      } catch {
        // See above.
      }
    },
    of(toolId, tenant) {
      const ofAll = known.get(keyOf(toolId, undefined));
      const set =
        tenant === undefined
          ? ofAll
          : countingState(tenant, ofAll, known.get(keyOf(toolId, tenant)));
      return set ?? (isPaused(toolId) ? declaredPause : undefined);
    },
  };
}

/**
 * Returns the state that counts for a tenant. `paused` for every tenant overrides the tenant's own
 * state, unless it excludes the tenant. Otherwise the tenant's own state comes first.
 */
export function countingState(
  tenant: string,
  ofAll: ToolStateChange | undefined,
  own: ToolStateChange | undefined,
): ToolStateChange | undefined {
  if (ofAll?.exceptTenants?.includes(tenant)) return own;
  return ofAll?.state === "paused" ? ofAll : (own ?? ofAll);
}

function keyOf(tool: string, tenant: string | undefined): string {
  return tenant === undefined ? tool : `${tool} ${tenant}`;
}
