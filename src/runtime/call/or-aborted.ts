import { onAborted } from "../on-aborted.js";
import { abortedError } from "./call-error.js";
import type { Call } from "./call.js";

/**
 * What a step waits for, or the end of the call when its caller aborts first.
 *
 * @param late takes what comes after that, so that it can be given back
 * @throws ToolError when the caller has aborted
 */
export function orAborted<Value>(
  call: Call,
  waiting: Promise<Value>,
  late: (value: Value) => void = () => {},
): Promise<Value> {
  const { signal } = call.options;
  if (signal == null) return waiting;
  return new Promise((resolve, reject) => {
    let isOver = false;
    const abort = (): void => {
      isOver = true;
      reject(abortedError(call));
    };
    if (signal.aborted) abort();
    const stopListening = onAborted(signal, abort);
    const settle = async (): Promise<void> => {
      try {
        const value = await waiting;
        if (isOver) late(value);
        else resolve(value);
      } catch (cause) {
        reject(cause);
      } finally {
        stopListening();
      }
    };
    void settle();
  });
}
