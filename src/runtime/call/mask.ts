import type { SchemaProblem } from "../errors.js";
import { pointerStep, stepsOf } from "../json/pointer.js";
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
  const names = lastNames(paths);
  const firsts = new Set(paths.map(([first]) => first));
  const entries = Object.entries(value).map(([name, each]) => {
    const isMasked = firsts.has(name) || firsts.has("*") || names.has(name) || hasName(each, names);
    return [name, isMasked ? maskText : each] as const;
  });
  return Object.fromEntries(entries);
}

/** The last name of each path. */
function lastNames(paths: MaskedPaths): ReadonlySet<string> {
  return new Set(paths.flatMap((path) => path.findLast((step) => step !== "*") ?? []));
}

/** The value with everything replaced by `***` that stands at one of the JSON pointers. */
export function maskedAt(value: unknown, pointers: ReadonlySet<string>, pointer = ""): unknown {
  if (pointers.has(pointer)) return maskText;
  if (pointers.size === 0 || typeof value !== "object" || value === null) return value;
  const inner = (name: string | number, each: unknown): unknown =>
    maskedAt(each, pointers, pointer + pointerStep(name));
  if (Array.isArray(value)) return value.map((each, index) => inner(index, each));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inner(name, each)]));
}

/**
 * JSON pointers with `***` for the names inside of what is masked. Values that don't fit their
 * schema may have anything anywhere, so a pointer is masked behind any step that has the last name
 * of a path.
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

/** The same of problems. A missing property keeps its name, which is the schema's. */
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

/** Names of properties are words of a schema, unless they have more than letters, `-` and `_`. */
const wordName = /^[A-Za-z_-]+$/;

/** The texts and numbers that stand at the paths, or below, and the names that are no words. */
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
 * The same with a shape of which a request can be built: scalars are `***`, lists keep their
 * length, and properties of objects are there for a builder that knows their names. A builder that
 * lists the names finds `***` alone. JSON of such an object or list is `***`.
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

/** The object with properties that nobody sees who doesn't ask for them by name. */
function withHidden(object: object, properties: object): object {
  for (const [name, value] of Object.entries(properties))
    Object.defineProperty(object, name, { value, configurable: true });
  return object;
}

/** A description that was built of shapes, with `***` in place of each of them. */
export function withoutShapes(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  // JSON has no functions.
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
