/** Formats a duration: `0.42 ms`, `12.3 ms`, `345 ms`, `1.25 s`, `3 min 20 s`. */
export function formatMs(ms: number): string {
  if (ms < 1) return `${ms.toFixed(2)} ms`;
  if (ms < 100) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${ms.toFixed(0)} ms`;
  if (ms < 100_000) return `${(ms / 1000).toFixed(2)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** Formats a share: `42 %`, and `<1 %` for shares that would round to 0 %. */
export function formatShare(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 1) return "<1 %";
  if (percent > 99 && percent < 100) return ">99 %";
  return `${Math.round(percent)} %`;
}

/** Formats a count: `1,234 calls`. */
export function formatCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(count)} ${count === 1 ? noun : plural}`;
}

export function formatNumber(count: number): string {
  return count.toLocaleString("en-US");
}

/** Formats a time in UTC with seconds. Returns the text itself if it is no time. */
export function formatTime(time: string): string {
  const ms = Date.parse(time);
  if (Number.isNaN(ms)) return time;
  return new Date(ms).toISOString().slice(0, 19).replace("T", " ");
}
