interface Waiting {
  readonly listeners: Set<() => void>;
  readonly tellAll: () => void;
}

/**
 * The listeners of each signal. Many calls can share a signal, so this module adds only one
 * listener to it: Node warns about a leak from the eleventh listener on.
 */
const known = new WeakMap<AbortSignal, Waiting>();

/**
 * Calls the listener once when the signal aborts; never if the signal has already aborted.
 *
 * @returns a function that removes the listener
 */
export function onAborted(signal: AbortSignal, listener: () => void): () => void {
  const waiting = known.get(signal) ?? listenTo(signal);
  const { listeners, tellAll } = waiting;
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || known.get(signal) !== waiting) return;
    known.delete(signal);
    signal.removeEventListener("abort", tellAll);
  };
}

function listenTo(signal: AbortSignal): Waiting {
  const listeners = new Set<() => void>();
  const tellAll = (): void => {
    known.delete(signal);
    for (const each of listeners) {
      // A listener may have been removed by an earlier listener.
      if (listeners.delete(each)) each();
    }
  };
  const waiting = { listeners, tellAll };
  known.set(signal, waiting);
  signal.addEventListener("abort", tellAll, { once: true });
  return waiting;
}
