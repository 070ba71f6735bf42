import { type Mode, requireMode } from "../tool.js";
import { type Caller, ownCaller, whyNoName } from "../caller.js";
import type { Runtime } from "../runtime.js";

/** What one call may say for itself. */
export interface CallOptions {
  /** Ends the call; it then throws `UNKNOWN.INTERNAL` with the reason `aborted`. */
  readonly signal?: AbortSignal;
  /** Instead of the configured one. */
  readonly runtime?: Runtime;
  /** Overrides the mode of the runtime and of the tool. */
  readonly mode?: Mode;
  /** The trace that the call belongs to; kept in the ledger. */
  readonly trace?: string;
  /** The id of the call that made this one; kept in the ledger. */
  readonly parent?: string;
  /** Names the step of a plan or process that the call belongs to; kept in the ledger. */
  readonly step?: string;
  /** Who makes it, in place of `withCaller`'s. */
  readonly caller?: Caller;
  /** The id of the approval of this very call; calls that it makes don't have it. */
  readonly approval?: string;
  /**
   * The same for a repeated call, and for no other: a tool with `idempotency: keyed` then does it
   * once. A write that is not keyed, or has no governance, is refused with one
   * (`IDEMPOTENCY.REFUSED`); a read that isn't is made each time. Calls that it makes don't have
   * it.
   */
  readonly idempotencyKey?: string;
  /**
   * Of a tool whose answers have pages: the `next` of a page that a call with the same parameters,
   * and of the same caller, gave.
   */
  readonly next?: string;
}

/**
 * A copy of what the caller says of a call: it may use the object again, for another one. Callers
 * in JavaScript may pass anything; what isn't what it should be would fail in a timer, send what
 * should only be recorded, or leave a record that is no JSON.
 *
 * @throws TypeError
 */
export function copyOptions(given: CallOptions): CallOptions {
  const options = { ...given };
  const { approval, idempotencyKey, mode, next, parent, signal, step, trace } = options;
  if (signal != null && !isSignal(signal))
    throw new TypeError("`signal` must be an AbortSignal, as `new AbortController().signal` is");
  requireMode(mode);
  // One by one: a list of them would be made for every call.
  requireText("trace", trace);
  requireText("parent", parent);
  requireName("step", step);
  requireText("approval", approval);
  requireText("next", next);
  requireText("idempotencyKey", idempotencyKey);
  if (idempotencyKey != null && (idempotencyKey === "" || idempotencyKey.length > longestKey))
    throw new TypeError(`\`idempotencyKey\` must have 1 to ${longestKey} characters`);
  return options.caller == null ? options : { ...options, caller: ownCaller(options.caller) };
}

function requireText(name: string, text: string | undefined): void {
  if (text != null && typeof text !== "string") throw new TypeError(`\`${name}\` must be a text`);
}

/** People read and compare it, as they do the names of a caller: the same rules hold. */
function requireName(name: string, text: string | undefined): void {
  const why = text == null ? undefined : whyNoName(text);
  if (why !== undefined) throw new TypeError(`\`${name}\` ${why}`);
}

/** Characters of a key. */
const longestKey = 1024;

/** Libraries have signals of their own, and other realms too. */
function isSignal(value: AbortSignal): boolean {
  const { addEventListener, removeEventListener }: Partial<AbortSignal> = value;
  return typeof addEventListener === "function" && typeof removeEventListener === "function";
}
