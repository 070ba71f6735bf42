/** The entry point `@skillc/runtime/internal/ledger`: what `skillc ledger` asks of the ledger's files. */
export { ledgerDirectory, pidOf } from "./files/file-name.js";
export {
  type EndedCall,
  type LedgerCall,
  type SettledCall,
  statusOf,
  type UnknownCall,
} from "./ledger-call.js";
export type { LedgerPlace } from "./files/writer.js";
export { type LedgerQuery, queryLedger } from "./query.js";
export type { SettledAs, Settlement } from "./record.js";
export { longestReason, settleCall } from "./settle.js";
export type {
  LedgerProblem,
  LedgerProblemKind,
  LedgerVerification,
  SettledOutcome,
  UnknownOutcome,
  WriterState,
} from "./verification.js";
export { verifyLedger } from "./files/verify.js";
