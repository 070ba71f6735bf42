import { distance } from "fastest-levenshtein";

/**
 * Whether one character too many, too few or wrong, or two that changed places, is all that sets
 * two names apart.
 */
export function isOneSlipFrom(written: string, usual: string): boolean {
  const letters = (text: string) => [...text].toSorted().join("");
  const steps = distance(written, usual);
  return steps === 1 || (steps === 2 && letters(written) === letters(usual));
}
