import { distance } from "fastest-levenshtein";

/** Checks if two names differ by one extra, missing or wrong character, or by two swapped ones. */
export function isOneSlipFrom(written: string, usual: string): boolean {
  const letters = (text: string) => [...text].toSorted().join("");
  const steps = distance(written, usual);
  return steps === 1 || (steps === 2 && letters(written) === letters(usual));
}
