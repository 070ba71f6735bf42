import type { MaskedPaths } from "./tool.js";

/** What stands in place of a masked value. */
export const maskText = "***";

/** The value with everything at the paths replaced by `***`. The value itself is never changed. */
export function masked(value: unknown, paths: MaskedPaths | undefined): unknown {
  return (paths ?? []).reduce<unknown>((at, path) => maskAt(at, path, 0, () => maskText), value);
}

/** The same with the shape kept: objects and arrays at the paths stay, and what they hold is replaced. A request can be built of it. */
export function maskedInShape(value: unknown, paths: MaskedPaths): unknown {
  return paths.reduce<unknown>((at, path) => maskAt(at, path, 0, maskLeaves), value);
}

function maskLeaves(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskLeaves);
  if (typeof value !== "object" || value === null) return maskText;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, maskLeaves(each)]));
}

function maskAt(
  value: unknown,
  path: readonly string[],
  depth: number,
  mask: (value: unknown) => unknown,
): unknown {
  const step = path[depth];
  if (step === undefined) return mask(value);
  if (Array.isArray(value)) {
    return step === "*" ? value.map((each) => maskAt(each, path, depth + 1, mask)) : value;
  }
  if (typeof value !== "object" || value === null) return value;
  const names = step === "*" ? Object.keys(value) : Object.hasOwn(value, step) ? [step] : [];
  if (names.length === 0) return value;
  const copy: Record<string, unknown> = { ...value };
  for (const name of names) {
    const inner = maskAt(copy[name], path, depth + 1, mask);
    Object.defineProperty(copy, name, {
      value: inner,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return copy;
}
