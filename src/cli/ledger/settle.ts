/**
 * Implements `skillc ledger settle`. A call of a plan's kept run is settled in the ledger first, and
 * then in the run. If the process dies in between, the same command settles the run's part.
 */
import {
  type RunId,
  RunHeld,
  type RunStore,
  RunStoreError,
  settleStep,
  StepNotSettled,
} from "@skillc/runtime/runs";
import { isRunning } from "@skillc/runtime/internal";
import {
  type EndedCall,
  type LedgerCall,
  longestReason,
  pidOf,
  type SettledAs,
  type SettledCall,
  settleCall,
  type Settlement,
  type UnknownCall,
} from "@skillc/runtime/internal/ledger";
import type { JsonValue } from "../../core/json.js";
import { quotedForShell } from "../console/quoted-for-shell.js";
import { CommandFailure } from "../exit.js";
import type { OpenRuns } from "../runs/open-runs.js";
import { checkAnswer, type ToolsPlace } from "./check-answer.js";
import {
  ambiguousId,
  type CommandOutput,
  complaint,
  emptyId,
  type Failure,
  findAnyCall,
  type LedgerShowOptions,
  noCall,
  orComplaint,
  quoted,
  shown,
  whyNotWritten,
} from "./commands.js";
import { printable } from "./console-style.js";
import { type StepInRun, stepOfLedgerCall, stepsByCall } from "./find-step.js";

export type LedgerSettleOptions = LedgerShowOptions & {
  readonly as: SettledAs;
  /** Text to record, without credentials. */
  readonly because: string;
  /** True to replace an earlier settlement. */
  readonly correct: boolean;
  /** Data of the answer, for a step of a kept run that was done. */
  readonly answer?: JsonValue;
  readonly tools: ToolsPlace;
  /** Opens the kept runs; undefined if skillc.yaml names neither their place nor their key. */
  readonly openRuns: () => Promise<OpenRuns | undefined>;
};

/**
 * Runs `skillc ledger settle ID --as … --because …`: records the outcome of a write whose outcome
 * was unknown, in the ledger and in the kept run that made the call. JSON: the updated call, with
 * `run` if a run was settled, or `{error}`.
 */
export function ledgerSettle(options: LedgerSettleOptions): Promise<CommandOutput> {
  return orComplaint(options, async () => {
    const problem = problemOfOptions(options);
    if (problem !== undefined) return complaint(options, problem, 2);
    const call = await findAnyCall(options);
    if (call !== undefined && "message" in call) return complaint(options, call, 1);
    if (call !== undefined && (call.step === undefined || call.trace === undefined))
      return settleAlone(call, options, "it is not a step of a plan");
    let runs: OpenRuns | undefined;
    let isSearched = false;
    try {
      runs = await options.openRuns();
      const steps = runs === undefined ? [] : await stepsOf(call, runs, options);
      isSearched = true;
      if (call === undefined) return await settleUnrecorded(steps, runs, options);
      return await settleRecorded(call, steps[0], runs, options);
    } catch (error) {
      const failure = runsFailure(error);
      const isHidden = call === undefined && !isSearched;
      return complaint(options, isHidden ? notSearched(failure, options) : failure, 1);
    } finally {
      await runs?.store.close();
    }
  });
}

/** Finds the call in the kept runs, or calls whose ids begin with the id if the ledger has none. */
async function stepsOf(
  call: LedgerCall | undefined,
  { store }: OpenRuns,
  { id }: LedgerSettleOptions,
): Promise<readonly StepInRun[]> {
  if (call === undefined) return stepsByCall(store, id);
  const found = await stepOfLedgerCall(store, call);
  return found === undefined ? [] : [found];
}

function problemOfOptions({ answer, as, because, id }: LedgerSettleOptions): Failure | undefined {
  if (id === "") return emptyId;
  if (as === "not-done" && answer !== undefined)
    return {
      message: "`--answer` is for `--as done`: a call that was not made has no answer",
      help: "omit `--answer`",
    };
  return problemOfReason(because);
}

function problemOfReason(because: string): Failure | undefined {
  const help = 'say how you know: --because "the order is in the shop\'s list: ord_1001"';
  if (because.trim() === "") return { message: "`--because` is blank", help };
  const { length } = because;
  if (length <= longestReason) return undefined;
  return {
    message: `\`--because\` has ${length} characters, but at most ${longestReason} are allowed`,
    help: "shorten it, and say where to find the rest",
  };
}

/** Failures of the runs are the user's to mend. */
function runsFailure(error: unknown): Failure {
  if (!(error instanceof CommandFailure) && !isRunError(error)) throw error;
  const { help, message } = error;
  return { message, ...(help !== undefined && { help }) };
}

function isRunError(error: unknown): error is RunHeld | RunStoreError | StepNotSettled {
  return (
    error instanceof RunHeld || error instanceof RunStoreError || error instanceof StepNotSettled
  );
}

/** Says that the ledger has no such call, and why nobody knows whether a run has it. */
function notSearched({ message }: Failure, options: LedgerSettleOptions): Failure {
  const none = noCall(options);
  return { ...none, help: `${none.help}\nkept runs of plans were not searched: ${message}` };
}

/** Settles a call in the ledger alone. */
async function settleAlone(
  call: LedgerCall,
  options: LedgerSettleOptions,
  whyNoStep: string,
  notes: readonly string[] = [],
): Promise<CommandOutput> {
  if (options.answer !== undefined)
    return complaint(options, { ...noStep(call, whyNoStep), help: "omit `--answer`" }, 2);
  const part = ledgerPart(call, options);
  if ("message" in part) return complaint(options, part, 1);
  if (part.kind !== "write") return complaint(options, settledBefore(part.call), 1);
  const settlement = await settleCall(options.store, part.call, options).catch(whyNotWritten);
  if ("message" in settlement) return complaint(options, settlement, 1);
  const output = await shown({ ...part.call, outcome: "settled", settlement }, options);
  return withNotes(output, [...notes, ...(mayBeInFlight(part.call) ? [inFlight] : [])]);
}

function noStep({ id }: LedgerCall, why: string): Failure {
  return {
    message: `\`--answer\` is for a step of a kept run that waits for its outcome, and the call ${quoted(id)} can't take one: ${why}`,
  };
}

/** What is to do in the ledger: `none` if it has this finding, from a command that was cut off. */
type LedgerPart =
  | { readonly kind: "write"; readonly call: UnknownCall | SettledCall }
  | { readonly kind: "none"; readonly call: SettledCall };

function ledgerPart(
  call: LedgerCall,
  { as, correct }: LedgerSettleOptions,
  isSettledInRun = false,
): LedgerPart | Failure {
  if (call.outcome === "ended") return notUnknown(call);
  if (call.outcome === "unknown")
    return correct && !isSettledInRun ? nothingToCorrect(call.id) : { kind: "write", call };
  if (correct) return { kind: "write", call };
  return call.settlement.as === as ? { kind: "none", call } : settledBefore(call);
}

/** Settles a call that the ledger has, and its step if a run waits for its outcome. */
async function settleRecorded(
  call: LedgerCall,
  found: StepInRun | undefined,
  runs: OpenRuns | undefined,
  options: LedgerSettleOptions,
): Promise<CommandOutput> {
  if (runs === undefined) return settleAlone(call, options, noRunsNamed, [mayBeKept(call)]);
  if (found === undefined)
    return settleAlone(call, options, "no kept run that goes on has begun it");
  const { run, step } = found;
  if (step.state === "closed") return settleAlone(call, options, step.why);
  if (step.state === "settled" && !options.correct && step.as !== options.as)
    return complaint(options, settledInRun(found), 1);
  if (step.state === "settled" && (step.isResumed || !options.correct)) {
    const keeps = `the run ${quoted(run.id)} has settled its step as \`${step.as}\``;
    const why = step.isResumed ? `${keeps}, and was resumed since` : keeps;
    return settleAlone(call, options, why, step.as === options.as ? [] : [why]);
  }
  if (call.outcome === "ended") {
    const failure = contradiction(call, options.as);
    if (failure !== undefined) return complaint(options, failure, 1);
    const note = "the ledger has the end of the call, so only the run keeps this finding";
    return settleInRun({ found, call, store: runs.store, notes: [note] }, options);
  }
  const part = ledgerPart(call, options, step.state === "settled");
  if ("message" in part) return complaint(options, part, 1);
  const notes = part.kind === "none" ? ["the ledger has this finding already"] : [];
  return settleInRun({ found, call, part, store: runs.store, notes }, options);
}

/** Settles a call that only a run has: its begin record was lost, or there is no ledger. */
async function settleUnrecorded(
  steps: readonly StepInRun[],
  runs: OpenRuns | undefined,
  options: LedgerSettleOptions,
): Promise<CommandOutput> {
  const [found, ...others] = steps;
  if (found === undefined || runs === undefined) return complaint(options, noCall(options), 1);
  if (others.length > 0) {
    const list = steps.map(({ call, run, step }) =>
      [call, run.id, step.key].map((each) => quoted(each)).join(" "),
    );
    return complaint(options, ambiguousId(options.id, list), 1);
  }
  if (found.step.state === "open" && options.correct)
    return complaint(options, nothingToCorrect(found.call), 1);
  if (found.step.state === "settled" && !options.correct)
    return complaint(options, settledInRun(found), 1);
  const note = "the ledger has no record of the call, so only the run keeps this finding";
  return settleInRun({ found, store: runs.store, notes: [note] }, options);
}

interface RunSettling {
  readonly found: StepInRun;
  readonly store: RunStore;
  /** The call in the ledger, if the ledger has it. */
  readonly call?: LedgerCall;
  /** What is to do in the ledger; absent if the ledger can't take the finding. */
  readonly part?: LedgerPart;
  readonly notes: readonly string[];
}

/** Settles a step of a run, after the ledger. */
async function settleInRun(
  settling: RunSettling,
  options: LedgerSettleOptions,
): Promise<CommandOutput> {
  const { call, found, part, store } = settling;
  const { answer, as, because, correct } = options;
  const checked = as === "done" ? answerOf(settling, options) : {};
  if ("failure" in checked) return complaint(options, checked.failure, 2);
  const common = { call: found.call, because, correct };
  let settlement: Settlement | undefined;
  const record = async (): Promise<void> => {
    if (part?.kind === "write")
      settlement = await settleCall(options.store, part.call, { as, because });
  };
  try {
    await settleStep(
      store,
      found.run,
      as === "done" ? { ...common, as, answer, record } : { ...common, as, record },
    );
  } catch (error) {
    if (!isRunError(error)) return complaint(options, whyNotWritten(error), 1);
    if (settlement === undefined) throw error;
    const help = "the ledger has the finding; repeat the command to settle the run";
    return complaint(options, { message: error.message, help }, 1);
  }
  const note = checked.note === undefined ? [] : [checked.note];
  const notes = [...settling.notes, ...note, howToGoOn(found)];
  const output =
    call === undefined
      ? settledOnly(found, options)
      : await shown(settledIn(call, settlement), options);
  return withNotes(withRun(output, found), notes);
}

function settledIn(call: LedgerCall, settlement: Settlement | undefined): LedgerCall {
  return call.outcome === "ended" || settlement === undefined
    ? call
    : { ...call, outcome: "settled", settlement };
}

function answerOf({ call, found }: RunSettling, { answer, tools }: LedgerSettleOptions) {
  const { isRead, tool = call && `${call.skill}/${call.tool}` } = found.step;
  if (tool !== undefined) return checkAnswer(tools, { tool, isRead }, answer);
  const failure: Failure = {
    message: `neither the ledger nor the run ${quoted(found.run.id)} names the tool of the call ${quoted(found.call)}, so its answer can't be checked`,
    help: "an application can settle the step with `settleStep` of `@skillc/runtime/runs`",
  };
  return { failure };
}

function settledOnly(
  { call, run, step }: StepInRun,
  { as, because, json }: LedgerSettleOptions,
): CommandOutput {
  if (json) return { json: { id: call, settlement: { as, because } }, exitCode: 0 };
  const text = `settled the step ${quoted(step.key)} of the run ${quoted(run.id)} as \`${as}\``;
  return { text, exitCode: 0 };
}

function withRun(output: CommandOutput, { run, step }: StepInRun): CommandOutput {
  // `shown` and `settledOnly` return an object.
  return "json" in output
    ? { ...output, json: { ...(output.json as object), run: runJson(run, step.key) } }
    : output;
}

function runJson({ id, tenant }: RunId, step: string) {
  return { id, ...(tenant !== undefined && { tenant }), step };
}

function howToGoOn({ driver, run: { id, tenant } }: StepInRun): string {
  if (driver?.name === "dbos")
    return `to go on with the run: call \`goOn\` of \`@skillc/runtime/dbos\` with its workflow ${quoted(driver.workflow)}`;
  const whose = tenant === undefined ? "" : ` --tenant ${quotedForShell(tenant)}`;
  return `to go on with the run: \`skillc runs resume ${quotedForShell(id)}${whose}\``;
}

function withNotes(output: CommandOutput, notes: readonly string[]): CommandOutput {
  return notes.length === 0 ? output : { ...output, notes };
}

const noRunsNamed = "skillc.yaml names no kept runs";

function mayBeKept({ step = "" }: LedgerCall): string {
  return `the call is the step ${quoted(step)} of a plan: if its run is kept, name \`runs:\` and \`key:\` in skillc.yaml, and repeat the command to settle the run`;
}

const inFlight =
  "the process of the call may still run here: if the call ends, its own record counts";

/** Checks for a write without an end whose process still exists. */
function mayBeInFlight({ attempts, place }: Pick<UnknownCall, "attempts" | "place">): boolean {
  return attempts === undefined && isRunning(pidOf(place.writer));
}

function notUnknown(call: EndedCall): Failure {
  return {
    message: `the call ${quoted(call.id)} has a known outcome: it ended as ${quoted(call.status)}`,
    help: "`skillc ledger list --status unknown` shows the calls of unknown outcome",
  };
}

/** Compares a finding with the end that the ledger has. */
function contradiction({ error, id, status }: EndedCall, as: SettledAs): Failure | undefined {
  const wrong = error !== null ? "done" : status === "success" ? "not-done" : undefined;
  if (as !== wrong) return undefined;
  return {
    message: `the call ${quoted(id)} can't be settled as \`${as}\`: the ledger says that it ended as ${quoted(status)}`,
    help: `add \`--as ${as === "done" ? "not-done" : "done"}\``,
  };
}

function settledBefore(call: SettledCall): Failure {
  const { as, because, time } = call.settlement;
  return {
    message: `the call ${quoted(call.id)} was settled as ${quoted(as)} at ${time}: ${printable(because)}`,
    help: "to replace this finding, add `--correct`",
  };
}

function settledInRun({ call, run, step }: StepInRun): Failure {
  const as = step.state === "settled" ? step.as : step.state;
  return {
    message: `the run ${quoted(run.id)} has settled the call ${quoted(call)} as ${quoted(as)}`,
    help: "to replace this finding, add `--correct`",
  };
}

function nothingToCorrect(id: string): Failure {
  return {
    message: `the call ${quoted(id)} is not settled, so there is nothing to correct`,
    help: "omit `--correct`",
  };
}
