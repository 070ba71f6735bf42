import type { Caller } from "../caller.js";
import type { JsonValue } from "../json/json.js";
import type { Reach } from "../reach.js";
import type { AnyResult } from "../result.js";
import type { TrialDetails, TrialOptions } from "../rollback/trial.js";
import type { Attempt, AttemptOutcome } from "./attempt.js";

/** The executor of a binding kind, set up for one tool. */
export interface Binding<Arguments, Result extends AnyResult> {
  /** Name of the binding kind, for the ledger. */
  readonly kind: string;
  /**
   * Time limit of one attempt, in milliseconds, if the tool's contract has none; 0 for no limit.
   */
  readonly timeoutMs?: number;
  /** Default fields beside `data`, for a handler or fake that returns only data. */
  readonly beside?: object;
  /**
   * Set if a success's data is an `AsyncIterable` of items or of server-sent events. The attempt
   * ends when the first one arrives, and the call when the stream ends.
   */
  readonly streams?: "items" | "events";
  /**
   * Set if a success is saved as a file. The call is denied if the runtime has no folder for
   * downloads.
   */
  readonly saves?: true;
  /**
   * Set if an answer is a page whose `next` names the next page: a `PageName`, an `UnusablePage`,
   * or null after the last page.
   */
  readonly paging?: Paging;
  /** Set if the target may accept work and report its progress later. */
  readonly polling?: PollLimits;
  /**
   * Set for a plan, whose `send` only calls other tools. In shadow mode the runtime makes a plan's
   * call too, and the plan's own calls are recorded.
   */
  readonly plan?: BoundPlan;
  /**
   * Returns the files and folders that a call names, before anybody decides about the call. Set for
   * kinds whose parameters are paths. Policies see them also if a handler replaces the binding.
   *
   * @throws RefusedValue as `prepare` does
   */
  paths?(args: Arguments, call: CallIdentity): CallPaths;
  /**
   * Builds the request. The function is pure: it opens no credential and sends nothing. Both modes
   * use it, so shadow mode records exactly what active mode sends.
   */
  prepare(args: Arguments, call: CallIdentity): PreparedCall<Result>;
}

/** A plan, as far as the runtime knows it before it runs. */
export interface BoundPlan {
  /** Steps, also those of plans inside the plan, with the ids of their tools (`skill/tool`). */
  readonly steps: readonly {
    readonly id: string;
    readonly toolId: string;
    /** Fingerprint of the tool, which a kept run pins; absent for steps of plans inside the plan. */
    readonly manifest?: string;
  }[];
  readonly facts: PlanFacts;
}

/** Facts about the steps of a plan that the compiler knows. */
export interface PlanFacts {
  /** Capabilities of all steps. */
  readonly capabilities: readonly string[];
  /** Names of the credentials that the steps open. */
  readonly credentials: readonly string[];
  /** Scopes that the steps require. */
  readonly scopes: readonly string[];
  /** Ids of the steps whose tools always need an approval. */
  readonly approvals: readonly string[];
  /** Maximum number of calls that write. */
  readonly maxWrites: number;
}

/** Limits of waiting for work that a target has accepted. */
export interface PollLimits {
  /** Maximum time since the target accepted the work, in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum number of polls. */
  readonly mostPolls: number;
}

/** How the next page is requested. */
export interface Paging {
  /** Parameter that names a page; absent if `prepare` reads `call.page` itself. */
  readonly parameter?: string;
  /** Path of property names to the list of items in an answer's data. */
  readonly items: readonly string[];
  /** Name of the extra parameter by which models ask for the next page. */
  readonly next: string;
  /** Set if the answer's own data show whether another page follows. */
  readonly isToldByData?: true;
}

/** Identifies a call, for executors and the ledger. */
export interface CallIdentity {
  /** Random id; the same for all attempts. */
  readonly id: string;
  /** Id of the tool: `skill/tool`. */
  readonly toolId: string;
  /** Who makes the call. */
  readonly caller?: Caller | undefined;
  /** Idempotency key for the provider: a repeated call has the same key. */
  readonly onceKey?: string | undefined;
  /** Page to fetch, as the previous answer named it; absent for the first page. */
  readonly page?: { readonly at: string | number } | undefined;
  /** Options of the call, as far as they say what the call belongs to. */
  readonly options?: { readonly trace?: string; readonly parent?: string };
}

/** The files and folders that a call names. */
export interface CallPaths {
  /** Names of the settings in the paths, and in the folders that bound them. */
  readonly settings: readonly string[];
  /**
   * Follows the links of each path. It reads no content, and rejects nothing: a path that is not
   * allowed stays as it was written, and the call fails later.
   *
   * @param place the project's folder, and a function that returns the value of a setting
   */
  resolve(place: Pick<Attempt, "directory" | "open">): ResolvedPaths;
}

/** The paths of a call after their links were followed. */
export interface ResolvedPaths {
  readonly used: readonly UsedPath[];
  /** Absolute paths of the parameters that are paths themselves, by JSON pointer. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** A file or folder that a call uses. */
export interface UsedPath {
  /** Absolute path, without links if it is allowed. */
  readonly path: string;
  /** Allowed folder as its author wrote it, and the way from there: the same on every machine. */
  readonly name: string;
}

/** One call that can be sent or recorded. */
export interface PreparedCall<Result extends AnyResult> {
  /** Names of the credentials that `send` opens. */
  readonly credentials: readonly string[];
  /**
   * Credentials that are sent in a header, query or body, and are not part of the target's
   * address. The runtime makes sure that an answer doesn't return them.
   */
  readonly proofs?: readonly string[];
  /**
   * Returns every target of `send`, except redirects. The targets contain parameters, so they are
   * never recorded.
   *
   * @param open returns the value of a credential; without it, targets contain names:
   * `${ORDERS_URL}`
   */
  reach(open?: (name: string) => string): readonly Reach[];
  /** Returns the request as shadow mode records it, with `${NAME}` in place of credentials. */
  describe(): JsonValue;
  /**
   * Idempotency key that the skill builds from this call's parameters. A repeated call has the same
   * key.
   */
  readonly idempotencyKey?: string | undefined;
  /** Set if the provider gets a key by which it recognizes a repeated call. */
  readonly isRepeatable?: boolean;
  /** Set if the request body was a stream that has been read. No other attempt can send it. */
  readonly isSpent?: boolean;
  /**
   * Returns what identifies the request, if `describe` doesn't: it has more, such as headers that
   * trace a call, or less, such as the identity of files.
   */
  readonly fingerprint?: () => JsonValue;
  /**
   * Describes the request with masked parameters, if rebuilding it from masked arguments is not
   * enough.
   */
  readonly describeMasked?: (args: unknown) => JsonValue;
  /** Returns the result as the ledger keeps it, if the result repeats masked parameters. */
  readonly maskResult?: (result: AnyResult, args: unknown) => AnyResult;
  /**
   * Set if a result contains only the request, numbers and ids. The output of `maskResult` is then
   * not searched for masked values again.
   */
  readonly isReceipt?: true;
  /**
   * Makes one attempt. It must stop when `signal` aborts.
   *
   * @throws ToolError whose `outcome` says whether something may have changed; also any error of
   * the transport, which doesn't say that
   */
  send(attempt: Attempt): Promise<AttemptOutcome<Result>>;
  /** Set if the call can be tried, so that an approver sees what it would change. */
  readonly trial?: CallTrial<Result> | undefined;
  /**
   * Polls work that the target accepted from an earlier call with the same parameters, maybe of
   * another process. Absent if the binding can't do that.
   *
   * @param address `Accepted.address` of that call
   * @throws as `send` does
   */
  readonly follow?:
    ((address: string, attempt: Attempt) => Promise<AttemptOutcome<Result>>) | undefined;
}

/** A call that can be tried. */
export interface CallTrial<Result extends AnyResult> {
  /**
   * Makes the call, and keeps its changes in a private place instead of making them. It opens no
   * credential.
   *
   * @returns undefined if a trial is not possible on this machine
   * @throws as `PreparedCall.send` does, with the outcome `not-done`
   */
  run(attempt: Attempt, options: TrialOptions): Promise<TrialDetails | undefined>;
  /**
   * Makes the kept changes.
   *
   * @throws StaleTrial if they can't be made any more; else as `PreparedCall.send` does
   */
  apply(kept: TrialDetails, attempt: Attempt): Promise<AttemptOutcome<Result>>;
  /** Removes kept changes. It never rejects. */
  discard(kept: TrialDetails): Promise<void>;
}
