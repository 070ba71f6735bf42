/**
 * The entry point `@skillc/runtime/internal/ledger`: code that `skillc ledger` uses to read and
 * settle ledgers.
 */
export { type Attachment, isKept } from "./attachments.js";
export { pidOf } from "./files/file-name.js";
export { createFileLedger } from "./files/file-store.js";
export {
  type EndedCall,
  type LedgerCall,
  type SettledCall,
  statusOf,
  type UnknownCall,
} from "./ledger-call.js";
export { pruneBackups } from "../rollback/backups/prune-backups.js";
export { queryStore, type StoreQuery } from "./query.js";
export type { Pruning, PruneOptions } from "./pruning.js";
export type { QueryFilter } from "./query-filter.js";
export type { SettledAs, Settlement } from "./record.js";
export { maxInlineParameters } from "../rollback/record-way-back.js";
export { earlierRollback, type EarlierRollback } from "../rollback/find-undoable.js";
export { sealedType } from "./sealed-attachment.js";
export { longestReason, settleCall } from "./settle.js";
export type {
  LedgerProblem,
  LedgerProblemKind,
  LedgerVerification,
  PastPruning,
  SettledOutcome,
  UnknownOutcome,
  WriterState,
} from "./verification.js";
export { type LedgerStore, LedgerUnavailable } from "./store.js";
