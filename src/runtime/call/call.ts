import type { ProducedBytes } from "../ledger/produced-bytes.js";
import type { Caller } from "../caller.js";
import type { Secrets } from "../credentials/secret.js";
import type { ToolError, WriteOutcome } from "../errors.js";
import type { Decision } from "../governance/decision.js";
import type { JsonValue } from "../json/json.js";
import type { AnyResult } from "../result.js";
import type { Runtime } from "../runtime.js";
import type { Binding, CallHooks, Mode, PreparedCall, ToolContract } from "../tool.js";
import type { Validator } from "../validation/validation.js";
import type { CallOptions } from "./call-options.js";
import type { AnswerStream } from "./answer-stream.js";
import type { PagePlace } from "./page-place.js";
import type { PreflightNotes } from "./preflight-notes.js";

/**
 * A contract without its types: the compiler that wrote it tied them together, and the steps pass
 * on what its validator accepted.
 */
export type AnyTool = Omit<ToolContract<never, never, AnyResult>, "params"> & {
  readonly params: Validator;
};

/** One call on its way: what its steps share. Only they change it. */
export interface Call {
  /** A UUID. */
  readonly id: string;
  /** Of the calls of this process, in the order in which they began. */
  readonly number: number;
  /** `skill/tool`. */
  readonly toolId: string;
  readonly tool: AnyTool;
  readonly options: CallOptions;
  readonly runtime: Runtime;
  readonly mode: Mode;
  /** Who makes it; undefined when nobody said so. */
  readonly caller: Caller | undefined;
  /** By `performance.now()`. */
  readonly startedAt: number;
  /**
   * The caller's own object, until there is a copy of it. Whoever reads it later may find another.
   */
  readonly given: unknown;
  /** The call's own copy of what was passed; undefined when that can't be copied. */
  params: unknown;
  /** Whether they hold an integer beyond ±(2^53 − 1). */
  hasLargeInteger: boolean;
  /** Whether they are what the schema says: what is to be masked in them is then where it says. */
  areParamsFit: boolean;
  /** The parameters with their defaults. */
  args: unknown;
  /** The same as they were given, without the name of a page: what pages belong to. */
  pagedArgs: unknown;
  /** The page that the call is for, where that is not the first. */
  page: PagePlace | undefined;
  /** What serves the call: the tool's binding, a handler, a test's fake. */
  binding: Binding<never, AnyResult>;
  /** The request. */
  prepared: PreparedCall<AnyResult> | undefined;
  /** The credentials of the request, by name. */
  secrets: Secrets;
  /**
   * To be called when it has ended: until then the values of its credentials are known wherever
   * they must not be seen.
   */
  release: (() => void) | undefined;
  /** What the steps want to look at while an attempt is under way. */
  hooks: CallHooks;
  /** What ends the call, beside its caller: a turn that it could not keep. */
  cancel: Cancel | undefined;
  attempts: number;
  /** Set once the target has taken the work on: where it is asked, and how often it was. */
  accepted: { readonly at: string; readonly polls: number } | undefined;
  /** `unknown` once an attempt has ended of which nobody knows what it changed. */
  outcome: WriteOutcome;
  /** The answer as it came; checked, it is without credentials. */
  answered: AnyResult | undefined;
  /** The same as JSON, as `answerJson` has it. */
  answerJson: string | undefined;
  /** What stands for the answer in records, where it is no JSON: bytes, and items of a stream. */
  recorded: AnyResult | undefined;
  /** Bytes of the answer, where it was saved. */
  answerBytes: number | undefined;
  /** The items of the answer: the call ends with them. */
  stream: AnswerStream | undefined;
  /** Why the answer, or items of it, would have been refused: they don't fit, and are given all the same. */
  misfits: ToolError[] | undefined;
  /** Whether an answer that doesn't fit is refused whatever the runtime says. */
  mustFit: boolean;
  /** What the target said with the answer, for messages: `201`. */
  answeredWith: string | undefined;
  /** What an answer that is no success tells of the write. */
  answerOutcome: WriteOutcome;
  /** Names the call at its provider, where it is made once. */
  onceKey: string | undefined;
  /**
   * Why a keyed call is not to be sent, though it may be answered from the store: its approval was
   * used before, or there is not enough left of a budget.
   */
  refusal: (() => ToolError) | undefined;
  /** What the caller gets. Set, it ends the call: the steps after that are left out. */
  result: AnyResult | undefined;
  /** What its last attempt produced, where the ledger keeps that. */
  produced: ProducedBytes | undefined;
  /** What shadow mode recorded. */
  request: JsonValue | undefined;
  /** Parameters as the ledger keeps them, as JSON; made once for both records. */
  recordedParams: string | undefined;
  /** What a dry run notes; undefined for a call that is made. */
  readonly preflight: PreflightNotes | undefined;
  /** What governance made of it; undefined where none is configured. */
  decision: Decision | undefined;
  /**
   * What steps do when the call has ended, however it did: the last one that joined goes first, and
   * its record is written behind all of them.
   */
  endings: EndingListener[] | undefined;
}

export interface Cancel {
  /** Why the call has no answer, once it is over. */
  readonly error: ToolError | undefined;
  /** Told when that is so; set while an attempt is under way. */
  listener: ((error: ToolError) => void) | undefined;
}

/** How a call ended. */
export type Ending = { readonly result: AnyResult } | { readonly error: ToolError };

/**
 * It may wait; what it throws takes the place of the call's result, where that is still to be had.
 */
export type EndingListener = (ending: Ending) => undefined | Promise<void>;

/**
 * One step of every call. It changes the call, or throws, which ends it. A step that has to wait
 * gives a promise, and one that has not gives nothing: no turn of the event loop is spent on it.
 */
export type Step = (call: Call) => undefined | Promise<void>;

/** A step by its name, which spans and reports have. */
export interface NamedStep {
  readonly name: string;
  readonly run: Step;
}

/** Steps in the order in which they are written. */
export function namedSteps(steps: { readonly [name: string]: Step }): readonly NamedStep[] {
  return Object.entries(steps).map(([name, run]) => ({ name, run }));
}
