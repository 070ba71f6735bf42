import type { Caller, CallerField } from "./caller.js";
import type { Scrubber } from "./credentials/scrubber.js";
import type { Defaults } from "./call/defaults.js";
import type { ToolError, WriteOutcome } from "./errors.js";
import type { FileRules } from "./files/tool-file.js";
import type { JsonValue } from "./json/json.js";
import type { HttpReach, Reach } from "./reach.js";
import type { AnyResult } from "./result.js";
import type { Keeper, ToolRollback } from "./rollback/tool-rollback.js";
import type { TrialDetails, TrialOptions } from "./rollback/trial.js";
import type { Validator } from "./validation/validation.js";

/** `active`: calls are made. `shadow`: writes are only recorded. */
export type Mode = "active" | "shadow";
/** `read`: a call changes nothing. `write`: a call may change something. */
export type Effect = "read" | "write";
/**
 * Handling of a service's answer that doesn't match its schema: the call throws (`refuse`) or
 * returns it and reports the mismatch (`report`).
 */
export type Misfits = "refuse" | "report";

/**
 * Everything that a generated module declares about one tool: data, validators, and the binding
 * that makes the call.
 *
 * @typeParam Result all answers of the binding, and of a handler that replaces the binding
 * @typeParam Given the answers that callers get, if a project's obligations change them
 */
export interface ToolContract<
  Params,
  Arguments,
  Result extends AnyResult,
  Given extends AnyResult = Result,
> {
  /** Name of the skill. */
  readonly skill: string;
  /** Name of the tool. */
  readonly name: string;
  /** Hashes that every ledger record contains. */
  readonly version: ToolVersion;
  /** Effect of a call: read or write. */
  readonly effect: Effect;
  /** Mode of the tool; `RuntimeOptions.mode` and `CallOptions.mode` override it. */
  readonly mode: Mode;
  /** Time limit of one attempt, connecting included, in milliseconds; absent for no limit. */
  readonly timeoutMs?: number;
  /** How failed attempts are repeated. */
  readonly retry: RetryPolicy;
  /** Prerequisites of the skill. */
  readonly prerequisites?: Prerequisites;
  /** Validates the parameters. */
  readonly params: Validator<Params>;
  /** Default values of parameters. */
  readonly defaults?: Defaults;
  /**
   * Paths of parameters that the ledger must not contain. A path is a list of property names; `*`
   * stands for every item.
   */
  readonly maskedParams?: MaskedPaths;
  /** Parameters that are files, and which of them the runtime reads. */
  readonly files?: FileRules;
  /** Validates `data`. */
  readonly returns?: Validator;
  /** Statuses whose `data` has another type, which `returns` doesn't validate. */
  readonly ownData?: readonly string[];
  /** Fields that the binding needs from the caller. A call without them is denied. */
  readonly caller?: readonly CallerField[];
  /**
   * Set if the project's obligations change the answers, and the types show that. A runtime without
   * governance denies the call, because it would return unchanged answers.
   */
  readonly obliged?: true;
  /** Paths in `data` that the ledger must not contain. */
  readonly maskedResult?: MaskedPaths;
  /** Paths in the `data` of statuses in `ownData` that the ledger must not contain, by status. */
  readonly maskedOwnData?: { readonly [status: string]: MaskedPaths };
  /** Paths in `error` that the ledger must not contain, for every failed status. */
  readonly maskedErrors?: MaskedPaths;
  /** How a call is undone; absent if the skill says nothing. */
  readonly rollback?: ToolRollback<Arguments>;
  /** Makes the call. */
  readonly binding: Binding<Arguments, Result>;
  /** Exists only in types. */
  readonly [given]?: Given;
}

declare const given: unique symbol;

/** Hashes in hex of the parts of a tool. Each hash changes if and only if its part changes. */
export interface ToolVersion {
  /** Hash of the skill's description, text and prerequisites. */
  readonly skill: string;
  /**
   * Hash of everything that decides what a call does: parameters, binding, result, and the types
   * that a database reported for the statement.
   */
  readonly binding: string;
  /**
   * SHA-256 of the tool's manifest: everything that its skill declares about it, description and
   * risk level included. It is not shortened, so that a grant to one manifest can't match another.
   * If a database reported types of parameters, a hash of these types follows after a `-`.
   */
  readonly manifest: string;
}

/**
 * Paths of values that the ledger must not contain: lists of property names; `*` for every item.
 */
export type MaskedPaths = readonly (readonly string[])[];

/** How often and how fast failed attempts are repeated. */
export interface RetryPolicy {
  /** Maximum number of attempts, including the first. */
  readonly maxAttempts: number;
  /** Delay before the second attempt, in milliseconds, before jitter. */
  readonly backoffMs: number;
  /** Factor by which each further delay grows. */
  readonly backoffMultiplier: number;
}

/** Requirements of a skill on the machine and the application. */
export interface Prerequisites {
  /** Names of settings that must have a value. */
  readonly env?: readonly string[];
  /** Programs that must be in `PATH`. */
  readonly bins?: readonly string[];
  /** Paths that must be set in `RuntimeOptions.config`. */
  readonly config?: readonly string[];
  /** Operating systems that the skill supports. */
  readonly os?: readonly string[];
}

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

/** What a plan may need and do, as far as the compiler knows. */
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

/** One attempt of a call, as an executor gets it. */
export interface Attempt {
  /** Id of the tool (`skill/tool`), for errors. */
  readonly tool: string;
  /** Number of the attempt, from 1. */
  readonly number: number;
  /** Time limit of the attempt, in milliseconds; absent for no limit. */
  readonly timeoutMs?: number;
  /** Remaining time of the attempt, in milliseconds. */
  readonly remainingMs?: number | undefined;
  /** Project folder. Relative paths in settings start here. */
  readonly directory: string;
  /** Folder for saved answers. */
  readonly downloads?: string | undefined;
  /**
   * Aborts at the time limit, and if the caller aborts. It is created on first use, because it
   * costs as much as the rest of a call.
   */
  readonly signal: AbortSignal;
  /**
   * Registers a listener without creating a signal. The listener is called once, with the reason,
   * if the attempt ends before it is answered.
   */
  onAbort(listener: AbortListener): void;
  /** Returns the value of a credential that `credentials` lists. */
  readonly open: (name: string) => string;
  /**
   * Checks the lease of a serial tool. Call it right before you send something, because a busy
   * process may have lost the lease since the attempt began. Absent if the call needs no lease.
   *
   * @throws ToolError if the lease is over
   */
  readonly requireTurn?: (() => void) | undefined;
  /**
   * Treats a value, such as a fetched token, as a credential at least until the call ends. `proofs`
   * of the prepared call must list its name.
   *
   * @param name replaces the value in texts, as `${…}`; choose a name that no setting can have
   */
  readonly learn?: (name: string, value: string) => void;
  /**
   * Reports that an answer, or an item of it, doesn't match its schema. It returns if the runtime
   * only reports mismatches, and throws the error otherwise. If absent, mismatches are errors.
   */
  readonly takeMisfit?: (error: ToolError) => void;
  /**
   * Returns a sink for bytes that this attempt produces, such as a process's output. `keepBytes`
   * calls it. If it is absent or returns undefined, the ledger keeps no bytes. The ledger keeps
   * only the bytes of a call's last attempt.
   */
  readonly takeBytes?: ((facts: ProducedFacts) => BytesSink | undefined) | undefined;
  /** Removes credentials from output before anybody reads it. Attempts of a runtime have it. */
  readonly scrubber?: Pick<Scrubber, "longest" | "scrub" | "scrubValue"> | undefined;
  /**
   * Registers work that ends what an aborted attempt has begun, such as a process. The attempt ends
   * only after it.
   */
  readonly whenAborted?: ((work: () => Promise<void>) => void) | undefined;
  /** Records that the attempt's process runs without the sandbox of skillc. */
  readonly noteContainment?: ((containment: Containment) => void) | undefined;
  /**
   * Paths that governance has decided about. A path that leads elsewhere now must not be used.
   * Absent if nobody decided.
   */
  readonly decidedPaths?: ReadonlySet<string> | undefined;
  /** Keeps copies of files before the attempt changes them, if that is the tool's way back. */
  readonly keeper?: Keeper | undefined;
  /** Key for data that is kept for each runtime. */
  readonly runtime?: object;
  /** Functions that other parts of the call path run during an attempt. */
  readonly hooks: CallHooks;
}

/**
 * Containment of a process that runs without bubblewrap, although its tool wants a sandbox. `none`:
 * nothing contains it. `external`: the deployment contains the whole application.
 */
export type Containment = "none" | "external";

/** Describes bytes that are kept. */
export interface ProducedFacts {
  /** Name of the bytes: `stdout`, or the name of a file. */
  readonly name: string;
  /** Media type of the bytes, such as `text/plain`. */
  readonly type: string;
}

/** Receives the next bytes, and copies those that are kept. */
export type BytesSink = (chunk: Uint8Array) => void;

/**
 * Functions that run before something is sent. Each may throw a `ToolError`, which ends the attempt
 * before anything is sent to that target.
 */
export interface CallHooks {
  /** Runs before each attempt with every target, by value: it can open credentials. */
  readonly sending?: (reach: readonly Reach[], open: (name: string) => string) => void;
  /** Runs before a redirect is followed. Only HTTP bindings follow redirects. */
  readonly redirecting?: (reach: HttpReach) => void;
  /**
   * Runs before an HTTP connection is made, once for every address of the host. HTTP bindings, the
   * schema registry of a queue, and a project's own kinds that use `httpConnections` call it.
   * Clients of databases and brokers make their own connections and don't call it. Calls with the
   * same function share connections, so the function must belong to a rule, not to a call.
   */
  readonly connecting?: (peer: Connecting) => void;
  /** Runs before a process is started, with the program and the arguments that the system gets. */
  readonly starting?: (process: StartingProcess) => void;
  /**
   * Turns an error of `connecting`, which knows no call, into the call's own error. It returns
   * other errors unchanged.
   */
  readonly failing?: (error: unknown) => unknown;
}

/** The peer of a new connection. */
export interface Connecting {
  /** Host as the URL has it. */
  readonly host: string;
  /** One IP address of the host. */
  readonly address: string;
}

/** A process that is about to be started. */
export interface StartingProcess {
  /** Path of the program, or a name that the system looks up in `PATH`. */
  readonly program: string;
  /** Arguments of the program. */
  readonly args: readonly string[];
}

/** The hooks of a call that needs none. */
export const noHooks: CallHooks = Object.freeze({});

/**
 * Stops an attempt, and reports the outcome to the caller. Return `not-done` if nothing that could
 * change anything was sent or will be sent. Return `unknown` if it may have been sent. Returning
 * nothing or throwing counts as `unknown`. If there are several listeners, all must return
 * `not-done`.
 */
export type AbortListener = (reason: unknown) => WriteOutcome | void;

/** The answer to one attempt. */
export interface AttemptOutcome<Result extends AnyResult> {
  /** Answer to return to the caller. */
  readonly result: Result;
  /**
   * Set if the target asks for another attempt. `afterMs` is the delay that it asks for, in
   * milliseconds.
   */
  readonly retry?: { readonly afterMs?: number };
  /**
   * Outcome of the write if the answer is no success: `unknown` if it may have been made.
   * Absent if it was not made.
   */
  readonly outcome?: WriteOutcome;
  /**
   * Size of the answer in bytes, if the result doesn't contain the whole answer because it was
   * saved.
   */
  readonly answerBytes?: number;
  /** Status code, or something similar, for messages. */
  readonly answeredWith?: string;
  /**
   * Set if the target accepted the request and has no answer yet. The caller doesn't get `result`,
   * and the request is never sent again.
   */
  readonly accepted?: Accepted<Result>;
}

/** Work that a target has accepted and not finished. */
export interface Accepted<Result extends AnyResult> {
  /** Address to poll, as the ledger keeps it, without secrets. */
  readonly at: string;
  /**
   * Address to poll, for `PreparedCall.follow`. It may contain secrets, so only an encrypted store
   * keeps it.
   */
  readonly address?: string;
  /** Delay before the next poll, in milliseconds. */
  readonly waitMs: number;
  /**
   * Polls the target.
   *
   * @throws as `send` does
   */
  ask(attempt: Attempt): Promise<AttemptOutcome<Result>>;
}

/** Default values of a contract. The compiler leaves defaults out of generated modules. */
export const contractDefaults = {
  mode: "active",
  /** Time limit of one attempt, in milliseconds. */
  timeoutMs: 5000,
  /** One attempt, because a write must not be repeated. */
  maxAttempts: 1,
  backoffMs: 1000,
  backoffMultiplier: 2,
} as const;

/** A contract as a generated module writes it, without the values that equal their defaults. */
export interface ToolDeclaration<
  Params,
  Arguments,
  Result extends AnyResult,
  Given extends AnyResult = Result,
> extends Omit<ToolContract<Params, Arguments, Result, Given>, "mode" | "retry" | "timeoutMs"> {
  readonly mode?: Mode;
  readonly retry?: Partial<RetryPolicy>;
  /**
   * Time limit of one attempt, connecting included, in milliseconds; 0 for no limit. The default is
   * the binding's own limit, else that of `contractDefaults`.
   */
  readonly timeoutMs?: number;
}

/** Makes a tool's contract: checks that the types of its parts agree, and adds the defaults. */
export function defineTool<
  Params,
  Arguments,
  Result extends AnyResult,
  Given extends AnyResult = Result,
>(
  tool: ToolDeclaration<Params, Arguments, Result, Given>,
): ToolContract<Params, Arguments, Result, Given> {
  const { maxAttempts, backoffMs, backoffMultiplier } = contractDefaults;
  const usualMs = tool.binding.timeoutMs ?? contractDefaults.timeoutMs;
  const { mode = contractDefaults.mode, retry, timeoutMs = usualMs, ...rest } = tool;
  return {
    ...rest,
    mode,
    retry: { maxAttempts, backoffMs, backoffMultiplier, ...retry },
    ...(timeoutMs > 0 && { timeoutMs }),
  };
}

/**
 * Rejects an unknown mode. Modes often come from environment variables, and a misspelt `Shadow`
 * must not send requests.
 *
 * @throws TypeError
 */
export function requireMode(mode: Mode | null | undefined): void {
  if (mode != null && mode !== "active" && mode !== "shadow")
    throw new TypeError('`mode` must be "active" or "shadow"');
}

/**
 * Rejects an unknown value of `misfits`.
 *
 * @throws TypeError
 */
export function requireMisfits(misfits: Misfits | null | undefined): void {
  if (misfits != null && misfits !== "refuse" && misfits !== "report")
    throw new TypeError('`misfits` must be "refuse" or "report"');
}
