import type { LatencySummary } from "./distributions.js";

/** The calls of one mode. */
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
  /** What denied calls: policies, quotas, scopes. Absent when none was. */
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
  /** Of the calls of that mode, 0 to 1. */
  readonly share: number;
}
