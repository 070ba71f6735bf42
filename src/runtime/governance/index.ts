/**
 * The entry point `@skillc/runtime/governance`: controls who may call a tool, how often, which
 * targets it may reach, and which calls need approval.
 */
export type { ShownEffect, TrialDetails } from "../rollback/trial.js";
export { approvalRequestOf } from "./approvals.js";
export { governance, type GovernanceOptions } from "./create-governance.js";
export type {
  ApprovalDecided,
  ApprovalRequested,
  Digest,
  EventSink,
  ToolEvent,
  ToolInvokeBegin,
  ToolInvokeEnd,
  ToolKnown,
  ToolStateChanged,
} from "./events.js";
export type { Approver, Denier, Governance } from "./governance.js";
export type {
  ApprovalBy,
  ApprovalRule,
  CedarPolicies,
  ContextField,
  GovernedTool,
  Grant,
  Limits,
  Obligation,
  ProjectPolicy,
  Quota,
} from "./policy.js";
export { createMemoryStore, type MemoryStoreOptions } from "./store/memory.js";
export type {
  Approval,
  BudgetUse,
  GovernanceStore,
  Hold,
  KeyedCall,
  KeyState,
  Lease,
  NewApproval,
  NewRequestDecision,
  NewStoredRequest,
  RequestDecision,
  RequestDetails,
  RequestFacts,
  RequestFilter,
  RequestState,
  SavedApproval,
  SealedRequest,
  StateChange,
  StoredRequest,
  Taken,
  ToolState,
  ToolStateChange,
  ToolVersionChange,
  ToolVersionSeen,
} from "./store/store.js";
