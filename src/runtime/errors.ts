import type { CallerField } from "./caller.js";
import { type Inspect, inspectSymbol } from "./inspect-symbol.js";

/** One thing wrong with a value. */
export interface SchemaProblem {
  /** RFC 6901 JSON pointer into the value; empty for the value itself. */
  readonly pointer: string;
  /** The schema keyword that failed. */
  readonly keyword: string;
  readonly message: string;
}

/**
 * What was checked when a value did not fit. `caller`: what a tool takes of its caller
 * (`{caller.tenant}`) can't stand where its binding puts it.
 */
export type SchemaSubject = "parameters" | "caller" | "response" | "result";

/** A prerequisite that is not met here. */
export interface MissingPrerequisite {
  /**
   * `handlers`: the tool needs one and the application gave none; `packages`: an npm package that its calls load is not installed;
   * `tools`: a model asked for a tool that it was not offered, or one that is `paused` or unknown to the policy; `governance`: the runtime has
   * none, and only governance meets the tool's obligations; `downloads`: the runtime has no folder for them, and the tool saves its answer.
   */
  readonly kind:
    | "env"
    | "bins"
    | "config"
    | "os"
    | "handlers"
    | "packages"
    | "tools"
    | "governance"
    | "downloads";
  readonly name: string;
}

/** One call, by all that an approval of it is bound to. Plain data, which may be sent to whoever decides. */
export interface ApprovalRequest {
  /** `skill/tool`. */
  readonly tool: string;
  /** The hash of the tool's manifest. */
  readonly manifest: string;
  /** Of what the call would do; by governance's `key` where parameters of the tool are masked. */
  readonly digest: string;
  readonly tenant?: string;
  readonly subject?: string;
  /** How long an approval holds, in milliseconds. */
  readonly ttlMs: number;
}

/** Why a call has no answer, told apart by `code`. Messages hold no credential and no parameter value. */
export type ToolFailure =
  | {
      readonly code: "SCHEMA.VALIDATION_FAILED";
      readonly subject: SchemaSubject;
      readonly problems: readonly SchemaProblem[];
    }
  | { readonly code: "CREDENTIAL.MISSING"; readonly names: readonly string[] }
  | { readonly code: "PROVIDER.TIMEOUT"; readonly timeoutMs: number }
  | {
      readonly code: "PROVIDER.UNAVAILABLE";
      /** The system's name for it: `ECONNREFUSED`, `UND_ERR_SOCKET`. */
      readonly reason: string;
      /** How long the target asks to be left alone, when it says. The next attempt waits for it. */
      readonly retryAfterMs?: number;
    }
  | {
      readonly code: "PROVIDER.PROTOCOL";
      readonly reason: string;
      /** Set when what the page before named as the next one can't be followed. */
      readonly subject?: "next-page";
    }
  | { readonly code: "POLICY.DENY_TOOL"; readonly missing: readonly MissingPrerequisite[] }
  | {
      /** The tool takes something from its caller (`{caller.tenant}`), and the call has none that says it. */
      readonly code: "AUTH.CALLER_MISSING";
      readonly fields: readonly CallerField[];
    }
  | {
      readonly code: "AUTH.FORBIDDEN";
      /** `scopes`: the caller lacks some; `policy`: a policy forbids it, or none permits it; `engine`: nobody could decide. */
      readonly reason: "scopes" | "policy" | "engine";
      /** Scopes that are missing. */
      readonly scopes: readonly string[];
      /** Ids of the policies that decided. */
      readonly decidedBy: readonly string[];
    }
  | {
      readonly code: "AUTH.APPROVAL_REQUIRED";
      /** What is the matter with the approval that the call names; `none` when it names none. */
      readonly reason:
        "none" | "unknown" | "expired" | "spent" | "withdrawn" | "other-call" | "own";
      /** What an approval of this call is bound to: `runtime.approve` takes it. */
      readonly request: ApprovalRequest;
    }
  | {
      /** Another call may be made in a while. */
      readonly code: "QUOTA.RATE_LIMITED";
      readonly budget: string;
      /** Milliseconds. */
      readonly retryAfterMs?: number;
    }
  | {
      /** A day's budget, or what one call may come to, is used up. */
      readonly code: "QUOTA.BUDGET_EXCEEDED";
      readonly budget: string;
      readonly limit: number;
      /** Milliseconds; absent when no later call of this size can be made either. */
      readonly retryAfterMs?: number;
    }
  | {
      readonly code: "IDEMPOTENCY.REFUSED";
      /**
       * `other-request`: the key was used for another call; `author-key`: the skill's own key is another; `unknown-outcome`: a call with this
       * key began, and nobody knows how it ended; `answer-not-kept`: it was made, and its answer is not kept; `running`: it takes too long;
       * `not-keyed`: it is a write that is not made once, by this tool or this runtime.
       */
      readonly reason:
        | "other-request"
        | "author-key"
        | "unknown-outcome"
        | "answer-not-kept"
        | "running"
        | "not-keyed";
      /** The id of the other call, in the ledger. */
      readonly call?: string;
    }
  | {
      /** The call would go where it may not. */
      readonly code: "SANDBOX.CAPABILITY_BLOCKED";
      /** `net.http:get ${ORDERS_URL}/orders/***`, with no argument in it; an address by what it stands for. */
      readonly capability: string;
      /** What doesn't have it: the tool's manifest, the deployment, or the rule for addresses. */
      readonly by: "manifest" | "deployment" | "address";
    }
  | {
      readonly code: "UNKNOWN.INTERNAL";
      /** `aborted`, `ledger-unavailable`, `store-unavailable`, `lease-lost`, `not-saved`, `handler-failed`, `bug`. */
      readonly reason:
        | "aborted"
        | "ledger-unavailable"
        | "store-unavailable"
        | "lease-lost"
        | "not-saved"
        | "handler-failed"
        | "bug";
    };

export type ToolErrorCode = ToolFailure["code"];

/** Whether a call was refused, and nothing else went wrong. */
export function isRefusal(code: ToolErrorCode): boolean {
  return /^(?:AUTH|POLICY|QUOTA|SANDBOX|IDEMPOTENCY)\./.test(code);
}

/**
 * What is known of the change that a call without an answer would have made. `not-done`: it was not
 * made, since nothing was sent, or it was refused or rolled back, or the call was a read.
 * `unknown`: it may have been made.
 */
export type WriteOutcome = "not-done" | "unknown";

/** Levels from an error to the fields of its problems. */
const deepestField = 3;

/**
 * Thrown by every generated tool when there is no answer to return: no connection, a timeout,
 * parameters or a response that don't fit their schema, a refusal. `error.failure` narrows by
 * `code`.
 */
export class ToolError<Failure extends ToolFailure = ToolFailure> extends Error {
  override readonly name = "ToolError";
  readonly code: Failure["code"];
  readonly failure: Failure;
  /**
   * `skill/tool`; from `dispatchTool`, the name that a model asked for, when its call never got to
   * a tool.
   */
  readonly tool: string;
  /** Attempts made before this was thrown; 0 when nothing was sent. */
  readonly attempts: number;
  /**
   * Whether what the call would have changed is certainly as before. Branch on it before a write is
   * made again.
   */
  readonly outcome: WriteOutcome;

  constructor(tool: string, failure: Failure, message: string, options: ToolErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.tool = tool;
    this.code = failure.code;
    this.failure = failure;
    this.attempts = options.attempts ?? 0;
    this.outcome = options.outcome ?? (this.attempts === 0 ? "not-done" : "unknown");
  }

  /**
   * As errors print, but deep enough to show each problem: Node stops at `problems: [ [Object] ]`.
   */
  [inspectSymbol](depth: number | null, options: object, inspect: Inspect): string {
    const { attempts, cause, failure, message, outcome, stack = message, tool } = this;
    const fields = { tool, attempts, outcome, failure, ...(cause === undefined ? {} : { cause }) };
    const deep = depth === null ? null : Math.max(depth, deepestField);
    // The stack was written down before the error had its name.
    return `${stack.replace(/^Error\b/, this.name)} ${inspect(fields, { ...options, depth: deep })}`;
  }
}

export interface ToolErrorOptions {
  readonly cause?: unknown;
  /** 0 when not given: nothing was sent. */
  readonly attempts?: number;
  /** When not given: `not-done` without an attempt, else `unknown`. */
  readonly outcome?: WriteOutcome;
}

/** The same error with that outcome. */
export function withOutcome(error: ToolError, outcome: WriteOutcome): ToolError {
  if (error.outcome === outcome) return error;
  const { attempts, cause, failure, message, stack, tool } = error;
  const known = cause === undefined ? { attempts, outcome } : { attempts, outcome, cause };
  const other = new ToolError(tool, failure, message, known);
  if (stack !== undefined) other.stack = stack;
  return other;
}

/** Narrows a caught value to a `ToolError`, optionally of one code. */
export function isToolError<Code extends ToolErrorCode = ToolErrorCode>(
  value: unknown,
  code?: Code,
): value is ToolError<Extract<ToolFailure, { code: Code }>> {
  return value instanceof ToolError && (code === undefined || value.code === code);
}

/**
 * An answer that can't be read. A binding kind makes a `ToolError` of it (`PROVIDER.PROTOCOL`),
 * with the message as its reason.
 */
export class UnreadableAnswer extends Error {
  override readonly name = "UnreadableAnswer";

  /** @param most bytes that the body may come to */
  static tooLong(most: number): UnreadableAnswer {
    return new UnreadableAnswer(`the body is longer than ${most} bytes`);
  }
}
