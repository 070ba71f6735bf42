import type { SchemaProblem } from "../errors.js";
import { pointerStep, stepsOf } from "../json/pointer.js";
import type { MaskedPaths } from "../tool.js";

/** Replaces masked values. */
export const maskText = "***";

/** Replaces everything at the paths by `***`. It makes a copy. */
export function masked(value: unknown, paths: MaskedPaths | undefined): unknown {
  return (paths ?? []).reduce<unknown>((at, path) => maskAt(at, path, 0, () => maskText), value);
}

/**
 * Masks parameters that don't match their schema, in which masked values may be anywhere. It masks
 * each parameter as a whole if a path begins there, or if it contains a property with a masked
 * name.
 */
export function maskedAsUnfit(value: unknown, paths: MaskedPaths | undefined): unknown {
  if (paths === undefined || paths.length === 0) return value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return maskText;
  const names = lastNames(paths);
  const firsts = new Set(paths.map(([first]) => first));
  const entries = Object.entries(value).map(([name, each]) => {
    const isMasked = firsts.has(name) || firsts.has("*") || names.has(name) || hasName(each, names);
    return [name, isMasked ? maskText : each] as const;
  });
  return Object.fromEntries(entries);
}

/** Returns the last name of each path. */
function lastNames(paths: MaskedPaths): ReadonlySet<string> {
  return new Set(paths.flatMap((path) => path.findLast((step) => step !== "*") ?? []));
}

/** Replaces the values at JSON pointers by `***`. */
export function maskedAt(value: unknown, pointers: ReadonlySet<string>, pointer = ""): unknown {
  if (pointers.has(pointer)) return maskText;
  if (pointers.size === 0 || typeof value !== "object" || value === null) return value;
  const inner = (name: string | number, each: unknown): unknown =>
    maskedAt(each, pointers, pointer + pointerStep(name));
  if (Array.isArray(value)) return value.map((each, index) => inner(index, each));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inner(name, each)]));
}

/**
 * Returns a function that replaces names inside masked values by `***` in JSON pointers. Values
 * that don't match their schema may contain anything anywhere, so it masks a pointer after any step
 * with the last name of a path.
 */
export function maskedPlace(paths: MaskedPaths): (pointer: string) => string {
  if (paths.length === 0) return (pointer) => pointer;
  const names = lastNames(paths);
  const isWhole = paths.some((path) => path.every((step) => step === "*"));
  return (pointer) => {
    const steps = stepsOf(pointer);
    const at = isWhole ? -1 : steps.findIndex((step) => names.has(step));
    if ((at === -1 && !isWhole) || at === steps.length - 1) return pointer;
    return [...steps.slice(0, at + 1), maskText].map(pointerStep).join("");
  };
}

/**
 * Masks the pointers of problems. The name of a missing property stays, because it comes from the
 * schema.
 */
export function withMaskedPlaces(
  problems: readonly SchemaProblem[],
  paths: MaskedPaths,
): readonly SchemaProblem[] {
  const masked = maskedPlace(paths);
  return problems.map((problem) => {
    const { keyword, pointer } = problem;
    const isMissing = keyword === "required" || keyword === "dependentRequired";
    const end = isMissing ? pointer.lastIndexOf("/") : pointer.length;
    const shown = masked(pointer.slice(0, end)) + pointer.slice(end);
    return shown === pointer ? problem : { ...problem, pointer: shown };
  });
}

function hasName(value: unknown, names: ReadonlySet<string>): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, each]) => names.has(name) || hasName(each, names));
}

/**
 * Masks every property with the last name of a path, for values that may have another form than the
 * paths expect.
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

/** Property names that look like names of a schema: only letters, `-` and `_`. */
const wordName = /^[A-Za-z_-]+$/;

/**
 * Returns the texts and numbers at the paths or below, and property names that don't look like
 * names of a schema.
 */
export function maskedLeaves(value: unknown, paths: MaskedPaths): readonly (string | number)[] {
  const leaves: (string | number)[] = [];
  const collect = (at: unknown): void => {
    if (typeof at === "string" || typeof at === "number") leaves.push(at);
    if (typeof at !== "object" || at === null) return;
    if (!Array.isArray(at))
      for (const name of Object.keys(at)) if (!wordName.test(name)) leaves.push(name);
    Object.values(at).forEach(collect);
  };
  for (const path of paths) maskAt(value, path, 0, collect);
  return leaves;
}

/**
 * Masks values, but keeps a shape from which a request can be built. Scalars become `***`, lists
 * keep their length, and properties stay readable by name. Listing the properties gives only `***`,
 * and so does the JSON of such an object or list.
 */
export function maskedInShape(value: unknown, paths: MaskedPaths): unknown {
  return paths.reduce<unknown>((at, path) => maskAt(at, path, 0, shapeOf), value);
}

function shapeOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return maskText;
  if (Array.isArray(value)) return withHidden(value.map(shapeOf), { toJSON: () => maskText });
  const inner = Object.entries(value).map(([name, each]) => [name, shapeOf(each)] as const);
  const hidden = { ...Object.fromEntries(inner), toJSON: () => maskText };
  return withHidden({ [maskText]: maskText }, hidden);
}

/** Adds properties that can be read by name, but are not listed. */
function withHidden(object: object, properties: object): object {
  for (const [name, value] of Object.entries(properties))
    Object.defineProperty(object, name, { value, configurable: true });
  return object;
}

/** Replaces each masked shape in a description by `***`. */
export function withoutShapes(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  // JSON has no functions, so only masked shapes have `toJSON`.
  if ("toJSON" in value && typeof value.toJSON === "function") return maskText;
  if (Array.isArray(value)) return value.map(withoutShapes);
  const entries = Object.entries(value);
  const clean = entries.map(([name, each]) => [name, withoutShapes(each)] as const);
  const isSame = clean.every(([, each], index) => each === entries[index]?.[1]);
  return isSame ? value : Object.fromEntries(clean);
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
