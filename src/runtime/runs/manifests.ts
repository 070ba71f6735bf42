/** The tools that a run is bound to. */
import type { KeptRun, RunBeginning } from "./store.js";

/** Fingerprints of the steps' tools, by the id of the step. */
export type Manifests = RunBeginning["manifests"];

/**
 * Returns the fingerprints with which a run goes on: those of its beginning, of its last plan, or
 * those that a person accepted last.
 */
export function pinnedManifests({
  beginning,
  events,
}: Pick<KeptRun, "beginning" | "events">): Manifests {
  const accepted = events.findLast(
    (each) => each.type === "planned" || (each.type === "resumed" && each.manifests !== undefined),
  );
  const isKnown = accepted?.type === "planned" || accepted?.type === "resumed";
  return (isKnown ? accepted.manifests : undefined) ?? beginning.manifests;
}

/** Returns the ids of the steps whose fingerprints differ, and of new and removed steps. */
export function changedSteps(pinned: Manifests, now: Manifests): readonly string[] {
  const ids = new Set([...Object.keys(pinned), ...Object.keys(now)]);
  return [...ids].filter((id) => pinned[id] !== now[id]);
}
