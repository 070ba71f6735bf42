import { onAborted } from "../on-aborted.js";
import { abortedError } from "./call-error.js";
import type { Call } from "./call.js";

/**
 * Waits for a promise, or until the caller aborts.
 *
 * @param late receives a value that arrives after the abort, so that it can be returned
 * @throws ToolError if the caller aborts
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
