import type { Call } from "../call/call.js";
import { askStore, type Governor, whenKnown } from "./governor.js";
import type { GovernanceStore, ToolStateChange } from "./store/store.js";

/** A state that another process has set is seen within twice that, in milliseconds. */
const freshMs = 400;

/** States of tools, as the store has them, asked for again when they are old. */
export interface ToolStates {
  /** A promise where the store has to be asked first. */
  fresh(call: Call): undefined | Promise<void>;
  /** The same for no call. A store that can't be asked is left: what was known before counts. */
  refresh(): Promise<void>;
  /** The state that counts for the tenant; undefined: nobody has set one, which is `enabled`. */
  of(toolId: string, tenant: string | undefined): ToolStateChange | undefined;
}

export function createToolStates(governor: Governor): ToolStates {
  let known = new Map<string, ToolStateChange>();
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<readonly ToolStateChange[]> | undefined;
  /** Of the calls that come meanwhile each waits for the same answer. */
  const ask = (store: GovernanceStore) => {
    if (asking !== undefined) return asking;
    const states = store.states();
    if (!(states instanceof Promise)) return states;
    asking = states.finally(() => (asking = undefined));
    return asking;
  };
  // States of a store in memory are asked for each time: that costs less than to remember them.
  const isFresh = (now: number) => governor.store.kind !== "memory" && now - askedAt < freshMs;
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
      if (tenant === undefined) return ofAll;
      return countingState(tenant, ofAll, known.get(keyOf(toolId, tenant)));
    },
  };
}

/**
 * The state that counts for a tenant. `paused` for every tenant goes before the tenant's own state,
 * unless it excepts the tenant; any other state for every tenant yields to it.
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
