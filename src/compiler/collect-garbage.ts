import { getHeapStatistics, setFlagsFromString } from "node:v8";
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

/** Size of the heap up to which V8 alone decides, in bytes. */
const smallHeap = 256 * 1024 * 1024;

/**
 * Returns a function to call between parts of the work. It collects garbage when the heap is large
 * and has grown by half, because V8 would wait until most of the heap is garbage.
 */
export function garbageWatch(): () => void {
  const used = (): number => getHeapStatistics().used_heap_size;
  let most = smallHeap;
  return () => {
    if (used() < most) return;
    collectGarbage();
    most = Math.max(smallHeap, 1.5 * used());
  };
}
