import type { ProjectPolicy } from "./policy.js";
import type { GovernanceStore } from "./store/store.js";

/** What a runtime is given so that its calls are governed. Made by `governance(…)` of `@skillc/runtime/governance`. */
export interface Governance {
  readonly policy: ProjectPolicy;
  readonly store: GovernanceStore;
  /** The steps of every call, in place of the usual ones. Each is a `Step`: a call knows its runtime, so that this can't name its type. */
  readonly steps: readonly ((call: never) => undefined | Promise<void>)[];
  /** Releases what its store holds. */
  close(): Promise<void>;
}
