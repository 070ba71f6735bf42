/**
 * The stores of this process that hold connections. Whoever opens a store closes it. `shutdown`
 * closes the others, after all calls have ended.
 */
import { onShutdownLast } from "../../shutdown.js";
import type { GovernanceStore } from "./store.js";

const open = new Set<GovernanceStore>();

onShutdownLast(async () => {
  await Promise.all([...open].map((each) => each.close()));
});

/** Lets `shutdown` close the store, unless it was closed before. */
export function closedByShutdown(store: GovernanceStore): GovernanceStore {
  const close = store.close.bind(store);
  store.close = async () => {
    open.delete(store);
    await close();
  };
  open.add(store);
  return store;
}
