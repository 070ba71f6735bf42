interface Waiting {
  readonly listeners: Set<() => void>;
  readonly tellAll: () => void;
}

/**
 * Who waits for a signal. One that many calls share has one listener of ours: Node warns of a leak
 * from the eleventh on.
 */
const known = new WeakMap<AbortSignal, Waiting>();

/**
 * Calls the listener once, when the signal aborts; never for a signal that has aborted before.
 *
 * @returns stops listening
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
      // Whoever stops listening meanwhile is not told.
      if (listeners.delete(each)) each();
    }
  };
  const waiting = { listeners, tellAll };
  known.set(signal, waiting);
  signal.addEventListener("abort", tellAll, { once: true });
  return waiting;
}
