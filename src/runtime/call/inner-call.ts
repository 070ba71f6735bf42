/**
 * The door between a plan and the calls that it makes. A plan must know more about a call than an
 * application: its answer has to fit its schema, obligations must not hide that they changed it, and
 * a run that is kept stores each call before it is sent and after it is answered. The plan passes an
 * `InnerCall` in the call's options, by a symbol.
 */
import { hash } from "node:crypto";
import { isInProcess } from "../governance/store/in-process.js";
import type { DataPath } from "../json/data-path.js";
import type { RunJournal } from "../runs/journal.js";
import type { AnyResult } from "../result.js";
import type { Accepted, Attempt } from "./attempt.js";
import type { Call } from "./call.js";
import type { CallOptions } from "./call-options.js";
import { RunningAttempt } from "./running-attempt.js";

/** A call that a plan makes. */
export interface InnerCall {
  /**
   * DataPath of the call in the outermost plan: its step; in a loop `STEP:INDEX`; inside a step that is
   * a plan `STEP.STEP`.
   */
  readonly path: string;
  /** Id of the outermost plan's call. */
  readonly plan: string;
  /** Kept run that the call belongs to. */
  readonly run?: RunJournal | undefined;
  /** Idempotency key, for a tool that takes one. */
  readonly key?: string | undefined;
  /** Set if the tool's own binding may repeat a write whose outcome is unknown. */
  readonly isIdempotent?: boolean;
  /** False if no step and no output of the plan reads the answer's data. */
  readonly isRead: boolean;
  /** Receives the places in the answer's data that obligations changed. */
  readonly changed: DataPath[];
  /** Set if the plan suspends its run when the target accepts work, instead of polling it. */
  readonly suspends?: boolean;
  /** Address of work that the target accepted before. The call polls it and sends nothing. */
  readonly follows?: string | undefined;
  /** Set by the call if the target accepted work, and the plan suspends its run. */
  isWaiting?: boolean;
}

/** Key of an inner call in options; the same for every copy of this package. */
const key = Symbol.for("skillc.inner-call");

/** Returns options with an inner call. */
export function withInnerCall(options: CallOptions, inner: InnerCall): CallOptions {
  return { ...options, [key]: inner } as CallOptions;
}

/** Returns the inner call if a plan makes the call. */
export function innerCallOf(options: CallOptions): InnerCall | undefined {
  // Only `withInnerCall` sets this key.
  return (options as { readonly [key]?: InnerCall })[key];
}

/** Returns the call that an attempt belongs to, for a binding that makes calls itself. */
export function outerCallOf(attempt: Attempt): Call {
  if (attempt instanceof RunningAttempt) return attempt.call;
  throw new TypeError("the attempt of a plan comes from another package");
}

/** Prepares a call that a plan makes. */
export function enterPlan(call: Call, inner: InnerCall): void {
  // A plan uses places in the schema.
  call.mustFit = true;
  if (inner.key !== undefined) call.onceKey = providerKey(call, inner.key);
  const { path, run } = inner;
  if (run === undefined) return;
  call.endings = [
    (ending) => {
      if (inner.isWaiting === true) return undefined;
      if ("error" in ending) return run.failed(path, call.id, ending.error);
      return run.answered(path, call.id, ending.result, inner.changed);
    },
  ];
}

/**
 * Checks that a write of a kept run may be sent, if an earlier attempt of the run began it.
 *
 * @throws ToolError `PLAN.OUTCOME_UNKNOWN` if nothing would recognize the repeat
 */
export function requireRepeatable(call: Call): void {
  const inner = innerCallOf(call.options);
  if (inner?.run === undefined || call.tool.effect === "read") return;
  inner.run.requireRepeatable(inner.path, () => mayRepeat(call, inner));
}

/** A handler in the binding's place takes no key, and a store in memory forgets it in a crash. */
function mayRepeat({ binding, prepared, runtime, tool, toolId }: Call, inner: InnerCall): boolean {
  if (prepared?.isRepeatable === true) return true;
  const { policy, store } = runtime.governance ?? {};
  const known = policy && Object.hasOwn(policy.tools, toolId) ? policy.tools[toolId] : undefined;
  if (known?.idempotency === "keyed" && store !== undefined && !isInProcess(store)) return true;
  return inner.isIdempotent === true && binding === tool.binding;
}

/** Stores that a call of a kept run is about to be sent. The calls of a plan are stored themselves. */
export function beginInnerCall(call: Call): undefined | Promise<void> {
  const inner = innerCallOf(call.options);
  if (inner?.run === undefined || call.binding.plan !== undefined) return undefined;
  if (inner.follows !== undefined) return undefined;
  return inner.run.begin(inner.path, call.id, { tool: call.toolId, isRead: inner.isRead });
}

/**
 * Stores the address of accepted work in the run that the call belongs to.
 *
 * @returns whether the plan suspends its run, so that the call must not wait for the work
 */
export async function acceptInnerCall(
  call: Call,
  { address, at }: Accepted<AnyResult>,
): Promise<boolean> {
  const inner = innerCallOf(call.options);
  if (inner?.run === undefined || address === undefined) return false;
  if (address !== inner.follows) await inner.run.accepted(inner.path, call.id, address);
  if (inner.suspends !== true) return false;
  inner.isWaiting = true;
  call.accepted = { at, polls: inner.follows === undefined ? 0 : 1 };
  return true;
}

/** Returns the idempotency key of a call for its provider, which differs for each caller and tool. */
export function providerKey(call: Call, key: string): string {
  return hash("sha256", callersKey(call, key), "base64url");
}

/** Returns a key with its tenant, subject and tool, so that callers never share one. */
export function callersKey({ caller = {}, toolId }: Call, key: string): string {
  const { subject = null, tenant = null } = caller;
  return JSON.stringify([tenant, subject, toolId, key]);
}
