import type { JsonValue } from "../json.js";
import { type Leaf, visitLeaves } from "./report-leaves.js";

const mostPaths = 500;
const mostValues = 1000;

/** The values of one path. */
export interface PathTally {
  calls: number;
  lastCall: number;
  values: number;
  min: number;
  max: number;
  /** Values that came after the map was full. */
  overflow: number;
  readonly types: Set<string>;
  readonly counts: Map<string, number>;
}

/** Gathers the parameters of one mode's calls. */
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
    if (before !== undefined || tally.counts.size < mostValues)
      tally.counts.set(leaf.value, (before ?? 0) + 1);
    else tally.overflow += 1;
  }

  #tallyOf(path: string): PathTally | undefined {
    const known = this.paths.get(path);
    if (known) return known;
    if (this.paths.size >= mostPaths) {
      if (this.left.size < mostPaths) this.left.add(path);
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
