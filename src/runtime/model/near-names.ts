import { distance } from "fastest-levenshtein";

/** Longer names are no slips of the pen, and comparing takes time by both lengths. */
const longestCompared = 100;

/**
 * The names nearest to the one written, as letters and digits alone; none when more than a third of
 * what was written is wrong.
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

/** Models change separators and case: `order_desk.CreateOrder` for `order-desk__create-order`. */
function plainOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
