/**
 * Wraps data and counts reads, to measure the work of a computation. The same part of the data
 * always gives the same object.
 */
export function countReads<Data extends object>(
  data: Data,
): { readonly data: Data; readonly reads: () => number } {
  let reads = 0;
  const seen = new Map<object, object>();
  const watched = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    const known = seen.get(value);
    if (known !== undefined) return known;
    const proxy = new Proxy(value, {
      get(target, key, receiver) {
        reads += 1;
        return watched(Reflect.get(target, key, receiver));
      },
      getOwnPropertyDescriptor(target, key) {
        reads += 1;
        const found = Reflect.getOwnPropertyDescriptor(target, key);
        return found && { ...found, value: watched(found.value), configurable: true };
      },
      has(target, key) {
        reads += 1;
        return Reflect.has(target, key);
      },
    });
    seen.set(value, proxy);
    return proxy;
  };
  // A proxy of an object has the object's type.
  return { data: watched(data) as Data, reads: () => reads };
}
