import { type Caller, currentCaller, ownCaller } from "../caller.js";
import type { CallOptions } from "../call/call-options.js";
import { defaultRuntime, type Runtime } from "../runtime.js";

/** Options of `rollbackTrace`. */
export interface TraceRollbackOptions extends Pick<
  CallOptions,
  "approval" | "caller" | "runtime" | "signal"
> {
  /** Reports what would be undone, and changes and records nothing. */
  readonly dryRun?: boolean;
  /**
   * Undoes the call although its tool, the ledger or files have changed since, or although nobody
   * knows whether an earlier rollback was made. The ledger keeps the reason.
   */
  readonly force?: { readonly because: string };
}

/** Options of `rollbackCall`. */
export interface RollbackOptions extends TraceRollbackOptions {
  /**
   * Files and folders to restore, relative to the project's folder; by default everything that the
   * call changed. The call then counts as undone only if a later rollback restores the rest.
   */
  readonly paths?: readonly string[];
}

/** Checked options, with what they leave out. */
export interface OwnRollbackOptions {
  readonly runtime: Runtime;
  readonly caller: Caller | undefined;
  /** Options of the calls that undo. */
  readonly callOptions: CallOptions;
  readonly isDry: boolean;
  readonly forced: string | undefined;
  readonly paths: readonly string[] | undefined;
}

/** Maximum length of the reason for force, in characters. */
const longestReason = 500;

/**
 * Checks options.
 *
 * @throws TypeError if one is not valid
 */
export function ownRollbackOptions(given: RollbackOptions): OwnRollbackOptions {
  const { approval, dryRun, force, paths, signal } = given;
  const runtime = given.runtime ?? defaultRuntime();
  const asking = given.caller ?? currentCaller() ?? runtime.caller;
  const caller = asking === undefined ? undefined : ownCaller(asking);
  if (dryRun !== undefined && typeof dryRun !== "boolean")
    throw new TypeError("`dryRun` must be true or false");
  if (force !== undefined) requireReason(force);
  if (paths !== undefined && !(Array.isArray(paths) && paths.length > 0 && paths.every(isText)))
    throw new TypeError("`paths` must be a list of at least one path");
  return {
    runtime,
    caller,
    callOptions: {
      runtime,
      ...(caller !== undefined && { caller }),
      ...(approval !== undefined && { approval }),
      ...(signal !== undefined && { signal }),
    },
    isDry: dryRun === true,
    forced: force?.because,
    paths,
  };
}

function requireReason(force: { readonly because?: unknown }): void {
  const { because } = { ...force };
  if (isText(because) && because.trim() !== "" && because.length <= longestReason) return;
  throw new TypeError(
    `\`force\` needs a reason of 1 to ${longestReason} characters: \`force: { because: "…" }\``,
  );
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
