/** Milliseconds. */
export interface LatencySummary {
  /** Calls that were measured. */
  readonly calls: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

/** How many calls took how long. Bounds grow by a constant factor: a tail of seconds and a body of milliseconds both show. */
export interface LatencyHistogram {
  /** Milliseconds; one more than there are buckets; empty without calls. */
  readonly bounds: readonly number[];
  readonly shadow: readonly number[];
  readonly active: readonly number[];
}

/** Quantiles by nearest rank; null of nothing. */
export function summarizeLatency(durations: readonly number[]): LatencySummary | null {
  if (durations.length === 0) return null;
  const sorted = Float64Array.from(durations).toSorted();
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
  return { calls: sorted.length, p50: at(0.5), p95: at(0.95), max: at(1) };
}

const buckets = 24;
/** Differences below this are noise. In milliseconds. */
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
  // All alike: one bucket around them reads better than 24 of no width.
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
