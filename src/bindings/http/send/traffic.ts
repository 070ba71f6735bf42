import type { IncomingHttpHeaders } from "node:http";
import type { Leave } from "../../../runtime/http/origin-traffic.js";
import { trafficOf } from "../../../runtime/http/traffic.js";
import type { Attempt } from "../../../runtime/executor.js";

/**
 * A place among the requests to an origin, where something limits those.
 *
 * @param signal ends the wait, where that is not the attempt's
 */
export function placeFor(
  origin: string,
  attempt: Attempt,
  signal?: AbortSignal,
): undefined | Promise<Leave> {
  const { runtime } = attempt;
  if (runtime === undefined) return undefined;
  return trafficOf(runtime).enter(origin, () => ({
    remainingMs: attempt.remainingMs,
    signal: signal ?? attempt.signal,
  }));
}

/** Heeds what an answer asks all callers for. */
export function heard(
  origin: string,
  status: number,
  headers: IncomingHttpHeaders,
  { runtime }: Attempt,
): void {
  if (runtime !== undefined) trafficOf(runtime).heard(origin, status, headers);
}
