import type { LedgerEnds } from "./ledger-ends.js";
import type { FaultKind } from "./plan.js";
import type { Published } from "./publish.js";

/** Results of a run: calls, ledger and broker. */
export interface Run {
  readonly published: readonly Published[];
  readonly ledger: LedgerEnds;
  /** The id of each message in the broker. */
  readonly stored: readonly string[];
  readonly faults: readonly FaultKind[];
}

/** A number of events, and the allowed range. */
export interface Count {
  readonly what: string;
  readonly count: number;
  /** Maximum, if the number is limited. */
  readonly most?: number;
}

export function isKept({ count, most }: Count): boolean {
  return most === undefined || count <= most;
}
