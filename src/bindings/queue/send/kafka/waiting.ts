import type { KafkaReceipt } from "../../contract.js";
import { usableShare } from "../usable-share.js";
import type { KafkaMessage } from "./record-size.js";

/** A message, and the call that waits for its receipt. */
export interface Waiting {
  readonly message: KafkaMessage;
  /** The last moment to try (`performance.now()`). */
  readonly until: number;
  readonly resolve: (receipt: KafkaReceipt) => void;
  readonly reject: (error: Error) => void;
  /** How many messages a batch with it may have; undefined: as many as any. */
  most?: number;
}

/** @param remainingMs of an attempt; undefined: it has no limit */
export function lastMoment(remainingMs = Infinity): number {
  return performance.now() + remainingMs * usableShare;
}

/** The last moment of them all. */
export function latest(all: Iterable<Waiting>): number {
  let last = 0;
  for (const { until } of all) last = Math.max(last, until);
  return last;
}
