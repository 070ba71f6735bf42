import { distance } from "fastest-levenshtein";

/**
 * Maximum length of compared names. Longer ones are not typing errors, and comparing them is slow.
 */
const longestCompared = 100;

/**
 * Returns the names nearest to a written name, comparing only letters and digits; empty if more
 * than a third of the written name differs.
 */
export function near(written: string, names: readonly string[]): readonly string[] {
  if (written.length > longestCompared) return [];
  const plain = plainOf(written);
  if (plain === "") return [];
  const measured = names
    .filter((name) => name.length <= longestCompared)
    .map((name) => ({ name, apart: distance(plain, plainOf(name)) }));
  const least = Math.min(...measured.map(({ apart }) => apart));
  if (least > Math.max(1, Math.floor(plain.length / 3))) return [];
  return measured.filter(({ apart }) => apart === least).map(({ name }) => name);
}

/**
 * Removes separators and case, which models change: `order_desk.CreateOrder` for
 * `order-desk__create-order`.
 */
function plainOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
