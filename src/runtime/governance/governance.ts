import type { ProjectPolicy } from "./policy.js";
import type { GovernanceStore, StateChange, ToolState } from "./store/store.js";

/**
 * What a runtime is given so that its calls are governed. Made by `governance(…)` of
 * `@skillc/runtime/governance`.
 */
export interface Governance {
  readonly policy: ProjectPolicy;
  readonly store: GovernanceStore;
  /**
   * The steps of every call, in place of the usual ones. Each is a `NamedStep`: a call knows its
   * runtime, so that this can't name its type.
   */
  readonly steps: readonly CallStep[];
  /** What is done to a result before its caller has it, shadow mode's aside. */
  readonly resultSteps: readonly CallStep[];
  /**
   * Pauses a tool, marks it as deprecated, or enables it again, for every process that shares the
   * store.
   *
   * @param tool `skill/tool`
   * @throws TypeError for a tool that the policy doesn't know
   */
  setToolState(tool: string, state: ToolState, change: StateChange): Promise<void>;
  /** Releases what its store holds. */
  close(): Promise<void>;
}

interface CallStep {
  readonly name: string;
  readonly run: (call: never) => undefined | Promise<void>;
}
