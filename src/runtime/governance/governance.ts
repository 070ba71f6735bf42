import type { ApprovalRequest } from "../errors.js";
import type { Caller } from "../caller.js";
import type { ProjectPolicy } from "./policy.js";
import type { Seal } from "./seal.js";
import type { GovernanceStore, StateChange, ToolState } from "./store/store.js";

/** Who gives an approval, or takes it back. */
export type Approver = Pick<Caller, "subject">;

/**
 * What a runtime is given so that its calls are governed. Made by `governance(…)` of
 * `@skillc/runtime/governance`.
 */
export interface Governance {
  readonly policy: ProjectPolicy;
  /** Whoever opened it closes it, or `shutdown`: a runtime doesn't, since others may use it. */
  readonly store: GovernanceStore;
  /** What names pages is encrypted by it, so that it opens in every process with the same key. */
  readonly pageSeal?: Seal;
  /**
   * The steps of every call, in place of the usual ones. Each is a `NamedStep`: a call knows its
   * runtime, so that this can't name its type.
   */
  readonly steps: readonly CallStep[];
  /** Those of a dry run: all of `steps` that come before anything is sent. */
  readonly drySteps: readonly CallStep[];
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
  /**
   * Approves one call. Nobody approves their own.
   *
   * @param request `failure.request` of `AUTH.APPROVAL_REQUIRED`
   * @returns the id to pass as the call's `approval`
   * @throws TypeError
   */
  approve(request: ApprovalRequest, by: Approver): Promise<string>;
  /**
   * Takes an approval back that was not used.
   *
   * @returns whether there was one to be taken back
   */
  withdraw(approval: string, by: Approver): Promise<boolean>;
  /** Which tools a caller may call now, as far as that is known without arguments. */
  offersTo(caller: Caller): Promise<(toolId: string, manifest: string) => boolean>;
}

interface CallStep {
  readonly name: string;
  readonly run: (call: never) => undefined | Promise<void>;
}
