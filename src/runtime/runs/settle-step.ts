/** Settles a call of a kept run: a person has found out whether a write was made. */
import type { JsonValue } from "../json/json.js";
import { stateOfRun } from "./run-state.js";
import type { HeldRun, KeptEvent, KeptRun, RunEvent, RunId, RunStore } from "./store.js";

/** Finding of a person about a call of a run. */
export type StepSettlement = StepFinding & {
  /** Id of the call, as `PLAN.OUTCOME_UNKNOWN` names it. */
  readonly call: string;
  /** How the person knows. The run keeps this text, encrypted. */
  readonly because: string;
  /** Set to replace an earlier settlement. The run must not have been resumed since. */
  readonly correct?: boolean;
  /**
   * Records the finding elsewhere too, such as in a ledger. It runs while the run is held and after
   * all checks, but before the run stores the finding. If it rejects, the run stays as it is.
   */
  readonly record?: () => Promise<void>;
};

type StepFinding =
  | {
      readonly as: "done";
      /**
       * Data of the tool's answer, as the plan's caller may see them: nobody checks them against the
       * schema of the tool, and no obligation changes them. Null if absent, which is allowed if
       * nothing in the plan reads them.
       */
      readonly answer?: JsonValue | undefined;
    }
  | { readonly as: "not-done"; readonly answer?: undefined };

/** Reason why a call can't be settled. */
export type StepNotSettledProblem =
  /** There is no such run. */
  | "no-run"
  /** The run has ended. */
  | "ended"
  /** The run has begun no such call. */
  | "no-call"
  /** The run knows the outcome of the call, or goes on without it. */
  | "closed"
  /** Somebody has resumed the run since the earlier settlement. */
  | "resumed"
  /** The plan reads the data of the answer, and none were given. */
  | "no-answer";

/** The error of `settleStep` if the run has no such call to settle. The run stays as it was. */
export class StepNotSettled extends Error {
  override readonly name = "StepNotSettled";
  readonly problem: StepNotSettledProblem;
  /** A remedy, if known. */
  readonly help: string | undefined;

  constructor(problem: StepNotSettledProblem, message: string, help?: string) {
    super(message);
    this.problem = problem;
    this.help = help;
  }
}

/**
 * Settles a call of a run that began and was not answered. The run can then be resumed: a call that
 * was done is not repeated, and its step has this answer; one that was not done is made again.
 *
 * @param run the run, with the tenant of its caller
 * @returns the call's step; in a loop `STEP:INDEX`, inside a step that is a plan `STEP.STEP`
 * @throws StepNotSettled if the run has no such call to settle
 * @throws RunHeld if another process or call holds the run
 * @throws RunStoreError if the run can't be read or stored
 */
export async function settleStep(
  store: RunStore,
  run: RunId,
  settlement: StepSettlement,
): Promise<string> {
  const held = await store.hold(run);
  if (held === undefined) throw new StepNotSettled("no-run", `there is no run ${quoted(run.id)}`);
  try {
    const key = requireOpen(held, settlement);
    await settlement.record?.();
    await held.append(eventOf(key, settlement));
    return key;
  } finally {
    await held.release();
  }
}

function eventOf(key: string, { answer, as, because, call }: StepSettlement): RunEvent {
  if (as === "not-done") return { type: as, key, call, settled: because };
  const result = { status: "success", data: answer ?? null };
  return { type: "answered", key, call, result, settled: because };
}

/** @returns the step of the call */
function requireOpen(held: HeldRun, { answer, as, call, correct }: StepSettlement): string {
  const run = quoted(held.run.id);
  const { state, status = "" } = stateOfRun(held);
  if (state === "ended")
    throw new StepNotSettled("ended", `the run ${run} has ended as ${quoted(status)}`);
  const step = stepOfCall(held, call);
  if (step === undefined)
    throw new StepNotSettled("no-call", `the run ${run} has begun no call ${quoted(call)}`);
  const name = `the call ${quoted(call)} of the step ${quoted(step.key)} of the run ${run}`;
  if (step.state === "closed")
    throw new StepNotSettled("closed", `${name} can't be settled: ${step.why}`);
  if (step.state === "settled" && correct !== true)
    throw new StepNotSettled("closed", `${name} was settled before, as ${quoted(step.as)}`);
  if (step.state === "settled" && step.isResumed)
    throw new StepNotSettled(
      "resumed",
      `${name} was settled as ${quoted(step.as)}, and the run was resumed since`,
      "end the run with `skillc runs cancel` if it must not go on with this finding",
    );
  if (as === "done" && answer === undefined && step.isRead)
    throw new StepNotSettled(
      "no-answer",
      `${name} needs the data of its answer, because the plan may read them`,
      "look up what the service answered, and give the data as JSON",
    );
  return step.key;
}

/** The call of a step, as far as a person may settle it. */
export type StepOfCall = {
  /** The step; in a loop `STEP:INDEX`, inside a step that is a plan `STEP.STEP`. */
  readonly key: string;
  /** Id of the tool: `skill/tool`. Absent if an earlier version began the call. */
  readonly tool?: string | undefined;
  /** False if nothing in the plan reads the answer's data. */
  readonly isRead: boolean;
} & (
  | { readonly state: "open" }
  /** A person settled it. `isResumed`: somebody has resumed the run since. */
  | { readonly state: "settled"; readonly as: "done" | "not-done"; readonly isResumed: boolean }
  /** Its outcome is known, or doesn't matter to the run. `why` is a sentence about it. */
  | { readonly state: "closed"; readonly why: string }
);

/** Returns what a run knows of a call; undefined if it has begun no such call. */
export function stepOfCall({ events }: KeptRun, call: string): StepOfCall | undefined {
  const begun = events.find((each) => each.type === "begun" && each.call === call);
  if (begun?.type !== "begun") return undefined;
  const { isRead = true, key, tool } = begun;
  const facts = { key, tool, isRead };
  const last = lastOf(events, key) ?? begun;
  const outer = outerSteps(key).find((each) => isOver(lastOf(events, each)));
  if (outer !== undefined)
    return { ...facts, state: "closed", why: `its outer step ${quoted(outer)} has ended` };
  if ("call" in last && last.call !== call)
    return { ...facts, state: "closed", why: "a later call repeated it" };
  if (last.type === "begun") return { ...facts, state: "open" };
  if ((last.type === "answered" || last.type === "not-done") && last.settled !== undefined) {
    const as = last.type === "answered" ? "done" : "not-done";
    const later = events.slice(events.indexOf(last));
    const isResumed = later.some(({ type }) => type === "resumed");
    return { ...facts, state: "settled", as, isResumed };
  }
  return { ...facts, state: "closed", why: whyClosed[last.type] };
}

/** An event that decides about a step. */
type StepEvent = Exclude<
  Extract<KeptEvent, { readonly key: string }>,
  { readonly type: "inferred" | "suspended" }
>;

const whyClosed: { readonly [Type in Exclude<StepEvent["type"], "begun">]: string } = {
  accepted: "the service has accepted it, and the run asks the service when it is resumed",
  answered: "the run has its answer",
  "not-done": "the run knows that it was not made, and makes it again when it is resumed",
  passed: "it failed, and the plan went on without its answer",
};

function lastOf(events: readonly KeptEvent[], key: string): StepEvent | undefined {
  return events.findLast(
    (each): each is StepEvent =>
      "key" in each && each.key === key && each.type !== "suspended" && each.type !== "inferred",
  );
}

/** Returns whether a step that is a plan makes no more calls. */
function isOver(last: StepEvent | undefined): boolean {
  return last?.type === "answered" || last?.type === "passed";
}

/** Returns the steps that are plans around a step, outermost first. */
function outerSteps(key: string): readonly string[] {
  const parts = key.split(".");
  return parts.slice(1).map((_, count) => parts.slice(0, count + 1).join("."));
}

function quoted(text: string): string {
  return `\`${text}\``;
}
