/**
 * Dry runs: the steps of a call that decide about it. Nothing is sent, spent, stored, recorded in
 * the ledger or announced as an event.
 */
import { isToolError, type ToolError, type ToolFailure } from "../errors.js";
import type { JsonValue } from "../json/json.js";
import type { AnyResult } from "../result.js";
import type { BoundPlan, PlanFacts } from "./binding.js";
import type { AnyTool, Call, NamedStep } from "./call.js";
import type { CallOptions } from "./call-options.js";
import type { BudgetNote } from "./preflight-notes.js";
import { receive } from "./steps/receive.js";
import { validate } from "./steps/validate.js";

/** Result of a dry run. It is plain data, except for values that the application supplied. */
export interface Preflight {
  /** True if the call would be sent. The target's answer is unknown. */
  readonly allow: boolean;
  /**
   * True if the runtime has governance. Without it, the dry run checks only whether the call is
   * valid.
   */
  readonly governed: boolean;
  /** The first reason why the call would not be sent. */
  readonly reason?: PreflightReason;
  /** Ids of the policies, grants or quotas that decided, as in the ledger. */
  readonly decidedBy: readonly string[];
  /** Names of the obligations that would change the answer. */
  readonly obligations: readonly string[];
  /** Budgets that the call would use. */
  readonly budget: readonly BudgetNote[];
  /**
   * The request as shadow mode records it; absent if the call is denied for another reason than a
   * missing approval.
   */
  readonly request?: JsonValue;
  /** For a plan: what its steps may need and do. */
  readonly plan?: PlanFacts;
}

/** A reason for not sending a call. */
export interface PreflightReason {
  /** Code of the error that a call would throw. */
  readonly code: ToolFailure["code"];
  /** Message of the error. */
  readonly message: string;
  /** All fields of the error. */
  readonly failure: ToolFailure;
}

/** A generated tool. */
type Tool<Params> = (params: Params, options?: CallOptions) => Promise<AnyResult>;

/** Key of a dry run in the options of a call; the same for every copy of this package. */
const key = Symbol.for("skillc.preflight");

/** Receives a call that is not made. */
interface PreflightRequest {
  /**
   * @param steps the steps of a dry run
   * @param told turns a thrown value into the error that the caller gets
   */
  receive(
    call: Call,
    steps: readonly NamedStep[],
    told: (thrown: unknown) => ToolError,
  ): Promise<void>;
}

/**
 * Makes a dry run of a call and reports whether the call would be sent. It sends, spends and
 * records nothing, and doesn't call the application's credential functions.
 *
 * @param tool a generated tool
 * @throws TypeError if the function is not a generated tool
 * @throws ToolError if the caller aborts
 */
export async function preflight<Params>(
  tool: Tool<Params>,
  args: Params,
  options: CallOptions = {},
): Promise<Preflight> {
  let found: Preflight | undefined;
  const asked: PreflightRequest = {
    async receive(call, steps, told) {
      found = await dryRun(call, steps, told);
    },
  };
  await tool(args, withRequest(options, asked));
  if (found === undefined)
    throw new TypeError("`preflight` needs a generated tool, which forwards its options");
  return found;
}

/**
 * Returns the steps of a generated plan; undefined for another function. Decides, sends and records
 * nothing.
 */
export async function stepsOfPlan(
  tool: Tool<never>,
  options: Pick<CallOptions, "runtime">,
): Promise<BoundPlan["steps"] | undefined> {
  return (await contractOf(tool, options))?.binding.plan?.steps;
}

/**
 * Returns the contract of a generated tool; undefined for another function. Decides, sends and
 * records nothing.
 */
export async function contractOf(
  tool: Tool<never>,
  options: Pick<CallOptions, "runtime">,
): Promise<AnyTool | undefined> {
  let found: AnyTool | undefined;
  const asked: PreflightRequest = {
    async receive(call) {
      found = call.tool;
    },
  };
  // `receive` never reads the arguments.
  await tool({} as never, withRequest(options, asked));
  return found;
}

/**
 * Returns the call that a generated tool would make, with valid parameters and a valid caller.
 * Decides, sends and records nothing.
 *
 * @throws ToolError if parameters or caller are not valid
 * @throws TypeError if an option is not valid, or the function is not a generated tool
 */
export async function validCall<Params>(
  tool: Tool<Params>,
  args: Params,
  options: CallOptions,
): Promise<Call> {
  let found: Call | undefined;
  const asked: PreflightRequest = {
    async receive(call, _steps, told) {
      try {
        receive(call);
        validate(call);
      } catch (thrown) {
        throw told(thrown);
      }
      found = call;
    },
  };
  await tool(args, withRequest(options, asked));
  if (found === undefined)
    throw new TypeError("the function is not a generated tool, which forwards its options");
  return found;
}

function withRequest(options: CallOptions, asked: PreflightRequest): CallOptions {
  // Use shadow mode too, in case the tool comes from a package that doesn't know the key.
  return { ...options, mode: "shadow", [key]: asked } as CallOptions;
}

/** Returns the receiver of the result if the call is a dry run. */
export function preflightOf(options: CallOptions): PreflightRequest | undefined {
  // Only `preflight` sets this key.
  return (options as { readonly [key]?: PreflightRequest })[key];
}

/**
 * Runs the steps before the request is sent, up to the first one that denies the call. A missing
 * approval doesn't stop the run, because it may still be given.
 */
async function dryRun(
  call: Call,
  steps: readonly NamedStep[],
  told: (thrown: unknown) => ToolError,
): Promise<Preflight> {
  let refusal: ToolError | undefined;
  let decidedBy: readonly string[] | undefined;
  for (const { run } of steps) {
    try {
      const waiting = run(call);
      if (waiting !== undefined) await waiting;
    } catch (thrown) {
      const error = told(thrown);
      if (isAborted(error)) throw error;
      refusal ??= error;
      decidedBy ??= call.decision?.decidedBy;
      // The approver wants to see the rest. Any other denial ends the call.
      if (error.code !== "AUTH.APPROVAL_REQUIRED") break;
    }
  }
  const { binding, decision, preflight: notes, request, runtime } = call;
  return {
    allow: refusal === undefined,
    governed: runtime.governance !== undefined,
    ...(refusal !== undefined && { reason: reasonOf(refusal) }),
    decidedBy: decidedBy ?? decision?.decidedBy ?? [],
    obligations: decision?.obligations ?? [],
    budget: notes?.budget ?? [],
    ...(request !== undefined && { request }),
    ...(binding.plan !== undefined && { plan: binding.plan.facts }),
  };
}

function reasonOf({ code, failure, message }: ToolError): PreflightReason {
  return { code, message, failure };
}

function isAborted(error: ToolError): boolean {
  return (
    isToolError(error, "UNKNOWN.INTERNAL") &&
    (error.failure.reason === "aborted" || error.failure.reason === "bug")
  );
}
