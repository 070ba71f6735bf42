import type { Count } from "./count.js";

/** Number of occurrences of each text. */
export function timesOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1);
  return times;
}

/** The same numbers as counts, sorted by name. */
export function groups(names: readonly string[]): readonly Count[] {
  return [...timesOf(names)]
    .map(([what, count]) => ({ what, count }))
    .toSorted((a, b) => (a.what < b.what ? -1 : 1));
}
