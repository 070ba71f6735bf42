/** The entry point `@skillc/runtime/internal/ledger`: what `skillc ledger` asks of the ledger's files. */
export { ledgerDirectory, pidOf } from "./file-name.js";
export {
  type EndedCall,
  type LedgerCall,
  type SettledCall,
  statusOf,
  type UnknownCall,
} from "./ledger-call.js";
export type { LedgerPlace } from "./ledger-writer.js";
export type { Counted, ModeSummary } from "./mode-summary.js";
export { type LedgerQuery, queryLedger } from "./query.js";
export type { SettledAs, Settlement } from "./record.js";
export { type LedgerReport, reportLedger } from "./report.js";
export type { ReportFinding } from "./report-findings.js";
export type { LatencyHistogram, LatencySummary } from "./report-latency.js";
export type { ParameterComparison, ParameterSide, ParameterVerdict } from "./report-parameters.js";
export type { Timeline } from "./report-timeline.js";
export { longestReason, settleCall } from "./settle.js";
export type {
  LedgerProblem,
  LedgerProblemKind,
  LedgerVerification,
  SettledOutcome,
  UnknownOutcome,
  WriterState,
} from "./verification.js";
export { verifyLedger } from "./verify.js";
