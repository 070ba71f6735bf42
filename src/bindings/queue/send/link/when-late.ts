import type { Attempt } from "../../../../runtime/sink.js";
import { usableShare } from "../usable-share.js";

/**
 * Calls the listener when the share of the attempt's time is over that its means have to be there.
 *
 * @returns ends the wait
 */
export function whenLate({ remainingMs }: Attempt, listener: () => void): () => void {
  if (remainingMs === undefined) return () => {};
  const timer = setTimeout(listener, remainingMs * usableShare);
  return () => clearTimeout(timer);
}
