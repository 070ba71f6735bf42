/** How many calls were made when. */
export interface Timeline {
  /** ISO 8601, the start of the first bucket; null without calls. */
  readonly from: string | null;
  readonly bucketMs: number;
  readonly shadow: readonly number[];
  readonly active: readonly number[];
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** Widths that a reader can name. In milliseconds. */
const widths = [
  1000,
  5000,
  15_000,
  minute,
  5 * minute,
  15 * minute,
  hour,
  3 * hour,
  6 * hour,
  day,
  7 * day,
  28 * day,
  364 * day,
];
const mostBuckets = 60;

export function timelineOf(shadow: readonly number[], active: readonly number[]): Timeline {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const side of [shadow, active]) {
    for (const each of side) {
      first = Math.min(first, each);
      last = Math.max(last, each);
    }
  }
  if (first > last) return { from: null, bucketMs: minute, shadow: [], active: [] };
  // A ledger whose clock was once set to the year 1 still gets its plot.
  const bucketMs =
    widths.find((width) => (last - first) / width < mostBuckets - 1) ??
    (last - first) / (mostBuckets - 2);
  const start = Math.floor(first / bucketMs) * bucketMs;
  const length = Math.floor((last - start) / bucketMs) + 1;
  const countOf = (times: readonly number[]) => {
    const counts = Array.from({ length }, () => 0);
    for (const each of times) {
      const index = Math.floor((each - start) / bucketMs);
      counts[index] = (counts[index] ?? 0) + 1;
    }
    return counts;
  };
  return {
    from: new Date(start).toISOString(),
    bucketMs,
    shadow: countOf(shadow),
    active: countOf(active),
  };
}
