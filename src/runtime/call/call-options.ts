import { type Mode, requireMode } from "../tool.js";
import { type Caller, ownCaller, whyNoName } from "../caller.js";
import type { Runtime } from "../runtime.js";

/** Options of one call. */
export interface CallOptions {
  /** Ends the call, which then throws `UNKNOWN.INTERNAL` with the reason `aborted`. */
  readonly signal?: AbortSignal;
  /** Runtime of the call; the configured one by default. */
  readonly runtime?: Runtime;
  /** Mode of the call. It overrides the mode of the runtime and of the tool. */
  readonly mode?: Mode;
  /** Trace that the call belongs to; recorded in the ledger. */
  readonly trace?: string;
  /** Id of the call that makes this one; recorded in the ledger. */
  readonly parent?: string;
  /** Step of a plan or process that the call belongs to; recorded in the ledger. */
  readonly step?: string;
  /** Who makes the call. It overrides `withCaller`. */
  readonly caller?: Caller;
  /**
   * Id of the run of a plan, of 1 to 200 characters. The runtime's store (`RuntimeOptions.runs`)
   * keeps the run, so that it goes on after a crash: call the plan again with the same id. Other
   * tools don't take it.
   */
  readonly run?: string;
  /**
   * Id of the approval of this call. Without it, the call finds the unused approval of an equal
   * call. With `{ wait: true }`, the call waits for a decision. It doesn't apply to calls that the
   * tool itself makes.
   */
  readonly approval?: string | ApprovalWait;
  /**
   * Idempotency key: the same for repetitions of a call, and for no other call. A tool with
   * `idempotency: keyed` makes such a call once. A write that is not keyed, or has no governance,
   * fails with `IDEMPOTENCY.REFUSED`; a read that is not keyed is made each time. The key doesn't
   * apply to calls that the tool itself makes.
   */
  readonly idempotencyKey?: string;
  /**
   * Id of the request for this call, such as the id of a model's tool use. If a keyed tool gets no
   * other key, this id is its idempotency key. Other tools ignore it, so a loop can pass it to every
   * tool. It doesn't apply to calls that the tool itself makes.
   */
  readonly keyFor?: string;
  /**
   * Page to return, for a tool with pages: the `next` of an earlier answer to the same parameters
   * and caller.
   */
  readonly next?: string;
  /**
   * Forms of files that the parameters may contain. `content-only`: a file with a `path` is
   * rejected, so that a caller on another machine can't name files of this one. All forms by
   * default. It also applies to the steps of a plan, but not to calls that a handler makes.
   */
  readonly files?: "content-only";
}

/** Lets a call that needs an approval wait for it. */
export interface ApprovalWait {
  readonly wait: true;
  /** Maximum time to wait, in milliseconds; by default until the request expires. */
  readonly timeoutMs?: number;
}

/**
 * Copies and checks a call's options, because the caller may change the object. In JavaScript, a
 * wrong option could fail later in a timer, send a call that should only be recorded, or break a
 * ledger record.
 *
 * @throws TypeError if an option is not valid
 */
export function copyOptions(given: CallOptions): CallOptions {
  const options = { ...given };
  const { approval, files, idempotencyKey, keyFor, mode, next, parent, run, signal, step, trace } =
    options;
  if (signal != null && !isSignal(signal))
    throw new TypeError("`signal` must be an AbortSignal, such as `new AbortController().signal`");
  requireMode(mode);
  // Check one by one, because a list would be allocated for every call.
  requireText("trace", trace);
  requireText("parent", parent);
  requireName("step", step);
  if (typeof approval !== "object") requireText("approval", approval);
  else if (approval !== null) requireWait(approval);
  requireText("next", next);
  requireLength("idempotencyKey", idempotencyKey, longestKey);
  requireLength("keyFor", keyFor, longestKey);
  requireLength("run", run, longestRun);
  if (files !== undefined && files !== "content-only")
    throw new TypeError("`files` must be `content-only`, or left out");
  return options.caller == null ? options : { ...options, caller: ownCaller(options.caller) };
}

function requireText(name: string, text: string | undefined): void {
  if (text != null && typeof text !== "string") throw new TypeError(`\`${name}\` must be a text`);
}

function requireWait({ timeoutMs, wait }: ApprovalWait): void {
  if (wait !== true) throw new TypeError("`approval` must be an id, or `{ wait: true }`");
  if (timeoutMs !== undefined && !(typeof timeoutMs === "number" && timeoutMs >= 0))
    throw new TypeError("`approval.timeoutMs` must be a number of milliseconds");
}

function requireLength(name: string, text: string | undefined, most: number): void {
  requireText(name, text);
  if (text != null && (text === "" || text.length > most))
    throw new TypeError(`\`${name}\` must have 1 to ${most} characters`);
}

/** People read and compare steps, so they follow the rules for names of callers. */
function requireName(name: string, text: string | undefined): void {
  const why = text == null ? undefined : whyNoName(text);
  if (why !== undefined) throw new TypeError(`\`${name}\` ${why}`);
}

/** Maximum length of a key, in characters. */
export const longestKey = 1024;
/** Maximum length of the id of a run, in characters. Keys of its steps begin with it. */
const longestRun = 200;

/** Checks the methods, because libraries and other realms have their own signal classes. */
function isSignal(value: AbortSignal): boolean {
  const { addEventListener, removeEventListener }: Partial<AbortSignal> = value;
  return typeof addEventListener === "function" && typeof removeEventListener === "function";
}
