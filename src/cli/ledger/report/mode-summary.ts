import type { LatencySummary } from "./distributions.js";

/** Statistics of the calls in one mode. */
export interface ModeSummary {
  readonly calls: number;
  /** Time of the first call in ISO 8601; null without calls. */
  readonly first: string | null;
  readonly last: string | null;
  /**
   * Statuses, the most frequent first. `unknown` stands for writes that may or may not have been
   * carried out, `denied` for calls that governance denied, and `failed` for other calls that
   * threw.
   */
  readonly statuses: readonly Counted[];
  /** Sources of denials: policies, quotas, scopes. Absent if no call was denied. */
  readonly deniedBy?: readonly Counted[];
  /** Codes of calls that threw. */
  readonly errors: readonly Counted[];
  /** Number of calls that took more than one attempt. */
  readonly retried: number;
  /** Null if no call was carried out. */
  readonly latency: LatencySummary | null;
  /** Hashes of the bindings that made the calls. */
  readonly bindings: readonly Counted[];
}

export interface Counted {
  readonly value: string;
  readonly count: number;
  /** Share of the calls in the mode, 0 to 1. */
  readonly share: number;
}
