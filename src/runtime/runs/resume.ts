/** Goes on with runs of plans, and waits for them. */
import { callError } from "../call/call-error.js";
import type { CallOptions } from "../call/call-options.js";
import { pause } from "../call/retry.js";
import { currentCaller, ownCaller } from "../caller.js";
import { isToolError } from "../errors.js";
import type { ToolMap } from "../model/dispatch.js";
import { loadTool } from "../model/load-tool.js";
import type { AnyResult } from "../result.js";
import { defaultRuntime } from "../runtime.js";
import { noRun, storeError, type SuspendedPlan, withResumption } from "./journal.js";
import { stateOfRun } from "./run-state.js";
import type { KeptRun, RunStore } from "./store.js";

/** Options of `waitForRun`. */
export interface RunOptions extends Pick<CallOptions, "caller" | "runtime" | "signal"> {}

/** Options of `resumeRun`. */
export interface ResumeOptions extends RunOptions {
  /** Id of the approval for the step that suspended the run. */
  readonly approval?: string;
  /**
   * Lets the run go on although tools of its steps have changed since it began. The run keeps this
   * text: who accepted the changes, and why.
   */
  readonly forced?: string;
}

/**
 * Goes on with a run of a plan. The caller needs the tenant and the subject that began the run; all
 * else is decided anew. Answered steps are not repeated. A run that has ended gives its answer again.
 *
 * @param tools `tools` of generated/index.ts
 * @returns the answer of the plan
 * @throws ToolError as the plan does; `PLAN.NO_RUN` if the caller has no such run
 * @throws TypeError if an option is not valid, or the runtime keeps no runs
 */
export async function resumeRun(
  tools: ToolMap,
  id: string,
  options: ResumeOptions = {},
): Promise<AnyResult> {
  const { approval, forced, ...given } = { ...options };
  const { beginning } = await readRun(id, given);
  const { files, params, tool, trace } = beginning;
  const call = await loadTool(tools, tool);
  // The plan validates its parameters again.
  const all = { ...given, run: id, trace, ...(files !== undefined && { files }) };
  return call(params as never, withResumption(all, { approval, forced }));
}

/** First and longest delay before `waitForRun` looks again, in milliseconds. */
const firstLookMs = 20;
const longestLookMs = 1000;

/**
 * Waits until a run has ended or is suspended. It doesn't make the run go on: somebody else must run
 * it.
 *
 * @param tools `tools` of generated/index.ts
 * @returns the answer of the plan
 * @throws ToolError as `resumeRun`; also if the caller aborts
 */
export async function waitForRun(
  tools: ToolMap,
  id: string,
  options: RunOptions = {},
): Promise<AnyResult> {
  for (let waitMs = firstLookMs; ; waitMs = Math.min(2 * waitMs, longestLookMs)) {
    const run = await readRun(id, options);
    const { state } = stateOfRun(run);
    const suspended = state === "suspended" ? suspensionOf(run) : undefined;
    if (suspended !== undefined) return suspended;
    if (state === "ended") {
      const answer = await resumeRun(tools, id, options).catch(unlessHeld);
      if (answer !== undefined) return answer;
    }
    await pause(waitMs, options.signal).catch(() => {
      throw callError(
        { toolId: run.beginning.tool, attempts: 0 },
        { code: "UNKNOWN.INTERNAL", reason: "aborted" },
        `the wait for the run \`${id}\` was aborted by its caller`,
      );
    });
  }
}

/** Returns the answer with which the plan suspended its run. */
function suspensionOf({ events, run }: KeptRun): SuspendedPlan | undefined {
  const last = events.findLast(({ type }) => type === "suspended");
  if (last?.type !== "suspended") return undefined;
  const { key: step, request } = last;
  return { status: "suspended", run: run.id, step, ...(request !== undefined && { request }) };
}

/** Whoever ended the run may still hold it for a moment. */
function unlessHeld(error: unknown): undefined {
  const isHeld = isToolError(error, "PLAN.RUN_UNAVAILABLE") && error.failure.reason === "held";
  if (!isHeld) throw error;
}

/** Reads a run of this caller. */
async function readRun(id: string, { caller, runtime }: RunOptions): Promise<KeptRun> {
  const { caller: usual, runs } = runtime ?? defaultRuntime();
  if (runs === undefined)
    throw new TypeError("the runtime keeps no runs: give it a store, as `createRuntime({ runs })`");
  const given = caller ?? currentCaller() ?? usual;
  const { subject, tenant } = given === undefined ? {} : ownCaller(given);
  const kept = await read(runs, id, tenant);
  if (kept === undefined || kept.beginning.subject !== subject) throw noRun("", id);
  return kept;
}

async function read(
  runs: RunStore,
  id: string,
  tenant: string | undefined,
): Promise<KeptRun | undefined> {
  try {
    return await runs.read({ id, tenant });
  } catch (cause) {
    throw storeError({ toolId: "", attempts: 0 }, id, cause);
  }
}
