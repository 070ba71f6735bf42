/**
 * A dry run: the steps of a call as far as they decide about it. Nothing is sent, spent or stored;
 * the ledger and events don't hear of it.
 */
import { isToolError, type ToolError, type ToolFailure } from "../errors.js";
import type { JsonValue } from "../json/json.js";
import type { AnyResult } from "../result.js";
import type { Call, NamedStep } from "./call.js";
import type { CallOptions } from "./call-options.js";
import type { BudgetNote } from "./preflight-notes.js";

/** What would become of a call. Plain data, but for what the application gave. */
export interface Preflight {
  /** Whether it would be sent. What the other side makes of it nobody knows. */
  readonly allow: boolean;
  /** Whether the runtime has governance: without, nothing was asked but whether the call fits. */
  readonly governed: boolean;
  /** Why it would not be sent: the first thing that speaks against it. */
  readonly reason?: PreflightReason;
  /** What decided, as in the ledger. */
  readonly decidedBy: readonly string[];
  /** Names of what would be done to its answer. */
  readonly obligations: readonly string[];
  readonly budget: readonly BudgetNote[];
  /**
   * The request as shadow mode records it; absent for a call that is refused, but for want of an
   * approval.
   */
  readonly request?: JsonValue;
}

export interface PreflightReason {
  readonly code: ToolFailure["code"];
  readonly message: string;
  readonly failure: ToolFailure;
}

/** A generated tool. */
type Tool<Params> = (params: Params, options?: CallOptions) => Promise<AnyResult>;

/** Under which a dry run stands in a call's options: the same for every copy of this package. */
const key = Symbol.for("skillc.preflight");

interface PreflightRequest {
  found: Preflight | undefined;
}

/**
 * What would become of a call, by a dry run of its steps: nothing is sent, nothing is spent or used
 * up, nothing is recorded, and no function of the application for a credential is asked.
 *
 * @param tool a generated tool
 * @throws TypeError for a function that is none
 * @throws ToolError when the caller aborts
 */
export async function preflight<Params>(
  tool: Tool<Params>,
  args: Params,
  options: CallOptions = {},
): Promise<Preflight> {
  const asked: PreflightRequest = { found: undefined };
  // In shadow mode, in case that the tool is of a package that doesn't know the key.
  await tool(args, { ...options, mode: "shadow", [key]: asked } as CallOptions);
  if (asked.found === undefined)
    throw new TypeError("`preflight` takes a generated tool, which passes its options on");
  return asked.found;
}

/** Whom to tell what was found out, where a call is to be a dry run. */
export function preflightOf(options: CallOptions): PreflightRequest | undefined {
  // Only `preflight` puts something there.
  return (options as { readonly [key]?: PreflightRequest })[key];
}

/**
 * Runs the steps that come before anything is sent, up to the first that refuses the call: it would
 * go no further. A missing approval alone doesn't end them, since it may still be given.
 *
 * @param told what is thrown, as the caller gets it
 */
export async function dryRun(
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
      // Whoever is to approve the call wants to see the rest. Any other refusal ends a call, too.
      if (error.code !== "AUTH.APPROVAL_REQUIRED") break;
    }
  }
  const { decision, preflight: notes, request, runtime } = call;
  return {
    allow: refusal === undefined,
    governed: runtime.governance !== undefined,
    ...(refusal !== undefined && { reason: reasonOf(refusal) }),
    decidedBy: decidedBy ?? decision?.decidedBy ?? [],
    obligations: decision?.obligations ?? [],
    budget: notes?.budget ?? [],
    ...(request !== undefined && { request }),
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
