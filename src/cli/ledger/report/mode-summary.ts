import type { LatencySummary } from "./distributions.js";

/** Statistics of the calls in one mode. */
export interface ModeSummary {
  readonly calls: number;
  /** ISO 8601; null without calls. */
  readonly first: string | null;
  readonly last: string | null;
  /**
   * `unknown` for writes that may or may not have been carried out, `denied` for calls that
   * governance refused, `failed` for other calls that threw; the most frequent first.
   */
  readonly statuses: readonly Counted[];
  /** Sources of denials: policies, quotas, scopes. Absent if no call was denied. */
  readonly deniedBy?: readonly Counted[];
  /** Codes of calls that threw. */
  readonly errors: readonly Counted[];
  /** Calls that took more than one attempt. */
  readonly retried: number;
  /** Null when no call was carried out. */
  readonly latency: LatencySummary | null;
  /** Hashes of the binding that made the calls. */
  readonly bindings: readonly Counted[];
}

export interface Counted {
  readonly value: string;
  readonly count: number;
  /** Share of the calls in that mode, 0 to 1. */
  readonly share: number;
}
