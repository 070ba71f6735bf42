import { listed, quote } from "../core/names.js";
import { closest, distance } from "fastest-levenshtein";

/** Suggests the existing name that is nearest: `did you mean …`. */
export function didYouMean(written: string, names: readonly string[]): string | undefined {
  const near = nearestName(written, names);
  return near === undefined ? undefined : suggestion(near);
}

/**
 * Suggests the nearest name, or else lists the existing names; only the first ones if there are
 * many. Undefined if there are no names.
 *
 * @param lead words before the list: `the tags are`
 */
export function didYouMeanOrListed(
  written: string,
  names: readonly string[],
  lead: string,
): string | undefined {
  const all = [...new Set(names)];
  return (
    didYouMean(written, all) ?? (all.length === 0 ? undefined : `${lead} ${listed(all.map(quote))}`)
  );
}

/**
 * Finds the name that the author probably meant.
 *
 * @param most maximum number of differing characters
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

/** Suggests a name: `did you mean …`. */
export function suggestion(name: string): string {
  return `did you mean \`${name}\`?`;
}
