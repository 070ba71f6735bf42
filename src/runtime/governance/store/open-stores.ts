/**
 * The stores of this process that hold connections. One is closed by whoever opened it; `shutdown`
 * closes those that nobody has closed by then, when no call is under way any more.
 */
import { onShutdownLast } from "../../shutdown.js";
import type { GovernanceStore } from "./store.js";

const open = new Set<GovernanceStore>();

onShutdownLast(async () => {
  await Promise.all([...open].map((each) => each.close()));
});

/** The same store, which `shutdown` closes unless somebody did before. */
export function closedByShutdown(store: GovernanceStore): GovernanceStore {
  const close = store.close.bind(store);
  store.close = async () => {
    open.delete(store);
    await close();
  };
  open.add(store);
  return store;
}
