/** Form of a time on the command line, for messages. */
export const timeForm = "2025-01-31T12:00:00Z, or how long ago: 90s, 15m, 2h, 7d";

const units: { readonly [unit: string]: number } = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Reads a time of the command line: how long ago, or text that `Date` parses. */
export function timeOption(text: string): Date | string {
  const ago = /^(\d{1,9})([smhd])$/.exec(text);
  return ago?.[2] === undefined
    ? text
    : new Date(Date.now() - Number(ago[1]) * (units[ago[2]] ?? 0));
}
