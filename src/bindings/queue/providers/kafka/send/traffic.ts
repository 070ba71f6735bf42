import type { Batch } from "./batch.js";

/**
 * Groups of messages without a key, which have no order to keep. A `trial` message shows whether a
 * broker answers again.
 */
const unordered: ReadonlySet<Batch["group"]> = new Set(["any", "trial"] as const);

/** If an answer takes longer, messages without keys go elsewhere. */
const lateMs = 500;

/** The batches under way, as far as they affect where other messages may go. */
export interface Traffic {
  /** Groups and partitions whose messages wait for a batch under way. */
  readonly busy: ReadonlySet<Batch["group"] | undefined>;
  /** Partitions whose answers are overdue. */
  readonly late: ReadonlySet<number | undefined>;
}

/** Returns whether a batch's answer is overdue. */
export function isLate({ since }: Batch): boolean {
  return performance.now() - since >= lateMs;
}

/**
 * @param underWay batches of the present session
 * @param lingering batches of earlier sessions
 */
export function trafficOf(underWay: Iterable<Batch>, lingering: Iterable<Batch>): Traffic {
  const busy = new Set<Batch["group"] | undefined>();
  const late = new Set<number | undefined>();
  for (const batch of lingering) {
    const { group, partition } = batch;
    if (isOrdered(batch)) busy.add(group).add(partition);
    if (isLate(batch)) late.add(partition);
  }
  for (const batch of underWay) {
    const { group, partition } = batch;
    const isOverdue = isLate(batch);
    if (isOverdue) late.add(partition);
    if (!isOverdue || isOrdered(batch)) busy.add(group);
    busy.add(partition);
  }
  return { busy, late };
}

/** Returns whether later messages must not overtake the batch. */
function isOrdered({ group }: Batch): boolean {
  return !unordered.has(group);
}
