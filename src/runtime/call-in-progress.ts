import type { CallOptions } from "./call-options.js";
import type { WriteOutcome } from "./errors.js";
import type { JsonValue } from "./json.js";
import type { AnyResult } from "./result.js";
import type { Runtime } from "./runtime.js";
import type { Mode, ToolContract } from "./tool.js";

/** One call on its way: what the steps of the call path share. Only they change it. */
export interface CallInProgress {
  /** A UUID. */
  readonly id: string;
  /** Of the calls of this process, in the order in which they began. */
  readonly number: number;
  /** `skill/tool`. */
  readonly toolId: string;
  /** The parts of the contract that do not depend on its types. */
  readonly tool: Omit<ToolContract<never, never, AnyResult>, "params" | "binding">;
  /** The call's own copy of what was passed; undefined when that can't be copied. */
  params: unknown;
  /** Whether they are what the schema says: what is to be masked in them is then where it says. */
  areParamsFit: boolean;
  readonly options: CallOptions;
  readonly runtime: Runtime;
  readonly mode: Mode;
  /** By `performance.now()`. */
  readonly startedAt: number;
  /** To be called when it has ended: until then the values of its credentials are known wherever they must not be seen. */
  release?: () => void;
  attempts: number;
  /** `unknown` once an attempt has ended of which nobody knows what it changed. */
  outcome: WriteOutcome;
  /** The binding kind that serves the call: the tool's, or `handler`. */
  kind: string;
  /** What shadow mode recorded. */
  request?: JsonValue;
  /** Makes the result as the ledger keeps it, where that may not be the caller's. */
  keptResult?: () => AnyResult;
  /** Parameters as the ledger keeps them, as JSON; made once for both records. */
  recordedParams?: string;
}
