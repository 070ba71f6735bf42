const day = 86_400_000;

/** The start of a bucket, as exact as its width calls for. UTC. */
export function timeLabel(ms: number, bucketMs: number): string {
  const date = new Date(ms);
  // Beyond the years that `Date` knows.
  if (Number.isNaN(date.getTime())) return "";
  const iso = date.toISOString();
  const clock = bucketMs < 60_000 ? iso.slice(11, 19) : iso.slice(11, 16);
  if (bucketMs >= day) return iso.slice(0, 10);
  return `${iso.slice(5, 10)} ${clock}`;
}
