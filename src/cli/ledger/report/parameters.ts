import type { JsonValue } from "@skillc/runtime";

/**
 * Result of comparing a parameter's shadow values with its active ones:
 *
 * - `only-shadow`, `only-active`: only one side has the parameter
 * - `types`: the JSON types differ
 * - `presence`: one side has the parameter more often, by a fifth of the calls or more
 * - `values`: the distributions differ by more than chance explains for samples of this size
 * - `new-values`: shadow repeats values that active never had
 * - `range`: shadow has numbers outside of active's range
 * - `alike`: none of these
 * - `uncompared`: one side has no calls
 */
export type ParameterVerdict =
  | "only-shadow"
  | "only-active"
  | "types"
  | "presence"
  | "values"
  | "new-values"
  | "range"
  | "alike"
  | "uncompared";

export interface ParameterComparison {
  /**
   * Path of the parameter: `customer.id`, `lines[].sku`. An array is also a parameter, whose value
   * is its length.
   */
  readonly path: string;
  readonly verdict: ParameterVerdict;
  /**
   * Difference from 0 to 1: the larger of two values. The first is the difference in presence. The
   * second, if values repeat, is the share of calls whose values would have to change.
   */
  readonly difference: number;
  readonly shadow: ParameterSide;
  readonly active: ParameterSide;
  /** Values that repeat in shadow and that active never had; at most 5. */
  readonly newValues: readonly string[];
}

export interface ParameterSide {
  /** Number of calls with the parameter. */
  readonly calls: number;
  /** Share of the calls in the mode, 0 to 1. */
  readonly share: number;
  readonly types: readonly string[];
  /** Number of different values. `distinctMore` is true if the report could not follow all. */
  readonly distinct: number;
  readonly distinctMore: boolean;
  /**
   * The most frequent values, as shortened JSON; `share` is relative to all values of this path.
   */
  readonly top: readonly {
    readonly value: string;
    readonly count: number;
    readonly share: number;
  }[];
  /** Smallest number; for an array, the smallest length. */
  readonly min: number | null;
  readonly max: number | null;
}

const maxTop = 5;

const gravest: readonly ParameterVerdict[] = [
  ...([
    "types",
    "only-shadow",
    "range",
    "values",
    "new-values",
    "only-active",
    "presence",
    "alike",
    "uncompared",
  ] as const),
];

export function compareParameters(
  shadow: ParameterTally,
  active: ParameterTally,
): { readonly parameters: readonly ParameterComparison[]; readonly leftOut: number } {
  const paths = new Set([...shadow.paths.keys(), ...active.paths.keys()]);
  const parameters = [...paths].map((path) => compare(path, shadow, active));
  const rank = (each: ParameterComparison) => gravest.indexOf(each.verdict);
  const sorted = parameters.toSorted(
    (a, b) => rank(a) - rank(b) || b.difference - a.difference || (a.path < b.path ? -1 : 1),
  );
  return { parameters: sorted, leftOut: new Set([...shadow.left, ...active.left]).size };
}

function compare(
  path: string,
  shadow: ParameterTally,
  active: ParameterTally,
): ParameterComparison {
  const [s, a] = [shadow.paths.get(path), active.paths.get(path)];
  const sides = { shadow: sideOf(s, shadow.calls), active: sideOf(a, active.calls) };
  const presence = Math.abs(sides.shadow.share - sides.active.share);
  const spread = s && a && repeats(s) && repeats(a) ? distance(s, a) : 0;
  const comparable = shadow.calls > 0 && active.calls > 0;
  return {
    path,
    verdict: comparable ? verdictOf(s, a, presence, spread) : "uncompared",
    difference: comparable ? Math.max(presence, spread) : 0,
    ...sides,
    newValues: comparable ? newValues(s, a) : [],
  };
}

function verdictOf(
  s: PathTally | undefined,
  a: PathTally | undefined,
  presence: number,
  spread: number,
): ParameterVerdict {
  if (!a) return "only-shadow";
  if (!s) return "only-active";
  if (
    [...s.types].some((type) => !a.types.has(type)) ||
    [...a.types].some((type) => !s.types.has(type))
  )
    return "types";
  if (s.max > a.max || s.min < a.min) if (outside(s, a) > 0.02) return "range";
  if (spread > 0.15 + chance(s, a)) return "values";
  if (newValues(s, a).length > 0) return "new-values";
  return presence >= 0.2 ? "presence" : "alike";
}

/**
 * Checks if values repeat. Identifiers and free text hardly ever do, so they have no distribution
 * to compare.
 */
function repeats(tally: PathTally): boolean {
  return tally.overflow === 0 && tally.counts.size * 2 <= Math.max(tally.values, 4);
}

/**
 * Total variation distance: the share of values that would have to change to turn one distribution
 * into the other.
 */
function distance(s: PathTally, a: PathTally): number {
  let sum = 0;
  for (const value of new Set([...s.counts.keys(), ...a.counts.keys()])) {
    sum += Math.abs((s.counts.get(value) ?? 0) / s.values - (a.counts.get(value) ?? 0) / a.values);
  }
  return sum / 2;
}

/**
 * Approximate distance between two samples of one distribution by chance: half the sum of k
 * standard errors, each at most √(1/kn).
 */
function chance(s: PathTally, a: PathTally): number {
  const kinds = new Set([...s.counts.keys(), ...a.counts.keys()]).size;
  return 0.5 * Math.sqrt(kinds * (1 / s.values + 1 / a.values));
}

/** Share of shadow's numbers outside of active's range. For arrays, of their lengths. */
function outside(s: PathTally, a: PathTally): number {
  let count = 0;
  for (const [value, times] of s.counts) {
    const number = Number.parseFloat(value);
    if (number < a.min || number > a.max) count += times;
  }
  return count / s.values;
}

function newValues(s: PathTally | undefined, a: PathTally | undefined): readonly string[] {
  if (!s || !a || !repeats(s) || !repeats(a)) return [];
  return [...s.counts]
    .filter(([value, times]) => times > 1 && !a.counts.has(value))
    .toSorted(([, x], [, y]) => y - x)
    .slice(0, 5)
    .map(([value]) => value);
}

function sideOf(tally: PathTally | undefined, calls: number): ParameterSide {
  if (!tally)
    return {
      calls: 0,
      share: 0,
      types: [],
      distinct: 0,
      distinctMore: false,
      top: [],
      min: null,
      max: null,
    };
  const top = [...tally.counts]
    .toSorted(([, x], [, y]) => y - x)
    .slice(0, maxTop)
    .map(([value, count]) => ({ value, count, share: count / tally.values }));
  return {
    calls: tally.calls,
    share: tally.calls / calls,
    types: [...tally.types].toSorted(),
    distinct: tally.counts.size,
    distinctMore: tally.overflow > 0,
    top,
    min: Number.isFinite(tally.min) ? tally.min : null,
    max: Number.isFinite(tally.max) ? tally.max : null,
  };
}

const maxPaths = 500;
const maxValues = 1000;

/** Statistics of the values at one path. */
export interface PathTally {
  calls: number;
  lastCall: number;
  values: number;
  min: number;
  max: number;
  /** Number of values after the map was full. */
  overflow: number;
  readonly types: Set<string>;
  readonly counts: Map<string, number>;
}

/** Collects the parameters of one mode's calls. */
export class ParameterTally {
  calls = 0;
  readonly paths = new Map<string, PathTally>();
  readonly left = new Set<string>();

  add(parameters: JsonValue): void {
    this.calls += 1;
    visitLeaves(parameters, (leaf) => this.#count(leaf));
  }

  #count(leaf: Leaf): void {
    const tally = this.#tallyOf(leaf.path);
    if (!tally) return;
    if (tally.lastCall !== this.calls) tally.calls += 1;
    tally.lastCall = this.calls;
    tally.values += 1;
    tally.types.add(leaf.type);
    if (leaf.number !== undefined) {
      tally.min = Math.min(tally.min, leaf.number);
      tally.max = Math.max(tally.max, leaf.number);
    }
    const before = tally.counts.get(leaf.value);
    if (before !== undefined || tally.counts.size < maxValues)
      tally.counts.set(leaf.value, (before ?? 0) + 1);
    else tally.overflow += 1;
  }

  #tallyOf(path: string): PathTally | undefined {
    const known = this.paths.get(path);
    if (known) return known;
    if (this.paths.size >= maxPaths) {
      if (this.left.size < maxPaths) this.left.add(path);
      return undefined;
    }
    const tally: PathTally = {
      calls: 0,
      lastCall: 0,
      values: 0,
      overflow: 0,
      min: Number.POSITIVE_INFINITY,
      max: Number.NEGATIVE_INFINITY,
      types: new Set<string>(),
      counts: new Map<string, number>(),
    };
    this.paths.set(path, tally);
    return tally;
  }
}

/** One value inside a call's parameters. */
export interface Leaf {
  readonly path: string;
  readonly type: "string" | "number" | "boolean" | "null" | "array" | "object";
  /** Value as JSON, cut at 120 characters. */
  readonly value: string;
  /** Value of a number, or length of an array. */
  readonly number?: number;
}

const longestValue = 120;
const longestPath = 200;
const deepest = 12;
/** Maximum number of leaves in one call. */
const maxLeaves = 2000;

/**
 * Visits scalars, empty objects, and arrays with their length. Values beyond a useful depth or
 * number are skipped.
 */
function visitLeaves(value: JsonValue, visit: (leaf: Leaf) => void): void {
  let left = maxLeaves;
  function walk(each: JsonValue, path: string, depth: number): void {
    if (left <= 0) return;
    const name = path === "" ? "(all)" : path.slice(0, longestPath);
    if (Array.isArray(each)) {
      left -= 1;
      visit({
        path: name,
        type: "array",
        value: `${each.length} ${each.length === 1 ? "item" : "items"}`,
        number: each.length,
      });
      if (depth < deepest) for (const item of each) walk(item, `${path}[]`, depth + 1);
      return;
    }
    const entries = typeof each === "object" && each !== null ? Object.entries(each) : [];
    if (entries.length > 0 && depth < deepest) {
      for (const [key, inner] of entries) walk(inner, join(path, key), depth + 1);
      return;
    }
    left -= 1;
    visit(leafOf(name, each));
  }
  walk(value, "", 0);
}

function join(path: string, key: string): string {
  const plain = /^[\w-]{1,100}$/.test(key);
  const step = plain ? key : `[${JSON.stringify(key.slice(0, longestPath))}]`;
  return path === "" || !plain ? `${path}${step}` : `${path}.${step}`;
}

function leafOf(path: string, value: JsonValue): Leaf {
  if (typeof value === "number")
    return { path, type: "number", value: String(value), number: value };
  if (typeof value === "string")
    return { path, type: "string", value: cut(JSON.stringify(value.slice(0, longestValue + 1))) };
  if (typeof value === "boolean") return { path, type: "boolean", value: String(value) };
  if (value === null) return { path, type: "null", value: "null" };
  return { path, type: "object", value: "{…}" };
}

function cut(json: string): string {
  return json.length <= longestValue ? json : `${json.slice(0, longestValue - 1)}…`;
}
