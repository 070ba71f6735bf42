/** Calls the listener once: when the signal aborts, or at once if it has. */
export function whenAborted(signal: AbortSignal | undefined, listener: () => void): void {
  if (signal?.aborted === true) listener();
  else signal?.addEventListener("abort", listener, { once: true });
}
