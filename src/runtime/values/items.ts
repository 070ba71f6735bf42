/**
 * The items in a page's data: none where there is nothing; undefined where there is no list.
 *
 * @param path property names
 */
export function itemsAt(data: unknown, path: readonly string[]): readonly unknown[] | undefined {
  let at = data;
  for (const step of path) {
    if (at === null || at === undefined) return [];
    if (typeof at !== "object" || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<string, unknown>)[step];
  }
  if (at === null || at === undefined) return [];
  return Array.isArray(at) ? at : undefined;
}
