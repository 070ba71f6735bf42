import { type Batch, isOrdered } from "./batch.js";

/** How long an answer may take before messages without keys go elsewhere. */
const lateMs = 500;

/** What is under way, as far as it says where other messages may go. */
export interface Traffic {
  /** The slots and partitions whose messages wait until it is over. */
  readonly busy: ReadonlySet<Batch["slot"] | undefined>;
  /** The partitions that should have answered by now. */
  readonly late: ReadonlySet<number | undefined>;
}

/**
 * @param underWay in the present session
 * @param lingering in those before it
 */
export function trafficOf(underWay: Iterable<Batch>, lingering: Iterable<Batch>): Traffic {
  const busy = new Set<Batch["slot"] | undefined>();
  const late = new Set<number | undefined>();
  const lateBefore = performance.now() - lateMs;
  for (const batch of lingering) {
    const { slot, partition, since } = batch;
    if (isOrdered(batch)) busy.add(slot).add(partition);
    if (since <= lateBefore) late.add(partition);
  }
  for (const batch of underWay) {
    const { slot, partition, since } = batch;
    const isLate = since <= lateBefore;
    if (isLate) late.add(partition);
    if (!isLate || isOrdered(batch)) busy.add(slot);
    busy.add(partition);
  }
  return { busy, late };
}
