import type { ToolError, ToolFailure } from "../errors.js";

/**
 * Returns what a model should do about a call that changed nothing; undefined if the reason says
 * it.
 */
export function adviceFor({ failure, message, step }: ToolError): string | undefined {
  switch (failure.code) {
    case "SCHEMA.VALIDATION_FAILED":
      if (failure.subject === "caller") return doWithout;
      return failure.subject === "parameters" && step === undefined ? correct : leaveIt;
    case "POLICY.DENY_TOOL":
      // The message proposes another name.
      return message.endsWith("?") ? undefined : doWithout;
    case "CREDENTIAL.MISSING":
    case "AUTH.CALLER_MISSING":
    case "SANDBOX.CAPABILITY_BLOCKED":
      return doWithout;
    case "PROVIDER.TIMEOUT":
    case "PROVIDER.UNAVAILABLE":
    case "QUOTA.RATE_LIMITED":
    case "PLAN.RUN_UNAVAILABLE":
      return later;
    case "PROVIDER.PROTOCOL":
      return failure.subject === "next-page" ? undefined : leaveIt;
    case "AUTH.APPROVAL_REQUIRED":
      return failure.reason === "denied" ? leaveIt : undefined;
    case "QUOTA.BUDGET_EXCEEDED":
      return failure.retryAfterMs === undefined ? "ask for less" : later;
    case "IDEMPOTENCY.REFUSED":
      return forKey[failure.reason];
    case "PLAN.TOO_MANY_ITEMS":
      return "ask for fewer items";
    case "PLAN.NOT_INFERRED":
      return failure.reason === "planner" ? later : leaveIt;
    case "PLAN.OUTCOME_UNKNOWN":
      return findOut;
    case "AUTH.FORBIDDEN":
    case "PLAN.MASKED_VALUE":
    case "PLAN.NO_VALUE":
    case "PLAN.RUN_TAKEN":
    case "PLAN.NO_RUN":
    case "PLAN.RUN_ENDED":
    case "ROLLBACK.REFUSED":
    case "PLAN.CHANGED":
      return leaveIt;
    case "UNKNOWN.INTERNAL":
      return temporary.has(failure.reason) ? later : leaveIt;
  }
}

const correct = "correct the arguments and call the tool again";
const doWithout = "do without it";
const findOut = "find out before you repeat the call";
const later = "try again later";
const leaveIt = "do not repeat the call";

type Reason<Code extends ToolFailure["code"]> = Extract<
  ToolFailure,
  { readonly code: Code; readonly reason: string }
>["reason"];

const forKey: { readonly [R in Reason<"IDEMPOTENCY.REFUSED">]: string } = {
  "other-request": "use a new key for another call",
  "author-key": "call it without a key",
  "unknown-outcome": findOut,
  "answer-not-kept": leaveIt,
  running: "repeat the call later with the same key",
  "not-keyed": "call it without a key",
};

/** Reasons that pass by themselves. */
const temporary: ReadonlySet<Reason<"UNKNOWN.INTERNAL">> = new Set([
  "ledger-unavailable",
  "store-unavailable",
  "lease-lost",
]);
