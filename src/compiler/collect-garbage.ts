import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Runs V8's garbage collector. By default V8 waits until the heap has doubled. A thread that only
 * waits for another one frees memory for the other.
 */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  // The flag applies to contexts that are created after it was set.
  const collect: unknown = runInNewContext("globalThis.gc");
  if (typeof collect === "function") collect();
}
