/** Longest wish that is passed on: a day. Beyond that, the exact number makes no difference. */
const longestMs = 86_400_000;

/** RFC 9110, 5.6.7: the one form that senders may use. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * How long a server asks to be left alone, in milliseconds; undefined when it doesn't say, or not
 * in a form that can be read (RFC 9110, 10.2.3). What an `AttemptOutcome` takes as `retry.afterMs`.
 *
 * @param header `Retry-After`
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
