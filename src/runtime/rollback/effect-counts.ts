import type { ShownEffect, TrialDetails } from "./trial.js";

/** Counts the effects of a trial in words: `0 created, 1 changed, 2 deleted`. */
export function effectCounts({
  effects,
  more = 0,
}: Pick<TrialDetails, "effects" | "more">): string {
  const count = (change: ShownEffect["change"]): number =>
    effects.filter((each) => each.change === change).length;
  return [
    `${count("created")} created`,
    `${count("changed")} changed`,
    `${count("deleted")} deleted`,
    ...(more > 0 ? [`${more} more created or changed`] : []),
  ].join(", ");
}
