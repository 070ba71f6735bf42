/** Notices that somebody has paused, enabled or deprecated a tool, so that lists are out of date. */
import { InMemoryServerEventBus, type ServerEventBus } from "@modelcontextprotocol/server";
import type { Runtime } from "../runtime.js";

/** Calls functions after a change of tools. */
export interface ToolChanges {
  /**
   * Calls a function after each change.
   *
   * @returns a function that ends the watch
   */
  watch(changed: () => void): () => void;
}

/** Time between two looks at the states of tools, in milliseconds. */
const everyMs = 5000;

/** Looks at the states of tools in governance's store while somebody watches. */
export function toolChanges({ governance }: Pick<Runtime, "governance">): ToolChanges {
  const watchers = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  let seen: string | undefined;
  if (governance === undefined) return { watch: () => () => undefined };
  const look = async (): Promise<void> => {
    const states = JSON.stringify(await governance.store.states());
    const isChanged = seen !== undefined && states !== seen;
    seen = states;
    if (isChanged) for (const changed of watchers) changed();
  };
  // If the store can't be reached, the next look may find the change.
  const lookQuietly = (): void => void look().catch(() => undefined);
  return {
    watch(changed) {
      watchers.add(changed);
      if (timer === undefined) {
        lookQuietly();
        timer = setInterval(lookQuietly, everyMs).unref();
      }
      return () => {
        watchers.delete(changed);
        if (watchers.size > 0) return;
        clearInterval(timer);
        timer = undefined;
        seen = undefined;
      };
    },
  };
}

/** Makes the bus of subscriptions over HTTP, each of which watches the tools. */
export function changesBus(changes: ToolChanges): ServerEventBus {
  const bus = new InMemoryServerEventBus();
  return {
    publish: (event) => bus.publish(event),
    subscribe(listener) {
      const endWatch = changes.watch(() => listener({ kind: "tools_list_changed" }));
      const end = bus.subscribe(listener);
      return () => {
        endWatch();
        end();
      };
    },
  };
}
