/** The entry point `@skillc/runtime`: the API for applications and generated modules. */
export {
  type Answer,
  answer,
  type AnyHandlers,
  type Handler,
  type HandlerContext,
  type HandlerRecord,
} from "./handler.js";
export type {
  CredentialAnswer,
  CredentialFunction,
  CredentialQuestion,
  ExpiringCredential,
} from "./credentials/function-credential.js";
export { type Caller, currentCaller, type Origin, withCaller } from "./caller.js";
export { callTool } from "./call/call-tool.js";
export type { ApprovalWait, CallOptions } from "./call/call-options.js";
export type { AllOptions, PagedTool, PageItem, WithNext } from "./call/paged-tool.js";
export { type Preflight, preflight, type PreflightReason } from "./call/preflight.js";
export type { BudgetNote } from "./call/preflight-notes.js";
export {
  type Catalog,
  type CatalogDeprecation,
  type CatalogGovernance,
  type CatalogRollback,
  type CatalogLimits,
  type CatalogSkill,
  type CatalogTool,
} from "./model/catalog.js";
export { missingFor } from "./model/offer-entries.js";
export type { OfferedTool } from "./model/offered-entry.js";
export type { ParametersSchema } from "./model/model-schema.js";
export type { OfferOptions } from "./model/offer-options.js";
export { offerKnowledge, offerTools } from "./model/offer-tools.js";
export type { OfferFilters } from "./model/offer-filter.js";
export type { Defaults, PropertyDefault } from "./call/defaults.js";
export {
  type DispatchOptions,
  type DispatchResult,
  dispatchTool,
  dispatchToolJson,
  type ToolMap,
} from "./model/dispatch.js";
export type { FileWords, ReadableBytes, ToolFile } from "./files/tool-file.js";
export {
  type ApprovalRequest,
  isToolError,
  type MissingPrerequisite,
  type SchemaProblem,
  type SchemaSubject,
  ToolError,
  type ToolErrorCode,
  type ToolFailure,
  type WriteOutcome,
} from "./errors.js";
export {
  type AskedParameters,
  type InferredParameters,
  type ParameterPlanner,
  PlannerError,
  type PlannerProblem,
  type PlanState,
  type StepState,
  type TokenCount,
} from "./planner.js";
export type { HttpOptions, OriginLimits, ProxyOptions } from "./http/http-options.js";
export type { JsonValue } from "./json/json.js";
export {
  createFileLedger,
  type FileLedger,
  type FileLedgerOptions,
} from "./ledger/files/file-store.js";
export {
  entryOf,
  type LedgerEntry,
  type LedgerStore,
  LedgerUnavailable,
  recordOf,
  type StoredRecord,
} from "./ledger/store.js";
export type { EndedCall, LedgerCall, SettledCall, UnknownCall } from "./ledger/ledger-call.js";
export { createMemoryLedger, type MemoryLedger } from "./ledger/memory-store.js";
export type {
  Attachment,
  AttachmentPolicy,
  AttachmentStore,
  BytesPolicy,
  KeptAttachment,
  OmittedAttachment,
} from "./ledger/attachments.js";
export type { ProducedAttachment } from "./ledger/produced-bytes.js";
export type { Pruning, PruneOptions } from "./ledger/pruning.js";
export type { Position } from "./ledger/position.js";
export type { QueryFilter, RecordFilter } from "./ledger/query-filter.js";
export type { StoreQuery } from "./ledger/query.js";
export type {
  BeginRecord,
  CallRecord,
  EndRecord,
  LedgerRecord,
  OmittedRequest,
  SettledAs,
  SettleRecord,
  Settlement,
} from "./ledger/record.js";
export type { Collected, CollectedBytes, CollectOptions } from "./model/collect.js";
export { type ModelResult, resultForModel } from "./model/model-result.js";
export type { Masked } from "./governance/obligations/mask.js";
export type { Capability } from "./reach.js";
export type { EventStream, ItemStream, ServerSentEvent } from "./stream.js";
export type { AnyResult, Shadowed, Success, ToolResult } from "./result.js";
export {
  configure,
  createRuntime,
  type LedgerChoice,
  type LedgerQuery,
  queryLedger,
  type Runtime,
  type RuntimeOptions,
  setDefaultRuntime,
  verifyLedger,
} from "./runtime.js";
export type { SuspendedPlan } from "./runs/journal.js";
export { type ResumeOptions, resumeRun, type RunOptions, waitForRun } from "./runs/resume.js";
export { rollbackCall } from "./rollback/rollback-call.js";
export type { RollbackOptions, TraceRollbackOptions } from "./rollback/rollback-options.js";
export type {
  NotRolledBack,
  RollbackPreview,
  RollbackResult,
  RolledBack,
  TraceRollback,
} from "./rollback/rollback-result.js";
export { rollbackTrace } from "./rollback/rollback-trace.js";
export type { WayBack } from "./rollback/way-back.js";
export { shutdown, type ShutdownOptions } from "./shutdown.js";
export type { Binding, BoundPlan, PlanFacts } from "./call/binding.js";
export {
  defineTool,
  type Effect,
  type MaskedPaths,
  type Mode,
  type Prerequisites,
  type RetryPolicy,
  type ToolContract,
  type ToolVersion,
} from "./tool.js";
export type { Validator } from "./validation/validation.js";
export type { LedgerVerification, PastPruning } from "./ledger/verification.js";
