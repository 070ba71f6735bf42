import type { IncomingHttpHeaders } from "node:http";
import type { Leave } from "../../../runtime/http/origin-traffic.js";
import { trafficOf } from "../../../runtime/http/traffic.js";
import type { Attempt } from "../../../runtime/executor.js";

/**
 * Waits for a turn among the requests to an origin, if their number is limited.
 *
 * @param signal ends the wait; the attempt's signal by default
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

/** Records a pause that a response demands of all callers. */
export function heard(
  origin: string,
  status: number,
  headers: IncomingHttpHeaders,
  { runtime }: Attempt,
): void {
  if (runtime !== undefined) trafficOf(runtime).heard(origin, status, headers);
}
