import type { Caller, CallerField } from "./caller.js";
import type { Defaults } from "./call/defaults.js";
import type { ToolError, WriteOutcome } from "./errors.js";
import type { FileRules } from "./files/tool-file.js";
import type { JsonValue } from "./json/json.js";
import type { HttpReach, Reach } from "./reach.js";
import type { AnyResult } from "./result.js";
import type { Validator } from "./validation/validation.js";

export type Mode = "active" | "shadow";
export type Effect = "read" | "write";
/** What becomes of an answer of a service that doesn't fit its schema. */
export type Misfits = "refuse" | "report";

/**
 * Everything a generated module says of one tool: data, validators, and the binding that makes the
 * call.
 *
 * @typeParam Result every answer of the binding, and of what serves the tool in its place
 * @typeParam Given what callers have of them, where a project's obligations change them
 */
export interface ToolContract<
  Params,
  Arguments,
  Result extends AnyResult,
  Given extends AnyResult = Result,
> {
  readonly skill: string;
  readonly name: string;
  /** Hashes that stand in every ledger record. */
  readonly version: ToolVersion;
  readonly effect: Effect;
  readonly mode: Mode;
  /**
   * Milliseconds for one attempt, connection included. Absent: no limit but the caller's signal.
   */
  readonly timeoutMs?: number;
  readonly retry: RetryPolicy;
  readonly prerequisites?: Prerequisites;
  /** Checks what callers pass. */
  readonly params: Validator<Params>;
  readonly defaults?: Defaults;
  /**
   * Where parameters hold what the ledger must not: paths of property names, `*` for every item.
   */
  readonly maskedParams?: MaskedPaths;
  /** Where parameters are files, and which of them are read. */
  readonly files?: FileRules;
  /** Checks `data`. */
  readonly returns?: Validator;
  /** The statuses whose `data` is of a type of its own, of which `returns` says nothing. */
  readonly ownData?: readonly string[];
  /** What the binding takes from the caller: a call without one that says all of it is refused. */
  readonly caller?: readonly CallerField[];
  /**
   * The project's obligations change its answers, and their types say so: a runtime without
   * governance, which would give them as they are, refuses the call.
   */
  readonly obliged?: true;
  /** Where `data` holds what the ledger must not. */
  readonly maskedResult?: MaskedPaths;
  /** The same of the statuses in `ownData`, by status. */
  readonly maskedOwnData?: { readonly [status: string]: MaskedPaths };
  /** The same of `error`, whatever failed. */
  readonly maskedErrors?: MaskedPaths;
  readonly binding: Binding<Arguments, Result>;
  /** For types alone. */
  readonly [given]?: Given;
}

declare const given: unique symbol;

/**
 * What was called, as hashes in hex: each changes when what it is of does, and with nothing else.
 */
export interface ToolVersion {
  /** Of what the skill says: its description, its text, its prerequisites. */
  readonly skill: string;
  /**
   * Of all that decides what a call does: parameters, binding, result, and what a database made of
   * the statement.
   */
  readonly binding: string;
  /**
   * Of the tool's manifest: all that it says in its skill, description and risk level included. A
   * whole SHA-256, so that what is granted to one manifest is granted to no other; where a database
   * told types of parameters, that of these follows behind a `-`.
   */
  readonly manifest: string;
}

export type MaskedPaths = readonly (readonly string[])[];

export interface RetryPolicy {
  /** Total attempts, the first included. */
  readonly maxAttempts: number;
  /** Milliseconds before the second attempt, before jitter. */
  readonly backoffMs: number;
  readonly backoffMultiplier: number;
}

export interface Prerequisites {
  readonly env?: readonly string[];
  readonly bins?: readonly string[];
  readonly config?: readonly string[];
  readonly os?: readonly string[];
}

/** A binding kind's executor, tied to one tool's contract. */
export interface Binding<Arguments, Result extends AnyResult> {
  /** The kind's name, for the ledger. */
  readonly kind: string;
  /** Milliseconds that an attempt has when the tool's contract doesn't say; 0: no limit. */
  readonly timeoutMs?: number;
  /**
   * What stands beside the `data` of an answer where whatever serves the tool in the binding's place
   * says nothing of it.
   */
  readonly beside?: object;
  /**
   * Set when the data of a success is an `AsyncIterable` of items, or of server-sent events: the
   * attempt is over when they begin to come, and the call when they end.
   */
  readonly streams?: "items" | "events";
  /** Set when a success is saved as a file: without a folder for that no call is made. */
  readonly saves?: true;
  /**
   * Set when an answer is a page, and names the next one in `next`: a `PageName`, an `UnusablePage`,
   * or null after the last.
   */
  readonly paging?: Paging;
  /** Set when the target may take work on, and be asked later how far it is. */
  readonly polling?: PollLimits;
  /**
   * Builds the request. Pure: no credential is opened, nothing is sent. Both modes use it, so that
   * what shadow mode records is what active mode sends.
   */
  prepare(args: Arguments, call: CallIdentity): PreparedCall<Result>;
}

/** How long work that a target took on is waited for. */
export interface PollLimits {
  /** Milliseconds from when it was accepted. */
  readonly timeoutMs: number;
  readonly mostPolls: number;
}

/** How pages are asked for. */
export interface Paging {
  /** The parameter that names a page; absent where `prepare` finds its name in the call. */
  readonly parameter?: string;
  /** Where in the data of an answer its items are: property names. */
  readonly items: readonly string[];
  /** What models ask for the next page by, beside the parameters. */
  readonly next: string;
  /** Set where an answer's own data tell whether there is a page after it. */
  readonly isToldByData?: true;
}

/** What names a call, here and in the ledger. */
export interface CallIdentity {
  /** Random; the same for all attempts. */
  readonly id: string;
  /** `skill/tool`. */
  readonly toolId: string;
  /** Who makes it. */
  readonly caller?: Caller | undefined;
  /** Names a call that is made once, for its provider: a repeated call has the same. */
  readonly onceKey?: string | undefined;
  /** The page that it is for, where that is not the first: what the answer before it named. */
  readonly page?: { readonly at: string | number } | undefined;
}

/** One call, ready to be sent or recorded. */
export interface PreparedCall<Result extends AnyResult> {
  /** Names of the credentials that `send` opens. */
  readonly credentials: readonly string[];
  /**
   * Those of them that go out in a header, a query or a body, and not as a part of where the
   * request goes: what an answer may not send back.
   */
  readonly proofs?: readonly string[];
  /**
   * Every place that `send` goes to, redirects aside. The parameters are in it: it is never
   * recorded.
   *
   * @param open the value of a credential; left out, places are told by name: `${ORDERS_URL}`
   */
  reach(open?: (name: string) => string): readonly Reach[];
  /** The request as shadow mode records it, with `${NAME}` in place of credentials. */
  describe(): JsonValue;
  /** The author's key of this very call, where its skill says what it is made of: the same for a repeated call. */
  readonly idempotencyKey?: string | undefined;
  /** Its provider is told a key, by which it knows the same call when that comes again. */
  readonly isRepeatable?: boolean;
  /** What it sends was a stream, and has begun: no other attempt can send it. */
  readonly isSpent?: boolean;
  /** What tells one request from another, where `describe` has more: headers that trace a call. */
  readonly fingerprint?: () => JsonValue;
  /** The same with the parameters masked, where building the request of them is not enough. */
  readonly describeMasked?: (args: unknown) => JsonValue;
  /** The result as the ledger keeps it, where it repeats what the masked parameters went into. */
  readonly maskResult?: (result: AnyResult, args: unknown) => AnyResult;
  /**
   * The data of a result is made of the request and of numbers and ids alone: where `maskResult`
   * gave it, nothing masked is left in it to look for.
   */
  readonly isReceipt?: true;
  /**
   * Makes one attempt. Rejects with a `ToolError`, whose `outcome` says whether anything may have
   * been changed, or whatever the transport throws, which says nothing of it; must stop when
   * `signal` aborts.
   */
  send(attempt: Attempt): Promise<AttemptOutcome<Result>>;
}

export interface Attempt {
  /** `skill/tool`, for errors. */
  readonly tool: string;
  /** 1 for the first. */
  readonly number: number;
  /** Milliseconds that the attempt has in all; absent when there is no limit. */
  readonly timeoutMs?: number;
  /** Milliseconds that are left of them. */
  readonly remainingMs?: number | undefined;
  /** The project's folder, which relative paths in settings start from. */
  readonly directory: string;
  /** The folder that answers may be saved in. */
  readonly downloads?: string | undefined;
  /**
   * Aborts on timeout and when the caller aborts. Made when it is first asked for: it costs as much
   * as the rest of a call.
   */
  readonly signal: AbortSignal;
  /**
   * The same without a signal: calls the listener once, with the reason, when the attempt is over
   * before it was answered.
   */
  onAbort(listener: AbortListener): void;
  /** The value of a credential that `credentials` named. */
  readonly open: (name: string) => string;
  /**
   * To be called right before something leaves: a process that was busy may have lost the call's
   * turn since the attempt began. Absent: the call needs none.
   *
   * @throws ToolError if the lease of a serial tool is over
   */
  readonly requireTurn?: (() => void) | undefined;
  /**
   * Has a value treated as a credential until the call has ended at least: a token that was fetched.
   * `proofs` of the prepared call has its name.
   *
   * @param name what stands in its place, in `${…}`: none that a setting could have
   */
  readonly learn?: (name: string, value: string) => void;
  /**
   * Takes note of an answer that doesn't fit its schema, or of an item of one, where such answers are
   * given as they came; where they are refused it throws the error. Absent: they are refused.
   */
  readonly takeMisfit?: (error: ToolError) => void;
  /**
   * Where bytes go that a process or a step of this attempt produces; `keepBytes` calls it. Absent,
   * or undefined: the ledger keeps none. Only those of a call's last attempt are kept.
   */
  readonly takeBytes?: ((facts: ProducedFacts) => BytesSink | undefined) | undefined;
  /** Tells runtimes apart: what is kept for the calls of one is kept by this. */
  readonly runtime?: object;
  /** What steps of the call want to look at while it is under way. */
  readonly hooks: CallHooks;
}

/** What is said of bytes that are kept. */
export interface ProducedFacts {
  /** What they are to the call: `stdout`, or a file's name. */
  readonly name: string;
  /** Their media type: `text/plain`. */
  readonly type: string;
}

/** Takes the next bytes, and copies what is kept of them. */
export type BytesSink = (chunk: Uint8Array) => void;

/** Each may throw a `ToolError`, which ends the attempt before anything goes there. */
export interface CallHooks {
  /** Before each attempt, with every place that it goes to, by value: credentials are opened. */
  readonly sending?: (reach: readonly Reach[], open: (name: string) => string) => void;
  /** Before a redirect is followed, which HTTP bindings alone do. */
  readonly redirecting?: (reach: HttpReach) => void;
  /**
   * Before a connection over HTTP is made, with every address that a name has: by HTTP bindings,
   * for the schema registry of a queue's, and by kinds of a project's own that send with
   * `httpConnections`. Connections to databases and brokers are their clients' own, and never asked
   * about. Calls with the same function share connections, and those are made once: it is the
   * function of a rule, not of a call.
   */
  readonly connecting?: (peer: Connecting) => void;
  /**
   * Before a process is started, by kinds that start some, with the program and the arguments that
   * the system gets.
   */
  readonly starting?: (process: StartingProcess) => void;
  /**
   * The call's own error in place of what `connecting` threw, which knows of no call; whatever else
   * ended an attempt as it is.
   */
  readonly failing?: (error: unknown) => unknown;
}

export interface Connecting {
  /** As the URL has it. */
  readonly host: string;
  /** An IP address that it stands for. */
  readonly address: string;
}

export interface StartingProcess {
  /** A path, or a name that the system looks up in `PATH`. */
  readonly program: string;
  readonly args: readonly string[];
}

/** Of a call that nothing looks at. */
export const noHooks: CallHooks = Object.freeze({});

/**
 * Stops an attempt. What it returns is told to the caller: `not-done` when nothing has left that
 * could have changed anything, and nothing will; `unknown` when it may have; nothing counts as
 * `unknown`, and so does one that throws. Of several listeners all have to say `not-done`.
 */
export type AbortListener = (reason: unknown) => WriteOutcome | void;

export interface AttemptOutcome<Result extends AnyResult> {
  readonly result: Result;
  /** Set when the target asks to be tried again; `afterMs` is its own wish, when it has one. */
  readonly retry?: { readonly afterMs?: number };
  /**
   * What an answer that is no success tells of the write: `unknown` where it may have been made all
   * the same. Absent: it was not made.
   */
  readonly outcome?: WriteOutcome;
  /** Bytes of the answer, where the result has not all of it: it was saved. */
  readonly answerBytes?: number;
  /** What the target said with the answer, for messages: a status code. */
  readonly answeredWith?: string;
  /** Set when there is no answer yet: nobody gets the result, and the request is never sent again. */
  readonly accepted?: Accepted<Result>;
}

/** Work that a target took on, and has no answer to yet. */
export interface Accepted<Result extends AnyResult> {
  /** Where it is asked how far the work is, as the ledger keeps it: without anything secret. */
  readonly at: string;
  /** Milliseconds until it is asked. */
  readonly waitMs: number;
  /** Asks. Rejects as `send` does. */
  ask(attempt: Attempt): Promise<AttemptOutcome<Result>>;
}

/** What a contract says when it says nothing. The compiler leaves it out of generated modules. */
export const contractDefaults = {
  mode: "active",
  /** Milliseconds. */
  timeoutMs: 5000,
  /** A write that must not be repeated. */
  maxAttempts: 1,
  backoffMs: 1000,
  backoffMultiplier: 2,
} as const;

/** A contract as a generated module writes it. Whatever equals its default is left out. */
export interface ToolDeclaration<
  Params,
  Arguments,
  Result extends AnyResult,
  Given extends AnyResult = Result,
> extends Omit<ToolContract<Params, Arguments, Result, Given>, "mode" | "retry" | "timeoutMs"> {
  readonly mode?: Mode;
  readonly retry?: Partial<RetryPolicy>;
  /**
   * Milliseconds for one attempt, connection included; 0: no limit. When not given, the binding's
   * own, else that of `contractDefaults`.
   */
  readonly timeoutMs?: number;
}

/** Ties a contract's parts together, checks that their types agree, and fills in the defaults. */
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
 * A mode comes from an environment variable as often as from a literal: `Shadow` must not send.
 *
 * @throws TypeError
 */
export function requireMode(mode: Mode | null | undefined): void {
  if (mode != null && mode !== "active" && mode !== "shadow")
    throw new TypeError('`mode` must be "active" or "shadow"');
}

/** @throws TypeError */
export function requireMisfits(misfits: Misfits | null | undefined): void {
  if (misfits != null && misfits !== "refuse" && misfits !== "report")
    throw new TypeError('`misfits` must be "refuse" or "report"');
}
