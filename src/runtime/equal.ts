/**
 * The entry point `@skillc/runtime/internal/equal`: when JSON values are equal, for validators and
 * for the compiler.
 */

/**
 * Deep equality of JSON values, by own properties: `const`, `enum`. In place of fast-deep-equal,
 * which Ajv would use: that one calls a value's own `toString` and `valueOf`, and so throws on
 * `{"toString": 1}`.
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

/** The last two items of a list that are equal, by index; undefined when all differ. */
export interface EqualItems {
  readonly i: number;
  readonly j: number;
}

/**
 * Finds equal items: `uniqueItems`. Ajv compares each with each; here each is written once as a
 * text that equal values share, so that the steps are linear in the size of the list.
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

/** A text that JSON values share when they are equal: the order of names says nothing. */
export function sharedText(value: unknown): string {
  // 0 and -0 are equal, and `JSON.stringify` writes both as 0.
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? typeof value;
  if (Array.isArray(value)) return `[${value.map(sharedText).join(",")}]`;
  const names = Object.keys(value).toSorted();
  const record = value as Readonly<Record<string, unknown>>;
  return `{${names.map((name) => `${JSON.stringify(name)}:${sharedText(record[name])}`).join(",")}}`;
}
