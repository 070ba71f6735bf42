import type { Batch } from "./batch.js";

/**
 * Of messages without a key, which have no order to keep; a `trial` is one of them, and shows if a
 * broker is back.
 */
const unordered: ReadonlySet<Batch["group"]> = new Set(["any", "trial"] as const);

/** How long an answer may take before messages without keys go elsewhere. */
const lateMs = 500;

/** What is under way, as far as it says where other messages may go. */
export interface Traffic {
  /** The groups and partitions whose messages wait until it is over. */
  readonly busy: ReadonlySet<Batch["group"] | undefined>;
  /** The partitions that should have answered by now. */
  readonly late: ReadonlySet<number | undefined>;
}

/** Whether it should have its answer by now. */
export function isLate({ since }: Batch): boolean {
  return performance.now() - since >= lateMs;
}

/**
 * @param underWay in the present session
 * @param lingering in those before it
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

/** Whether later messages must not overtake it. */
function isOrdered({ group }: Batch): boolean {
  return !unordered.has(group);
}
