import type { RunFilter, RunSummary } from "./store.js";

/** Returns whether a filter selects a run. */
export function matches(summary: RunSummary, { state, tenant, tool }: RunFilter): boolean {
  return (
    (tenant === undefined || summary.run.tenant === tenant) &&
    (tool === undefined || summary.tool === tool) &&
    (state === undefined || summary.state === state)
  );
}
