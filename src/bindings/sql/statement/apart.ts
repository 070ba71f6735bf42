import type { Placeholder, Statement } from "./statement.js";

/**
 * The statement with every placeholder numbered by itself, also those of one name: as it is sent, but with the author's text around. So PostgreSQL finds
 * in it what it finds in the statement sent, and its positions are places of the author's.
 *
 * @param text what the author wrote
 * @param asText numbers of those that get a cast to text
 */
export function numberApart(
  text: string,
  { tree, placeholders }: Statement,
  asText: ReadonlySet<number> = new Set(),
): Statement {
  const single = placeholders
    .flatMap(({ name, at }) => at.map((range): Placeholder => ({ name, at: [range] })))
    .toSorted((one, other) => startOf(one) - startOf(other));
  const pieces: string[] = [];
  let done = 0;
  single.forEach(({ at }, index) => {
    for (const { start, end } of at) {
      pieces.push(text.slice(done, start), `$${index + 1}${asText.has(index + 1) ? "::text" : ""}`);
      done = end;
    }
  });
  return { sql: pieces.join("") + text.slice(done), tree, placeholders: single };
}

function startOf({ at }: Placeholder): number {
  return at[0]?.start ?? 0;
}
