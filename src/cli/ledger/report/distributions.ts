/** Durations of calls, in milliseconds. */
export interface LatencySummary {
  /** Number of measured calls. */
  readonly calls: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

/**
 * Number of calls by duration. Bounds grow by a constant factor, so that a tail of seconds and a
 * body of milliseconds are both visible.
 */
export interface LatencyHistogram {
  /** Bounds of the buckets, in milliseconds. One more than buckets; empty without calls. */
  readonly bounds: readonly number[];
  readonly shadow: readonly number[];
  readonly active: readonly number[];
}

/** Quantiles by nearest rank; null for an empty list. */
export function summarizeLatency(durations: readonly number[]): LatencySummary | null {
  if (durations.length === 0) return null;
  const sorted = Float64Array.from(durations).toSorted();
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
  return { calls: sorted.length, p50: at(0.5), p95: at(0.95), max: at(1) };
}

const buckets = 24;
/** Minimum duration in milliseconds. Smaller differences are noise. */
const smallestMs = 0.01;

export function histogramOf(
  shadow: readonly number[],
  active: readonly number[],
): LatencyHistogram {
  if (shadow.length + active.length === 0) return { bounds: [], shadow: [], active: [] };
  let low = Number.POSITIVE_INFINITY;
  let high = smallestMs;
  for (const side of [shadow, active]) {
    for (const each of side) {
      low = Math.min(low, Math.max(each, smallestMs));
      high = Math.max(high, each);
    }
  }
  // If all durations are equal, one bucket around them reads better than 24 of no width.
  const factor = Math.max((high / low) ** (1 / buckets), 1.001);
  const bounds = Array.from({ length: buckets + 1 }, (_, index) => low * factor ** index);
  const bucketOf = (ms: number) => {
    const index = Math.floor(Math.log(Math.max(ms, smallestMs) / low) / Math.log(factor));
    return Math.min(buckets - 1, Math.max(0, index));
  };
  return { bounds, shadow: countInto(shadow, bucketOf), active: countInto(active, bucketOf) };
}

function countInto(
  durations: readonly number[],
  bucketOf: (ms: number) => number,
): readonly number[] {
  const counts = Array.from({ length: buckets }, () => 0);
  for (const each of durations) counts[bucketOf(each)] = (counts[bucketOf(each)] ?? 0) + 1;
  return counts;
}

/** Number of calls over time. */
export interface Timeline {
  /** Start of the first bucket in ISO 8601; null without calls. */
  readonly from: string | null;
  readonly bucketMs: number;
  readonly shadow: readonly number[];
  readonly active: readonly number[];
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** Widths of intervals that people use, in milliseconds. */
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
const maxBuckets = 60;

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
  // The plot must also work for a ledger whose clock was once set to the year 1.
  const bucketMs =
    widths.find((width) => (last - first) / width < maxBuckets - 1) ??
    (last - first) / (maxBuckets - 2);
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
