import type { ProducedAttachment, ProducedBytes } from "../ledger/produced-bytes.js";
import type { Caller } from "../caller.js";
import type { Secrets } from "../credentials/secret.js";
import type { ToolError, WriteOutcome } from "../errors.js";
import type { Decision } from "../governance/decision.js";
import type { JsonValue } from "../json/json.js";
import type { AnyResult } from "../result.js";
import type { Keeper } from "../rollback/tool-rollback.js";
import type { WayBack } from "../rollback/way-back.js";
import type { StaleTrial, TrialDetails } from "../rollback/trial.js";
import type { Runtime } from "../runtime.js";
import type { CallHooks, Containment } from "./attempt.js";
import type { Binding, PreparedCall, ResolvedPaths } from "./binding.js";
import type { Mode, ToolContract } from "../tool.js";
import type { Validator } from "../validation/validation.js";
import type { CallOptions } from "./call-options.js";
import type { AnswerStream } from "./answer-stream.js";
import type { PagePlace } from "./page-place.js";
import type { PreflightNotes } from "./preflight-notes.js";
import type { Undoing } from "./undoing.js";

/**
 * A contract without its types. The compiler has checked that its types agree, and the steps only
 * pass on what its validator accepted.
 */
export type AnyTool = Omit<ToolContract<never, never, AnyResult>, "params"> & {
  readonly params: Validator;
};

/** State of one call, shared by its steps. Only the steps change it. */
export interface Call {
  /** UUID of the call. */
  readonly id: string;
  /** Number of the call in this process, in the order of beginning. */
  readonly number: number;
  /** Id of the tool: `skill/tool`. */
  readonly toolId: string;
  readonly tool: AnyTool;
  readonly options: CallOptions;
  readonly runtime: Runtime;
  readonly mode: Mode;
  /** Who makes the call; undefined if unknown. */
  readonly caller: Caller | undefined;
  /** The call that this call undoes. */
  readonly undoing: Undoing | undefined;
  /** Start of the call, by `performance.now()`. */
  readonly startedAt: number;
  /** The caller's own object, used only until it is copied, because the caller may change it. */
  readonly given: unknown;
  /** Copy of the parameters; undefined if they can't be copied. */
  params: unknown;
  /** True if the parameters contain an integer beyond ±(2^53 − 1). */
  hasLargeInteger: boolean;
  /** True if the parameters match their schema. If so, masked values are where the schema says. */
  areParamsFit: boolean;
  /** Parameters with defaults. */
  args: unknown;
  /** Parameters with defaults, without the name of a page. All pages of one list share them. */
  pagedArgs: unknown;
  /** Files and folders that the call names, if governance decides about it. */
  paths: ResolvedPaths | undefined;
  /** Page to fetch; undefined for the first page. */
  page: PagePlace | undefined;
  /** Binding that serves the call: the tool's own, a handler, or a test's fake. */
  binding: Binding<never, AnyResult>;
  /** The prepared request. */
  prepared: PreparedCall<AnyResult> | undefined;
  /** Credentials of the request, by name. */
  secrets: Secrets;
  /** Called at the end of the call. Until then, the credentials are scrubbed from all outputs. */
  release: (() => void) | undefined;
  /** Functions to run during an attempt. */
  hooks: CallHooks;
  /** Ends the call if its serial lease is lost. */
  cancel: Cancel | undefined;
  attempts: number;
  /** Set once the target has accepted the work: address and number of polls. */
  accepted: { readonly at: string; readonly polls: number } | undefined;
  /** `unknown` once an attempt has ended whose effect is unknown. */
  outcome: WriteOutcome;
  /** The answer as received; after validation, without credentials. */
  answered: AnyResult | undefined;
  /** The answer as JSON, cached by `answerJson`. */
  answerJson: string | undefined;
  /** Replaces the answer in records if the answer is not JSON: bytes, or items of a stream. */
  recorded: AnyResult | undefined;
  /** Size of the answer in bytes, if it was saved. */
  answerBytes: number | undefined;
  /** The streamed items of the answer. The call ends when they end. */
  stream: AnswerStream | undefined;
  /** Mismatches of the answer, or of its items, that were reported instead of thrown. */
  misfits: ToolError[] | undefined;
  /** True if an answer that doesn't match its schema must throw, whatever the runtime's options. */
  mustFit: boolean;
  /** Status code of the answer, such as `201`, for messages. */
  answeredWith: string | undefined;
  /** Outcome of the write according to an unsuccessful answer. */
  answerOutcome: WriteOutcome;
  /** Idempotency key for the provider, if the call is made once. */
  onceKey: string | undefined;
  /**
   * Denial of a keyed call that applies only if the store has no answer: its approval was used
   * before, or a budget is used up.
   */
  refusal: (() => ToolError | Promise<ToolError>) | undefined;
  /**
   * Set before an approval if the call can be tried: tries it and asks for the approval. Set to the
   * approved trial once there is one.
   */
  trial: (() => Promise<void>) | ApprovedTrial | undefined;
  /** Result for the caller. Once it is set, the remaining steps are skipped. */
  result: AnyResult | undefined;
  /** Bytes that the last attempt produced, if the ledger keeps them. */
  produced: ProducedBytes | undefined;
  /** Set if a process of the call ran without the sandbox that its tool wants. */
  containment: Containment | undefined;
  /**
   * Encrypted attachment of the end record: the whole request for an approver, or parameters of the
   * way back.
   */
  sealed: ProducedAttachment | undefined;
  /** Keeps copies of what the call changes; opened by the first attempt that asks for it. */
  keeper: Keeper | undefined;
  /** How the call can be undone, if a keeper has kept copies of what it changed. */
  wayBack: WayBack | undefined;
  /** Request that shadow mode recorded. */
  request: JsonValue | undefined;
  /** Parameters as the ledger keeps them, as JSON. Both records share the text. */
  recordedParams: string | undefined;
  /** Facts that a dry run collects; undefined for a real call. */
  readonly preflight: PreflightNotes | undefined;
  /** Governance's decision; undefined without governance. */
  decision: Decision | undefined;
  /**
   * Functions that run when the call ends, in reverse order. The end record is written after them.
   */
  endings: EndingListener[] | undefined;
}

/** A trial whose changes the call makes. */
export interface ApprovedTrial {
  readonly kept: TrialDetails;
  /** True once it is known that nobody can make these changes. The approval is then used up. */
  isOver: boolean;
  /** Makes the error for changes that can't be made. */
  readonly stale: (error: StaleTrial) => ToolError;
}

/** Ends a call from inside, for example because it lost its lease. */
export interface Cancel {
  /** Error of the call, once it is canceled. */
  readonly error: ToolError | undefined;
  /** Called when the call is canceled; set during an attempt. */
  listener: ((error: ToolError) => void) | undefined;
}

/** How a call ended: with a result or an error. */
export type Ending = { readonly result: AnyResult } | { readonly error: ToolError };

/**
 * Runs when a call ends; may return a promise. If it throws, the error replaces the call's result,
 * unless the caller already has the result.
 */
export type EndingListener = (ending: Ending) => undefined | Promise<void>;

/**
 * One step of every call. It changes the call, or throws to end the call. It returns a promise only
 * if it has to wait, so that other steps don't cost a turn of the event loop.
 */
export type Step = (call: Call) => undefined | Promise<void>;

/** A step with the name that spans and reports show. */
export interface NamedStep {
  readonly name: string;
  readonly run: Step;
}

/** Lists steps in the order in which they are written. */
export function namedSteps(steps: { readonly [name: string]: Step }): readonly NamedStep[] {
  return Object.entries(steps).map(([name, run]) => ({ name, run }));
}
