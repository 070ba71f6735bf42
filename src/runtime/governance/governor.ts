/**
 * State that the steps of governance share: the policy, the store, and the application's options.
 */
import type { Call } from "../call/call.js";
import { abortedError, callError } from "../call/call-error.js";
import { orAborted } from "../call/or-aborted.js";
import type { ToolError, ToolFailure } from "../errors.js";
import type { Decision } from "./decision.js";
import type { DigestOf } from "./digests.js";
import type { ToolEvent } from "./events.js";
import type { GovernedTool, ProjectPolicy } from "./policy.js";
import type { Seal } from "../seal.js";
import type { GovernanceStore, MaybePromise } from "./store/store.js";

export interface Governor {
  readonly policy: ProjectPolicy;
  readonly store: GovernanceStore;
  /** Encrypts stored answers; undefined only if all answers stay in this process. */
  readonly seal: Seal | undefined;
  /** The application's `key`, from which keys for other purposes are derived. */
  readonly key: Uint8Array | undefined;
  readonly digest: DigestOf;
  /** Encrypts whole requests for approvers; undefined without a `key`. */
  readonly requestSeal: Seal | undefined;
  /** Sends an event to the application's sink; undefined if it has none. */
  readonly tell: ((event: ToolEvent) => void) | undefined;
  /** Handling of a read while the store can't be reached. A write is always denied. */
  readonly readsWithoutStore: "made" | "refused";
  /** Lifetime of a keyed call's answer, in milliseconds. */
  readonly keepAnswersMs: number;
  /** Maximum size of a stored answer, in bytes. */
  readonly largestAnswer: number;
}

/** Returns the tool's part of the policy. The step `discover` has checked that it exists. */
export function governedTool({ policy }: Governor, { toolId }: Call): GovernedTool {
  const tool = Object.hasOwn(policy.tools, toolId) ? policy.tools[toolId] : undefined;
  if (tool === undefined) throw new Error(`\`${toolId}\` is not in the policy`);
  return tool;
}

/** Returns the call's decision, which its steps fill in. */
export function decisionOf(call: Call): Decision {
  if (call.decision === undefined)
    throw new Error("the first step of governance creates the decision");
  return call.decision;
}

/** Makes the error of a denied call, and records what decided. */
export function refused(
  call: Call,
  failure: ToolFailure,
  message: string,
  decidedBy: readonly string[] = [],
): ToolError {
  if (call.decision !== undefined && decidedBy.length > 0) call.decision.decidedBy = decidedBy;
  return callError(call, failure, message);
}

/**
 * Asks the store. Returns undefined if the store can't be reached and the call may go on without
 * it: the call is a read, and the application allows that.
 *
 * @param late undoes the operation if its result arrives after the call was aborted
 * @throws ToolError for every other call, and if the caller aborts
 */
export function askStore<Value>(
  governor: Governor,
  call: Call,
  ask: (store: GovernanceStore) => Value | Promise<Value>,
  late?: (value: Value, store: GovernanceStore) => void | Promise<void>,
): Value | undefined | Promise<Value | undefined> {
  const failed = (cause: unknown): undefined => {
    if (call.tool.effect === "read" && governor.readsWithoutStore === "made") return undefined;
    throw callError(
      call,
      { code: "UNKNOWN.INTERNAL", reason: "store-unavailable" },
      `\`${call.toolId}\` was not called: the store of its governance cannot be reached`,
      { cause },
    );
  };
  if (call.options.signal?.aborted) throw abortedError(call);
  try {
    const answer = ask(governor.store);
    if (!(answer instanceof Promise)) return answer;
    return orAborted(call, answer.catch(failed), (value) => {
      if (value !== undefined) void quietly(() => late?.(value, governor.store));
    });
  } catch (cause) {
    return failed(cause);
  }
}

/**
 * Tells a store that something has ended, and ignores failures. If the store misses it, the
 * resource stays taken until it expires, which is safe.
 */
export function quietly(tell: () => MaybePromise<void> | undefined): undefined | Promise<void> {
  try {
    const delivery = tell();
    return delivery instanceof Promise ? delivery.catch(() => {}) : undefined;
  } catch {
    return undefined;
  }
}

/** Continues with a value that may be a promise. If it is none, continues synchronously. */
export function whenKnown<Value>(
  value: MaybePromise<Value>,
  use: (value: Value) => undefined | Promise<void>,
): undefined | Promise<void>;
export function whenKnown<Value, Used>(
  value: MaybePromise<Value>,
  use: (value: Value) => Used,
): MaybePromise<Used>;
export function whenKnown<Value, Used>(
  value: MaybePromise<Value>,
  use: (value: Value) => Used,
): unknown {
  return value instanceof Promise ? value.then(use) : use(value);
}
