import type { Scrubber } from "../credentials/scrubber.js";
import type { ToolError, WriteOutcome } from "../errors.js";
import type { HttpReach, Reach } from "../reach.js";
import type { AnyResult } from "../result.js";
import type { Keeper } from "../rollback/tool-rollback.js";

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
