import type { ApprovalRequest } from "../errors.js";
import type { Caller } from "../caller.js";
import type { ProjectPolicy } from "./policy.js";
import type { Seal } from "../seal.js";
import type { GovernanceStore, StateChange, ToolState } from "./store/store.js";

/** Who gives or withdraws an approval. */
export type Approver = Pick<Caller, "subject">;

/** The governance of a runtime. Made by `governance(…)` of `@skillc/runtime/governance`. */
export interface Governance {
  /** The project's compiled policy. */
  readonly policy: ProjectPolicy;
  /**
   * The store. Close it yourself, or call `shutdown`. A runtime doesn't close it, because other
   * runtimes may use it.
   */
  readonly store: GovernanceStore;
  /** Encrypts the names of pages. Every process with the same key can decrypt them. */
  readonly pageSeal?: Seal;
  /**
   * Steps of every call, in place of the usual ones. Each is a `NamedStep`. This interface can't
   * use that type, because a call refers to its runtime.
   */
  readonly steps: readonly CallStep[];
  /** Steps of a dry run: all of `steps` that run before anything is sent. */
  readonly drySteps: readonly CallStep[];
  /** Steps that change a result before the caller gets it, except in shadow mode. */
  readonly resultSteps: readonly CallStep[];
  /**
   * Pauses, deprecates or enables a tool for every process that shares the store.
   *
   * @param tool id of the tool: `skill/tool`
   * @throws TypeError if the policy doesn't know the tool
   */
  setToolState(tool: string, state: ToolState, change: StateChange): Promise<void>;
  /**
   * Approves one call. Callers can't approve their own calls.
   *
   * @param request the `failure.request` of an `AUTH.APPROVAL_REQUIRED` error
   * @returns the id to pass as the call's `approval`
   * @throws TypeError if the request is not valid, or the approver is missing or is the call's
   * subject
   */
  approve(request: ApprovalRequest, by: Approver): Promise<string>;
  /**
   * Withdraws an approval that was not used.
   *
   * @returns false if there was no such approval, or it was used or has expired
   */
  withdraw(approval: string, by: Approver): Promise<boolean>;
  /**
   * Returns a filter for the tools that a caller may call now, as far as known without arguments.
   */
  offersTo(caller: Caller): Promise<(toolId: string, manifest: string) => boolean>;
}

interface CallStep {
  readonly name: string;
  readonly run: (call: never) => undefined | Promise<void>;
}
