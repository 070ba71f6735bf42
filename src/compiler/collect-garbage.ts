import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Has V8 give back what nothing refers to any longer. By itself it waits until the heap has doubled,
 * which is well while there is work to do. A thread that only waits for another one gives that one
 * room.
 */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  // The flag counts for contexts that are made after it was set.
  const collect: unknown = runInNewContext("globalThis.gc");
  if (typeof collect === "function") collect();
}
