import type { MaskedPaths } from "../tool.js";

/** What stands in place of a masked value. */
export const maskText = "***";

/** The value with everything at the paths replaced by `***`. The value itself is never changed. */
export function masked(value: unknown, paths: MaskedPaths | undefined): unknown {
  return (paths ?? []).reduce<unknown>((at, path) => maskAt(at, path, 0, () => maskText), value);
}

/**
 * The same of parameters that don't fit their schema: what is to be masked may stand anywhere in
 * them. Every parameter that has such a part, or a property of that name anywhere in it, is masked
 * as a whole.
 */
export function maskedAsUnfit(value: unknown, paths: MaskedPaths | undefined): unknown {
  if (paths === undefined || paths.length === 0) return value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return maskText;
  const names = new Set(paths.flatMap((path) => path.findLast((step) => step !== "*") ?? []));
  const firsts = new Set(paths.map(([first]) => first));
  const entries = Object.entries(value).map(([name, each]) => {
    const isMasked = firsts.has(name) || firsts.has("*") || names.has(name) || hasName(each, names);
    return [name, isMasked ? maskText : each] as const;
  });
  return Object.fromEntries(entries);
}

function hasName(value: unknown, names: ReadonlySet<string>): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, each]) => names.has(name) || hasName(each, names));
}

/**
 * The same of what may be of another form than the paths are of: whatever has the last name of one
 * of them is masked, wherever it stands.
 */
export function maskedByName(value: unknown, paths: MaskedPaths): unknown {
  const names = new Set<string>();
  for (const path of paths) {
    const name = path.findLast((step) => step !== "*");
    if (name === undefined) return maskText;
    names.add(name);
  }
  const mask = (at: unknown): unknown => {
    if (typeof at !== "object" || at === null) return at;
    if (Array.isArray(at)) return at.map(mask);
    const entries = Object.entries(at);
    return Object.fromEntries(
      entries.map(([name, each]) => [name, names.has(name) ? maskText : mask(each)]),
    );
  };
  return mask(value);
}

/** The texts and numbers that stand at the paths, or below. */
export function maskedLeaves(value: unknown, paths: MaskedPaths): readonly (string | number)[] {
  const leaves: (string | number)[] = [];
  const collect = (at: unknown): void => {
    if (typeof at === "string" || typeof at === "number") leaves.push(at);
    else if (typeof at === "object" && at !== null) Object.values(at).forEach(collect);
  };
  for (const path of paths) maskAt(value, path, 0, collect);
  return leaves;
}

/**
 * The same with the shape kept: objects and arrays at the paths stay, and what they hold is
 * replaced. A request can be built of it.
 */
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
