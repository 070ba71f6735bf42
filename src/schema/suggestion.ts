import { closest, distance } from "fastest-levenshtein";

/** `did you mean …` for a name that is nearly one of those that exist. */
export function didYouMean(written: string, names: readonly string[]): string | undefined {
  const near = nearestName(written, names);
  return near === undefined ? undefined : suggestion(near);
}

/**
 * The name that was probably meant.
 *
 * @param most how many characters may differ from a name
 */
export function nearestName(
  written: string,
  names: readonly string[],
  most: (name: string) => number = () => Math.max(1, Math.floor(written.length / 3)),
): string | undefined {
  const named = names.filter((name) => name !== "");
  if (named.length === 0 || written.length > 100) return undefined;
  const differsByCase = named.find((name) => name.toLowerCase() === written.toLowerCase());
  const nearest = differsByCase ?? closest(written, named);
  const near = differsByCase !== undefined || distance(written, nearest) <= most(nearest);
  return near ? nearest : undefined;
}

/** The words by which a name is suggested. */
export function suggestion(name: string): string {
  return `did you mean \`${name}\`?`;
}
