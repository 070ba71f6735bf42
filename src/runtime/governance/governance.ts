import type { ApprovalRequest } from "../errors.js";
import type { Caller } from "../caller.js";
import type { JsonValue } from "../json/json.js";
import type { LedgerStore } from "../ledger/store.js";
import type { ProjectPolicy } from "./policy.js";
import type { Seal } from "../seal.js";
import type {
  GovernanceStore,
  RequestFilter,
  StateChange,
  StoredRequest,
  ToolState,
} from "./store/store.js";

/** Who gives or withdraws an approval. */
export interface Approver extends Pick<Caller, "subject"> {
  /**
   * Channel on which the approver decides, such as `terminal`. On a channel of `approval_channels`,
   * callers may confirm their own calls of tools with `by: person`. Pass a channel only if it shows
   * the request to the person and not to a model.
   */
  readonly channel?: string;
  /** Set if nobody checked that the approver is `subject`. */
  readonly claimed?: true;
  /**
   * SHA-256 of the trial that the approver saw: `details.trial.sha256` of the stored request. It is
   * needed to approve a request with a trial by its id.
   */
  readonly trial?: string;
}

/** Who denies a request. */
export interface Denier extends Approver {
  /** Reason of at most 500 characters, which the refused caller gets. */
  readonly note?: string;
}

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
  /** Encrypts parameters that undo calls; absent without a `key`. */
  readonly wayBackSeal?: Seal;
  /**
   * Returns a key of 32 bytes that signs questions to persons about their calls, derived from
   * governance's `key`; absent without one.
   */
  readonly confirmationKey?: () => Uint8Array;
  /**
   * Steps of every call, in place of the usual ones. Each is a `NamedStep`. This interface can't
   * use that type, because a call refers to its runtime.
   */
  readonly steps: readonly CallStep[];
  /** Steps of a dry run: all of `steps` that run before anything is sent. */
  readonly drySteps: readonly CallStep[];
  /**
   * Steps of a call that undoes an earlier call of the same tool. They ask scopes and policies again,
   * and no approval, key or budget.
   */
  readonly undoSteps: readonly CallStep[];
  /** Steps of a dry run of such a call. */
  readonly undoDrySteps: readonly CallStep[];
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
   * Approves one call. An equal call finds the approval. Callers can't approve their own calls,
   * unless the tool says `by: person` and the channel is one of `approval_channels`.
   *
   * @param request the `failure.request` of an `AUTH.APPROVAL_REQUIRED` error, or its `id`
   * @returns the id of the approval, which a call may also pass as `approval`
   * @throws TypeError if the request is not valid or was denied, or the approver is missing or may
   * not approve it
   */
  approve(request: ApprovalRequest | StoredRequest | string, by: Approver): Promise<string>;
  /**
   * Denies a request. Until it expires, equal calls are refused with the note.
   *
   * @param request the `failure.request` of an `AUTH.APPROVAL_REQUIRED` error, or its `id`
   * @throws TypeError if there is no such request, it was approved, or `by` has no valid subject
   */
  deny(request: ApprovalRequest | string, by: Denier): Promise<void>;
  /** Returns stored requests for approval that have not expired, newest first. */
  requests(filter?: RequestFilter): Promise<readonly StoredRequest[]>;
  /**
   * Returns the whole request behind a stored one, which is masked and may be shortened.
   * Credentials stay names. `Runtime.openRequest` passes the runtime's own ledger.
   *
   * @param ledger the ledger of the call that left the request
   * @throws TypeError if the whole request was not kept or is missing, or `key` is another
   */
  openRequest(request: StoredRequest, ledger: Pick<LedgerStore, "attachments">): Promise<JsonValue>;
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
