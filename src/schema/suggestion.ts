import { closest, distance } from "fastest-levenshtein";

/** `did you mean …` for a name that is nearly one of those that exist. */
export function didYouMean(written: string, names: readonly string[]): string | undefined {
  if (names.length === 0 || written.length > 100) return undefined;
  const differsByCase = names.find((name) => name.toLowerCase() === written.toLowerCase());
  const nearest = differsByCase ?? closest(written, names);
  const near =
    differsByCase !== undefined ||
    distance(written, nearest) <= Math.max(1, Math.floor(written.length / 3));
  return near ? `did you mean \`${nearest}\`?` : undefined;
}
