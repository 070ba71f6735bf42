import type { MaskedPaths } from "./tool.js";

/** What stands in place of a masked value. */
export const maskText = "***";

/** The value with everything at the paths replaced by `***`. The value itself is never changed. */
export function masked(value: unknown, paths: MaskedPaths | undefined): unknown {
  return (paths ?? []).reduce<unknown>((at, path) => maskAt(at, path, 0), value);
}

function maskAt(value: unknown, path: readonly string[], depth: number): unknown {
  const step = path[depth];
  if (step === undefined) return maskText;
  if (Array.isArray(value)) {
    return step === "*" ? value.map((each) => maskAt(each, path, depth + 1)) : value;
  }
  if (typeof value !== "object" || value === null) return value;
  const names = step === "*" ? Object.keys(value) : Object.hasOwn(value, step) ? [step] : [];
  if (names.length === 0) return value;
  const copy: Record<string, unknown> = { ...value };
  for (const name of names) {
    const inner = maskAt(copy[name], path, depth + 1);
    Object.defineProperty(copy, name, {
      value: inner,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return copy;
}
