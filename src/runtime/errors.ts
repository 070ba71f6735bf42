import type { CallerField } from "./caller.js";
import { type Inspect, inspectSymbol } from "./inspect-symbol.js";
import type { PlannerProblem } from "./planner.js";
import type { Difference } from "./rollback/restoring.js";

/** One way in which a value doesn't match its schema. */
export interface SchemaProblem {
  /** RFC 6901 JSON pointer into the value; empty for the value itself. */
  readonly pointer: string;
  /** Schema keyword that failed. */
  readonly keyword: string;
  /** Description of the problem, without the value. */
  readonly message: string;
}

/**
 * The part of a call that did not match its schema. `caller`: a field of the caller
 * (`{caller.tenant}`) has a value that can't be used in the place where the binding puts it.
 */
export type SchemaSubject = "parameters" | "caller" | "response" | "result";

/** A prerequisite of a tool that is not met. */
export interface MissingPrerequisite {
  /**
   * The kind of prerequisite:
   *
   * - `env`, `bins`, `config`, `os`: a prerequisite that the skill declares.
   * - `handlers`: the tool needs a handler, and the application gave none.
   * - `packages`: an npm package that the tool's calls load is not installed.
   * - `tools`: a model asked for a tool that it was not offered, or the policy pauses the tool or
   *   doesn't know it.
   * - `governance`: the project has obligations for the tool, and the runtime has no governance.
   * - `downloads`: the tool saves its answer, and the runtime has no folder for downloads.
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
  /** Name of the variable, program, setting, package, tool or system. */
  readonly name: string;
}

/**
 * Everything that identifies the one call that an approval is for. Plain data: you can send it to
 * the approver.
 */
export interface ApprovalRequest {
  /** Id of the request in governance's store; the same for equal calls. */
  readonly id: string;
  /** `skill/tool`. */
  readonly tool: string;
  /** Hash of the tool's manifest. */
  readonly manifest: string;
  /**
   * Digest of the request. If parameters of the tool are masked, it is keyed with governance's
   * `key`.
   */
  readonly digest: string;
  /** Tenant that the call is for. */
  readonly tenant?: string;
  /** Subject that makes the call. The subject can't approve its own call. */
  readonly subject?: string;
  /** Lifetime of an approval, in milliseconds. */
  readonly ttlMs: number;
  /** SHA-256 of the trial that the stored request shows, in hexadecimal; absent without a trial. */
  readonly trial?: string;
}

/** How the process of a command ended. */
export interface ProcessExit {
  /** Exit code; null if a signal ended the process. */
  readonly code: number | null;
  /** Signal that ended the process, such as `SIGKILL`; null if it ended by itself. */
  readonly signal: string | null;
  /** The last 2,000 characters of standard error, without credentials. */
  readonly stderr: string;
}

/**
 * The reason why a call has no answer; `code` tells the cases apart. Messages contain no credential
 * and no parameter value.
 */
export type ToolFailure =
  | {
      readonly code: "SCHEMA.VALIDATION_FAILED";
      /** The value that doesn't match its schema: what was passed, or what came back. */
      readonly subject: SchemaSubject;
      /** The mismatches, at most 100. */
      readonly problems: readonly SchemaProblem[];
    }
  | {
      readonly code: "CREDENTIAL.MISSING";
      /** Names of all missing credentials and settings. */
      readonly names: readonly string[];
    }
  | {
      readonly code: "PROVIDER.TIMEOUT";
      /** Time limit of one attempt, or of all polls, in milliseconds. */
      readonly timeoutMs: number;
    }
  | {
      readonly code: "PROVIDER.UNAVAILABLE";
      /** System error code, such as `ECONNREFUSED` or `UND_ERR_SOCKET`. */
      readonly reason: string;
      /** Delay that the target asks for, in milliseconds. The next attempt waits for it. */
      readonly retryAfterMs?: number;
      /** For a command: how its process ended, or that it was not started. */
      readonly exit?: ProcessExit | "not-started";
    }
  | {
      readonly code: "PROVIDER.PROTOCOL";
      /** The problem in words, without parts of the answer. */
      readonly reason: string;
      /** Set if the previous page named a next page that can't be fetched. */
      readonly subject?: "next-page";
    }
  | {
      readonly code: "POLICY.DENY_TOOL";
      /** Prerequisites that are missing here. */
      readonly missing: readonly MissingPrerequisite[];
    }
  | {
      /**
       * The tool uses fields of its caller (`{caller.tenant}`), and the call's caller lacks them.
       */
      readonly code: "AUTH.CALLER_MISSING";
      /** The missing fields. */
      readonly fields: readonly CallerField[];
    }
  | {
      readonly code: "AUTH.FORBIDDEN";
      /**
       * `scopes`: the caller lacks a scope. `policy`: a policy forbids the call, or none permits
       * it. `engine`: the policy engine could not decide.
       */
      readonly reason: "scopes" | "policy" | "engine";
      /** Missing scopes. */
      readonly scopes: readonly string[];
      /** Ids of the policies that decided. */
      readonly decidedBy: readonly string[];
      /** Reasons that these policies give: the values of `@message("…")`. Models get them too. */
      readonly messages?: readonly string[];
    }
  | {
      readonly code: "AUTH.APPROVAL_REQUIRED";
      /** The problem with the approval that the call names; `none` if it names none. */
      readonly reason:
        | "none"
        | "unknown"
        | "expired"
        | "spent"
        | "withdrawn"
        | "other-call"
        | "own"
        | "denied"
        | "stale";
      /** Call to approve. Pass it to `runtime.approve`. */
      readonly request: ApprovalRequest;
      /** Reason of the person who denied the call, or why the approved changes can't be made. */
      readonly note?: string;
      /**
       * Set if only calls of this process can find the approval: the tool masks parameters, and
       * governance has no `key`.
       */
      readonly keyMissing?: true;
    }
  | {
      /** A rate limit is reached. A later call can succeed. */
      readonly code: "QUOTA.RATE_LIMITED";
      /** Name of the limit, such as `calls_per_minute of order-desk/refund`. */
      readonly budget: string;
      /** Delay until a call can succeed, in milliseconds. */
      readonly retryAfterMs?: number;
    }
  | {
      /** A daily budget is used up, or the call is larger than the limit of one call. */
      readonly code: "QUOTA.BUDGET_EXCEEDED";
      /** Name of the budget, such as `cost_per_day of tenant acme`. */
      readonly budget: string;
      /** Size of the budget, in its own unit: calls, bytes or cost. */
      readonly limit: number;
      /**
       * Delay until a call can succeed, in milliseconds; absent if a call of this size can never
       * succeed.
       */
      readonly retryAfterMs?: number;
    }
  | {
      readonly code: "IDEMPOTENCY.REFUSED";
      /**
       * Why the call was denied:
       *
       * - `other-request`: the key was used for another request.
       * - `author-key`: the skill's own key differs.
       * - `unknown-outcome`: a call with this key began, and its outcome is unknown.
       * - `answer-not-kept`: a call with this key ended, and its answer was not kept.
       * - `running`: a call with this key is still running.
       * - `not-keyed`: the call is a write, and this tool or this runtime can't make it
       *   idempotent.
       */
      readonly reason:
        | "other-request"
        | "author-key"
        | "unknown-outcome"
        | "answer-not-kept"
        | "running"
        | "not-keyed";
      /** Id of the other call in the ledger. */
      readonly call?: string;
    }
  | {
      /** The call would reach a target that it may not reach. */
      readonly code: "SANDBOX.CAPABILITY_BLOCKED";
      /**
       * Denied capability without arguments, such as `net.http:get ${ORDERS_URL}/orders/***`. For
       * an address, the name of the address range.
       */
      readonly capability: string;
      /**
       * Who denies the capability: the tool's manifest, the deployment, or the rule for addresses.
       */
      readonly by: "manifest" | "deployment" | "address";
    }
  | {
      /** A step of a plan would use a value that an obligation has changed. */
      readonly code: "PLAN.MASKED_VALUE";
      /** Id of the step that was not made. */
      readonly step: string;
      /** Id of the step whose output has the value. */
      readonly source: string;
      /** RFC 6901 JSON pointer into the output. */
      readonly pointer: string;
    }
  | {
      /** A source with `fallback: error` has no value. */
      readonly code: "PLAN.NO_VALUE";
      /** Path of the value, as the plan writes it. */
      readonly source: string;
      /** Id of the step that was not made; absent if the output of the plan needs the value. */
      readonly step?: string;
    }
  | {
      /** No planner found the parameters of a step. */
      readonly code: "PLAN.NOT_INFERRED";
      /** The step that was not made; in a loop `STEP:INDEX`. */
      readonly step: string;
      /** Names of the parameters; empty if the plan ends before its first step. */
      readonly parameters: readonly string[];
      /** `no-planner`: the runtime has no planner. `planner`: its model gave no usable answer. */
      readonly reason: "no-planner" | "planner";
      /** Reason why the model's answer can't be used. */
      readonly problem?: PlannerProblem;
    }
  | {
      /** A list has more items than its loop allows. */
      readonly code: "PLAN.TOO_MANY_ITEMS";
      readonly step: string;
      /** Number of items. */
      readonly items: number;
      readonly limit: number;
    }
  | {
      /** A write of the run began, and its outcome is unknown. */
      readonly code: "PLAN.OUTCOME_UNKNOWN";
      readonly run: string;
      readonly step: string;
      /** Id of the call in the ledger. */
      readonly call: string;
    }
  | {
      /** The run belongs to another plan, or to other parameters. */
      readonly code: "PLAN.RUN_TAKEN";
      readonly run: string;
    }
  | {
      /** The caller has no such run. */
      readonly code: "PLAN.NO_RUN";
      readonly run: string;
    }
  | {
      /** The run can't go on now. */
      readonly code: "PLAN.RUN_UNAVAILABLE";
      readonly run: string;
      /**
       * `held`: another process or call runs it. `lost`: this process lost it to another one.
       * `store`: the store of runs failed. `driver`: something else makes the run go on, such as a
       * workflow of DBOS; or DBOS can't be reached.
       */
      readonly reason: "driver" | "held" | "lost" | "store";
    }
  | {
      /** The run was ended without an answer. */
      readonly code: "PLAN.RUN_ENDED";
      readonly run: string;
      /** Status with which it ended, such as `cancelled`. */
      readonly status: string;
    }
  | {
      /** Tools of the plan have changed since the run began. */
      readonly code: "PLAN.CHANGED";
      readonly run: string;
      /** Ids of the steps whose tools differ. */
      readonly steps: readonly string[];
    }
  | {
      /** A call can't be undone, or not now. Nothing was changed. */
      readonly code: "ROLLBACK.REFUSED";
      /** Id of the call that was to be undone. */
      readonly call: string;
      /**
       * Why the call can't be undone:
       *
       * - `unknown-call`: the ledger has no such call of this tenant.
       * - `not-made`: it is a read or a shadow call, or it changed nothing.
       * - `no-way-back`: its record has none.
       * - `not-kept`: the parameters or the copies that are needed are missing or were changed.
       * - `unknown-outcome`: nobody knows if the call, or an earlier rollback of it, was made.
       * - `rolled-back`: another call has undone it.
       * - `running`: another rollback of it is in progress.
       * - `changed-tool`: its tool has changed since.
       * - `changed-ledger`: records of the ledger were changed or removed.
       * - `conflict`: files are not as the call left them.
       * - `unknown-path`: `paths` names a path that the call did not change.
       * - `not-possible`: another process restores the files, the disk is full, or something else is
       *   in the way.
       */
      readonly reason:
        | "unknown-call"
        | "not-made"
        | "no-way-back"
        | "not-kept"
        | "unknown-outcome"
        | "rolled-back"
        | "running"
        | "changed-tool"
        | "changed-ledger"
        | "conflict"
        | "unknown-path"
        | "not-possible";
      /** Id of the other call that undid it, or may have. */
      readonly by?: string;
      /** Files that are not as the call left them. */
      readonly differences?: readonly Difference[];
    }
  | {
      readonly code: "UNKNOWN.INTERNAL";
      /**
       * `aborted`: the caller aborted. `ledger-unavailable`, `store-unavailable`: the ledger or the
       * governance store failed. `lease-lost`: a serial tool lost its lease. `not-saved`: the
       * answer could not be saved. `handler-failed`: the handler threw. `bug`: skillc or an
       * executor is wrong.
       */
      readonly reason:
        | "aborted"
        | "ledger-unavailable"
        | "store-unavailable"
        | "lease-lost"
        | "not-saved"
        | "handler-failed"
        | "bug";
    };

/** The codes of `ToolError`. */
export type ToolErrorCode = ToolFailure["code"];

/** Returns whether the call was denied, rather than failed. */
export function isRefusal(code: ToolErrorCode): boolean {
  return /^(?:AUTH|POLICY|QUOTA|SANDBOX|IDEMPOTENCY)\./.test(code);
}

/**
 * Outcome of the change that a failed call would have made. `not-done`: nothing changed,
 * because nothing was sent, the target rejected the request or rolled it back, or the call was a
 * read. `unknown`: the change may have been made.
 */
export type WriteOutcome = "not-done" | "unknown";

/** Depth from an error object to the fields of its problems, for `util.inspect`. */
const deepestField = 3;

/**
 * The error that every generated tool throws if it has no answer to return: a connection failed, a
 * timeout passed, parameters or a response don't match their schema, or the call was denied.
 * `error.failure` narrows by `code`.
 */
export class ToolError<Failure extends ToolFailure = ToolFailure> extends Error {
  override readonly name = "ToolError";
  /** Code of the failure, such as `PROVIDER.TIMEOUT`. */
  readonly code: Failure["code"];
  /** Code and details of the failure. */
  readonly failure: Failure;
  /**
   * Id of the tool (`skill/tool`). If `dispatchTool` rejects a call before it reaches a tool, the
   * name that the model asked for.
   */
  readonly tool: string;
  /** Number of attempts made; 0 if nothing was sent. */
  readonly attempts: number;
  /**
   * Outcome of the change: `not-done` or `unknown`. Check it before you repeat a write.
   */
  readonly outcome: WriteOutcome;
  /**
   * Id of the step that failed, if the call was one of a plan. In a loop `STEP:INDEX`; for a step
   * that is a plan, followed by a dot and the id of its step.
   */
  readonly step?: string;

  constructor(tool: string, failure: Failure, message: string, options: ToolErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.tool = tool;
    this.code = failure.code;
    this.failure = failure;
    this.attempts = options.attempts ?? 0;
    this.outcome = options.outcome ?? (this.attempts === 0 ? "not-done" : "unknown");
    if (options.step !== undefined) this.step = options.step;
  }

  /**
   * Prints the error as Node does, but deep enough to show each problem. Node stops at `problems: [
   * [Object] ]`.
   */
  [inspectSymbol](depth: number | null, options: object, inspect: Inspect): string {
    const { attempts, cause, failure, message, outcome, stack = message, step, tool } = this;
    const fields = {
      tool,
      ...(step === undefined ? {} : { step }),
      attempts,
      outcome,
      failure,
      ...(cause === undefined ? {} : { cause }),
    };
    const deep = depth === null ? null : Math.max(depth, deepestField);
    // `Error` wrote the stack before `name` was set.
    return `${stack.replace(/^Error\b/, this.name)} ${inspect(fields, { ...options, depth: deep })}`;
  }
}

/** Optional fields of a `ToolError`. */
export interface ToolErrorOptions {
  readonly cause?: unknown;
  /** Number of attempts made; 0 by default. */
  readonly attempts?: number;
  /** By default `not-done` if there was no attempt, otherwise `unknown`. */
  readonly outcome?: WriteOutcome;
  /** Id of the failed step of a plan. */
  readonly step?: string;
}

/** Returns the same error with another outcome. */
export function withOutcome(error: ToolError, outcome: WriteOutcome): ToolError {
  return error.outcome === outcome ? error : changedError(error, { outcome });
}

/** Returns a copy of an error with some parts changed. Its stack stays, unless it is changed. */
export function changedError(
  error: ToolError,
  changes: Partial<
    Pick<ToolError, "attempts" | "cause" | "failure" | "message" | "outcome" | "stack" | "step">
  > & { readonly tool?: string },
): ToolError {
  const { attempts, cause, failure, message, outcome, stack, step, tool } = {
    ...partsOf(error),
    ...changes,
  };
  const other = new ToolError(tool, failure, message, {
    attempts,
    outcome,
    ...(cause !== undefined && { cause }),
    ...(step !== undefined && { step }),
  });
  if (stack !== undefined) other.stack = stack;
  return other;
}

/** Copies the parts, because `message`, `stack` and `cause` may not be enumerable. */
function partsOf({ attempts, cause, failure, message, outcome, stack, step, tool }: ToolError) {
  return { attempts, cause, failure, message, outcome, stack, step, tool };
}

/**
 * Returns whether a caught value is a `ToolError`, optionally with one code, and narrows its type.
 */
export function isToolError<Code extends ToolErrorCode = ToolErrorCode>(
  value: unknown,
  code?: Code,
): value is ToolError<Extract<ToolFailure, { code: Code }>> {
  return value instanceof ToolError && (code === undefined || value.code === code);
}

/**
 * An answer that can't be read. A binding kind turns it into a `ToolError` with code
 * `PROVIDER.PROTOCOL`, whose reason is this message.
 */
export class UnreadableAnswer extends Error {
  override readonly name = "UnreadableAnswer";

  /**
   * Makes the error for a body that is too long.
   *
   * @param most maximum size of the body, in bytes
   */
  static tooLong(most: number): UnreadableAnswer {
    return new UnreadableAnswer(`the body is longer than ${most} bytes`);
  }
}
