/** Paths to values in data, and the differences between two versions of data. */

/** Path to a value in data: property names and indices. */
export type DataPath = readonly (string | number)[];

/**
 * Returns the paths where two versions of data differ. A list with another length differs as a
 * whole. Parts that both versions share are not visited.
 */
export function changedPaths(before: unknown, after: unknown): readonly DataPath[] {
  const paths: DataPath[] = [];
  const compare = (a: unknown, b: unknown, at: DataPath): void => {
    if (a === b) return;
    if (Array.isArray(a) && Array.isArray(b) && a.length === b.length)
      a.forEach((each, index) => compare(each, b[index], [...at, index]));
    else if (isObject(a) && isObject(b))
      for (const name of new Set([...Object.keys(a), ...Object.keys(b)]))
        compare(own(a, name), own(b, name), [...at, name]);
    else paths.push(at);
  };
  compare(before, after, []);
  return paths;
}

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !ArrayBuffer.isView(value)
  );
}

function own(value: { readonly [name: string]: unknown }, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
