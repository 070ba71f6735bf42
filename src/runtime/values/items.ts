/**
 * Returns the items in a page's data; empty if a part of the path is absent or null; undefined if
 * there is no list.
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
