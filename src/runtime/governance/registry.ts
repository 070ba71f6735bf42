/** Registers tools in the store, and sets their states. */
import { tellEvent } from "../call/steps/announce.js";
import { ownCaller } from "../caller.js";
import { envelope, type EventSink } from "./events.js";
import { whenKnown } from "./governor.js";
import type { ProjectPolicy } from "./policy.js";
import type { GovernanceStore, StateChange, ToolState } from "./store/store.js";

/**
 * Sets the state of a tool for all processes that share the store. They see it within a second.
 *
 * @throws TypeError if the policy doesn't know the tool, if a tenant's name is not valid, or if
 * `exceptTenants` is given together with `tenant`
 */
export async function setToolState(
  { policy, store, tell }: Registry,
  tool: string,
  state: ToolState,
  { because, by, exceptTenants, tenant }: StateChange,
): Promise<void> {
  if (!Object.hasOwn(policy.tools, tool)) throw new TypeError(`there is no tool \`${tool}\``);
  if (tenant !== undefined && exceptTenants !== undefined)
    throw new TypeError("`exceptTenants` applies to a change for every tenant: remove `tenant`");
  // A state for a tenant that no caller can have would have no effect.
  for (const each of [tenant, ...(exceptTenants ?? [])])
    if (each !== undefined) ownCaller({ tenant: each });
  const of = tenant === undefined ? {} : { tenant };
  await store.setState({
    tool,
    ...of,
    ...(exceptTenants !== undefined && { exceptTenants: [...exceptTenants] }),
    state,
    by,
    ...(because !== undefined && { because }),
  });
  if (tell === undefined) return;
  const scope = { ...of, ...(exceptTenants !== undefined && { except_tenants: exceptTenants }) };
  tellEvent(tell, {
    type: "ToolStateChanged",
    ...envelope(tool, policy.hash),
    ...scope,
    state,
    by,
  });
}

export interface Registry {
  readonly policy: ProjectPolicy;
  readonly store: GovernanceStore;
  readonly tell: EventSink | undefined;
}

/** Delay before the next try after the store could not be reached, in milliseconds. */
const retryMs = 1000;

/**
 * Returns a function that registers the tools in the store and announces new ones. Call it with
 * each call. It works in the background until it has succeeded once; if the store can't be reached,
 * a later call tries again.
 */
export function registration(registry: Registry): () => void {
  let isBegun = false;
  let triedAt = Number.NEGATIVE_INFINITY;
  const failed = (): void => {
    isBegun = false;
  };
  return () => {
    if (isBegun || performance.now() - triedAt < retryMs) return;
    isBegun = true;
    triedAt = performance.now();
    try {
      void registerTools(registry)?.catch(failed);
    } catch {
      failed();
    }
  };
}

function registerTools({ policy, store, tell }: Registry): undefined | Promise<void> {
  const tools = Object.entries(policy.tools).map(([tool, { manifest }]) => ({ tool, manifest }));
  return whenKnown(store.register(tools), (changes) => {
    for (const { before, manifest, tool } of changes) {
      const type = before === undefined ? "ToolRegistered" : "ToolUpdated";
      if (tell !== undefined)
        tellEvent(tell, { type, ...envelope(tool, policy.hash), manifest_hash: manifest });
    }
    return undefined;
  });
}
