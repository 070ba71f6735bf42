import {
  changedError,
  ToolError,
  type ToolErrorCode,
  type ToolFailure,
  type WriteOutcome,
} from "../errors.js";

type FailureOf<Code extends ToolErrorCode> = Extract<ToolFailure, { readonly code: Code }>;

/** Fields of `error.failure`, and other fields of the error. */
export type ToolErrorDetails<Code extends ToolErrorCode> = Partial<
  Omit<FailureOf<Code>, "code">
> & {
  /** Message of the error. */
  readonly message?: string;
  /**
   * Outcome of the error. By default `not-done` for errors before anything is sent, otherwise
   * `unknown`. For a read it is always `not-done`.
   */
  readonly outcome?: WriteOutcome;
};

/** Default fields of failures. */
const usual: { readonly [Code in ToolErrorCode]: FailureOf<Code> } = {
  "SCHEMA.VALIDATION_FAILED": {
    code: "SCHEMA.VALIDATION_FAILED",
    subject: "response",
    problems: [],
  },
  "CREDENTIAL.MISSING": { code: "CREDENTIAL.MISSING", names: [] },
  "PROVIDER.TIMEOUT": { code: "PROVIDER.TIMEOUT", timeoutMs: 5000 },
  "PROVIDER.UNAVAILABLE": { code: "PROVIDER.UNAVAILABLE", reason: "ECONNRESET" },
  "PROVIDER.PROTOCOL": { code: "PROVIDER.PROTOCOL", reason: "the answer is not JSON" },
  "POLICY.DENY_TOOL": { code: "POLICY.DENY_TOOL", missing: [] },
  "AUTH.CALLER_MISSING": { code: "AUTH.CALLER_MISSING", fields: ["tenant"] },
  "AUTH.FORBIDDEN": { code: "AUTH.FORBIDDEN", reason: "policy", scopes: [], decidedBy: [] },
  "AUTH.APPROVAL_REQUIRED": {
    code: "AUTH.APPROVAL_REQUIRED",
    reason: "none",
    request: { id: "", tool: "", manifest: "", digest: "", ttlMs: 86_400_000 },
  },
  "QUOTA.RATE_LIMITED": { code: "QUOTA.RATE_LIMITED", budget: "calls_per_minute" },
  "QUOTA.BUDGET_EXCEEDED": { code: "QUOTA.BUDGET_EXCEEDED", budget: "calls_per_day", limit: 0 },
  "IDEMPOTENCY.REFUSED": { code: "IDEMPOTENCY.REFUSED", reason: "other-request" },
  "SANDBOX.CAPABILITY_BLOCKED": {
    code: "SANDBOX.CAPABILITY_BLOCKED",
    capability: "",
    by: "deployment",
  },
  "PLAN.MASKED_VALUE": { code: "PLAN.MASKED_VALUE", step: "", source: "", pointer: "" },
  "PLAN.NO_VALUE": { code: "PLAN.NO_VALUE", source: "" },
  "PLAN.TOO_MANY_ITEMS": { code: "PLAN.TOO_MANY_ITEMS", step: "", items: 0, limit: 0 },
  "PLAN.NOT_INFERRED": {
    code: "PLAN.NOT_INFERRED",
    step: "",
    parameters: [],
    reason: "no-planner",
  },
  "PLAN.OUTCOME_UNKNOWN": { code: "PLAN.OUTCOME_UNKNOWN", run: "", step: "", call: "" },
  "PLAN.RUN_TAKEN": { code: "PLAN.RUN_TAKEN", run: "" },
  "PLAN.NO_RUN": { code: "PLAN.NO_RUN", run: "" },
  "PLAN.RUN_UNAVAILABLE": { code: "PLAN.RUN_UNAVAILABLE", run: "", reason: "held" },
  "PLAN.RUN_ENDED": { code: "PLAN.RUN_ENDED", run: "", status: "cancelled" },
  "PLAN.CHANGED": { code: "PLAN.CHANGED", run: "", steps: [] },
  "ROLLBACK.REFUSED": { code: "ROLLBACK.REFUSED", call: "", reason: "no-way-back" },
  "UNKNOWN.INTERNAL": { code: "UNKNOWN.INTERNAL", reason: "bug" },
};

/** Codes of errors that are thrown before anything is sent. */
const unsent: ReadonlySet<ToolErrorCode> = new Set([
  "CREDENTIAL.MISSING",
  "POLICY.DENY_TOOL",
  "AUTH.CALLER_MISSING",
  "AUTH.FORBIDDEN",
  "AUTH.APPROVAL_REQUIRED",
  "QUOTA.RATE_LIMITED",
  "QUOTA.BUDGET_EXCEEDED",
  "PLAN.RUN_TAKEN",
  "PLAN.NO_RUN",
  "PLAN.RUN_ENDED",
  "PLAN.CHANGED",
  "ROLLBACK.REFUSED",
]);

/**
 * Makes an error for a fake to return or throw. The call adds the tool's name and the attempts.
 *
 * @param details fields of `error.failure` that matter to the test; the others have default values
 */
export function toolError<Code extends ToolErrorCode>(
  code: Code,
  details: ToolErrorDetails<Code> = {},
): ToolError<FailureOf<Code>> {
  const { message = `a fake failed with ${code}`, outcome, ...fields } = details;
  // The default failure of the code, with fields of the same code.
  const failure = { ...usual[code], ...fields } as FailureOf<Code>;
  return new ToolError(noTool, failure, message, {
    outcome: outcome ?? (unsent.has(code) ? "not-done" : "unknown"),
  });
}

const noTool = "";

/**
 * Returns the error as the call throws it. An error that names its tool, for example of a tool that
 * a fake called, is returned unchanged.
 */
export function ofCall(error: ToolError, toolId: string, attempts: number): ToolError {
  if (error.tool !== noTool) return error;
  return changedError(error, { tool: toolId, attempts });
}
