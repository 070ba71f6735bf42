/** Maximum delay that is passed on: one day. Beyond it, the exact value makes no difference. */
const longestMs = 86_400_000;

/** The form of dates that senders must use (RFC 9110, 5.6.7). */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Returns the delay that a server asks for, in milliseconds; undefined if it asks for none or the
 * value can't be parsed (RFC 9110, 10.2.3). Use it as `retry.afterMs` of an `AttemptOutcome`.
 *
 * @param header value of `Retry-After`
 * @param now milliseconds since 1970
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const ms = /^\d+$/.test(text)
    ? Number(text) * 1000
    : httpDate.test(text)
      ? Date.parse(text) - now
      : Number.NaN;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), longestMs);
}
