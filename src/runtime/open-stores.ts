/**
 * The stores of this process that hold connections. Whoever opens a store closes it. `shutdown`
 * closes the others, after all calls have ended.
 */
import { onShutdownLast } from "./shutdown.js";

/** A store of governance or of runs. */
interface OpenStore {
  close(): Promise<void>;
}

const open = new Set<OpenStore>();

onShutdownLast(async () => {
  await Promise.all([...open].map((each) => each.close()));
});

/** Lets `shutdown` close the store, unless it was closed before. */
export function closedByShutdown<Store extends OpenStore>(store: Store): Store {
  const close = store.close.bind(store);
  store.close = async () => {
    open.delete(store);
    await close();
  };
  open.add(store);
  return store;
}
