/**
 * The entry point `@skillc/runtime/internal/equal`: equality of JSON values, for validators and for
 * the compiler.
 */

/**
 * Compares two JSON values deeply, by their own properties, for `const` and `enum`. Ajv's usual
 * fast-deep-equal calls a value's own `toString` and `valueOf`, so it throws on `{"toString": 1}`.
 */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((each, index) => equal(each, b[index]))
    );
  }
  const entries = Object.entries(a);
  if (entries.length !== Object.keys(b).length) return false;
  return entries.every(
    ([name, each]) => Object.hasOwn(b, name) && equal(each, (b as Record<string, unknown>)[name]),
  );
}

/** Indexes of the last two equal items of a list. */
export interface EqualItems {
  /** Index of the later item, from 0. */
  readonly i: number;
  /** Index of the earlier item, from 0. */
  readonly j: number;
}

/**
 * Finds two equal items, for `uniqueItems`; undefined if all items differ. Ajv compares each pair
 * of items. This function writes each item once as canonical text, so its time is linear in the
 * size of the list.
 */
export function equalItems(items: readonly unknown[]): EqualItems | undefined {
  const seen = new Map<string, number>();
  let found: EqualItems | undefined;
  for (const [index, item] of items.entries()) {
    const text = sharedText(item);
    const before = seen.get(text);
    if (before !== undefined) found = { i: index, j: before };
    seen.set(text, index);
  }
  return found;
}

/**
 * Returns canonical text of a JSON value: equal values have the same text, whatever the order of
 * their properties.
 */
export function sharedText(value: unknown): string {
  // 0 and -0 are equal, and `JSON.stringify` writes both as 0.
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? typeof value;
  if (Array.isArray(value)) return `[${value.map(sharedText).join(",")}]`;
  const names = Object.keys(value).toSorted();
  const record = value as Readonly<Record<string, unknown>>;
  return `{${names.map((name) => `${JSON.stringify(name)}:${sharedText(record[name])}`).join(",")}}`;
}
