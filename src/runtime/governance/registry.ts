/**
 * What is known of tools beside their policy: that they are there, and which of them somebody has
 * paused.
 */
import { tellEvent } from "../call/steps/announce.js";
import { ownCaller } from "../caller.js";
import { envelope, type EventSink } from "./events.js";
import { whenKnown } from "./governor.js";
import type { ProjectPolicy } from "./policy.js";
import type { GovernanceStore, StateChange, ToolState } from "./store/store.js";

/**
 * Sets the state of a tool, for all processes that share the store: each sees it within a second.
 *
 * @throws TypeError for a tool that the policy doesn't know, for a tenant that no caller can have, and
 *   for exceptions to one tenant's state
 */
export async function setToolState(
  { policy, store, tell }: Registry,
  tool: string,
  state: ToolState,
  { because, by, exceptTenants, tenant }: StateChange,
): Promise<void> {
  if (!Object.hasOwn(policy.tools, tool)) throw new TypeError(`there is no tool \`${tool}\``);
  if (tenant !== undefined && exceptTenants !== undefined)
    throw new TypeError("`exceptTenants` is for a change for every tenant: leave out `tenant`");
  // A state of a tenant that no caller can have would stop nobody.
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
  const told = { ...of, ...(exceptTenants !== undefined && { except_tenants: exceptTenants }) };
  tellEvent(tell, { type: "ToolStateChanged", ...envelope(tool, policy.hash), ...told, state, by });
}

export interface Registry {
  readonly policy: ProjectPolicy;
  readonly store: GovernanceStore;
  readonly tell: EventSink | undefined;
}

/** How long a store that could not be asked is left alone, in milliseconds. */
const retryMs = 1000;

/**
 * What tells the store which tools there are, in which version, and whoever listens what is new. To
 * be called with each call, which never waits for it: it works in the background until it has come
 * through once. Where the store can't be asked it tries again with a later call.
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
