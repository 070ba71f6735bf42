/**
 * What the steps of governance share: a project's policy, ready to be asked, and how the
 * application wants it applied.
 */
import type { Call } from "../call/call.js";
import { abortedError, callError } from "../call/call-error.js";
import { orAborted } from "../call/or-aborted.js";
import type { ToolError, ToolFailure } from "../errors.js";
import type { Decision } from "./decision.js";
import type { DigestOf } from "./digests.js";
import type { GovernedTool, ProjectPolicy } from "./policy.js";
import type { Seal } from "./seal.js";
import type { GovernanceStore, MaybePromise } from "./store/store.js";

export interface Governor {
  readonly policy: ProjectPolicy;
  readonly store: GovernanceStore;
  /** Encrypts answers that a store keeps; undefined only where none leaves the process. */
  readonly seal: Seal | undefined;
  /** The application's `key`, which keys of other purposes are derived of. */
  readonly key: Uint8Array | undefined;
  readonly digest: DigestOf;
  /** What a read does while the store can't be asked; a write is always refused. */
  readonly readsWithoutStore: "made" | "refused";
  /** How long the answer of a keyed call is kept, in milliseconds. */
  readonly keepAnswersMs: number;
  /** Bytes of the largest answer that is kept. */
  readonly largestAnswer: number;
}

/** The tool's part of the policy; `discover` has made sure that there is one. */
export function governedTool({ policy }: Governor, { toolId }: Call): GovernedTool {
  const tool = Object.hasOwn(policy.tools, toolId) ? policy.tools[toolId] : undefined;
  if (tool === undefined) throw new Error(`\`${toolId}\` is not in the policy`);
  return tool;
}

/** The call's evidence, which its steps fill in. */
export function decisionOf(call: Call): Decision {
  if (call.decision === undefined) throw new Error("the first step of governance makes it");
  return call.decision;
}

/** Why governance refuses a call, with what decided in its evidence. */
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
 * What a store gives, or undefined where it can't be asked and the call goes on without: a read, if
 * the application wants it so.
 *
 * @param late gives back what comes when the call has been aborted
 * @throws ToolError for every other call, and when the caller aborts
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
      `\`${call.toolId}\` was not called: the store of its governance can't be asked`,
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
 * Tells a store of the end of something, which it may miss. What can't be given back stays taken,
 * which is the safe side, until the store says otherwise.
 */
export function quietly(tell: () => MaybePromise<void> | undefined): undefined | Promise<void> {
  try {
    const told = tell();
    return told instanceof Promise ? told.catch(() => {}) : undefined;
  } catch {
    return undefined;
  }
}

/** Goes on with a value that may have to be waited for; where it has not, in the same turn. */
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
