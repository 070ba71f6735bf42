/**
 * The run of a plan while this process holds it. The plan asks the journal what happened before, and
 * the journal stores what happens now. Plans inside the plan share its journal.
 */
import { randomUUID } from "node:crypto";
import { callError } from "../call/call-error.js";
import type { Call } from "../call/call.js";
import type { CallOptions } from "../call/call-options.js";
import { equal } from "../equal.js";
import { removeTemporary, temporaryKey } from "../files/temporary-folders.js";
import {
  type ApprovalRequest,
  ToolError,
  type ToolFailure,
  withOutcome,
  type WriteOutcome,
} from "../errors.js";
import type { DataPath } from "../json/data-path.js";
import type { JsonValue } from "../json/json.js";
import type { AnyResult } from "../result.js";
import type { TokenCount } from "../planner.js";
import { changedSteps, type Manifests, pinnedManifests } from "./manifests.js";
import {
  type HeldRun,
  type KeptEvent,
  type KeptRun,
  type RunBeginning,
  type RunDriver,
  type RunEvent,
  RunHeld,
  RunStoreError,
} from "./store.js";

/** How a run goes on. `resumeRun` passes it in a call's options, by a symbol. */
export interface Resumption {
  /** Id of the approval for the step that suspended the run. */
  readonly approval?: string | undefined;
  /** Set if the run goes on although tools of its steps have changed: who accepted it, and why. */
  readonly forced?: string | undefined;
}

/** Key of a resumption in options; the same for every copy of this package. */
const key = Symbol.for("skillc.resumption");

/** Returns options of a call that resumes a run. */
export function withResumption(options: CallOptions, resumption: Resumption): CallOptions {
  return { ...options, [key]: resumption } as CallOptions;
}

/** Returns how the call resumes a run; undefined for every other call. */
export function resumptionOf(options: CallOptions): Resumption | undefined {
  // Only `withResumption` sets this key.
  return (options as { readonly [key]?: Resumption })[key];
}

/** Facts about a call that help a person to settle it. */
export type BegunFacts = Required<
  Pick<Extract<RunEvent, { readonly type: "begun" }>, "tool" | "isRead">
>;

/** Stored state of a call. A call without one may be made. */
export type KnownCall =
  | {
      readonly type: "answered";
      readonly result: AnyResult;
      readonly changed: readonly DataPath[];
    }
  /** It was begun, and nobody knows whether it was made. */
  | { readonly type: "begun"; readonly call: string }
  /** Its target accepted the work, and can be polled. */
  | { readonly type: "accepted"; readonly address: string }
  /** It failed, and the plan went on. */
  | Extract<RunEvent, { readonly type: "passed" }>;

/**
 * Begins the run that a call of a plan names, or goes on with it.
 *
 * @throws ToolError if the run is not this caller's, is another plan's or was changed; if somebody
 * else holds it; or if the store fails
 */
export function openRun(call: Call, manifests: Manifests, driver?: RunDriver): Promise<RunJournal> {
  return holdRun(call, beginningOf(call, manifests, driver), () => manifests);
}

/**
 * Stores the beginning of a run that a driver will run. If the run has begun, checks that it began
 * with the same plan, parameters, caller and driver.
 *
 * @throws ToolError if the run began otherwise, or the store fails
 */
export async function beginRun(call: Call, manifests: Manifests, driver: RunDriver): Promise<void> {
  const beginning = beginningOf(call, manifests, driver);
  const { caller, options, runtime, toolId } = call;
  // The maker of the call has checked both.
  const [id, store] = [options.run ?? "", runtime.runs];
  const run = { id, tenant: caller?.tenant };
  try {
    const held = await store?.hold(run, beginning).catch((error: unknown) => {
      // Its driver runs it, or another call has just begun it.
      if (!(error instanceof RunHeld)) throw error;
    });
    await held?.release();
    const kept = held ?? (await store?.read(run));
    if (kept === undefined) throw noRun(toolId, id);
    requireSame(call, kept, beginning);
  } catch (cause) {
    throw cause instanceof ToolError ? cause : storeError(call, id, cause);
  }
}

/**
 * Begins the run of a plan that was made at run time, or goes on with it. A call without `run` gets
 * a journal in memory.
 *
 * @param manifestsOf returns the fingerprints of the tools that a kept run now has
 * @throws ToolError as `openRun` does
 */
export async function openMadeRun(
  call: Call,
  driver: RunDriver,
  manifestsOf: (events: readonly KeptEvent[]) => Manifests,
): Promise<RunJournal> {
  const beginning = beginningOf(call, {}, driver);
  if (call.options.run != null) return holdRun(call, beginning, manifestsOf);
  return new RunJournal(call, unkeptRun(beginning));
}

/** A run that nobody keeps, and nobody else can hold. */
function unkeptRun(beginning: RunBeginning): HeldRun {
  return {
    run: { id: randomUUID() },
    beginning,
    events: [],
    isNew: true,
    lost: new AbortController().signal,
    append: async () => {},
    release: async () => {},
  };
}

function beginningOf(
  call: Call,
  manifests: Manifests,
  driver: RunDriver | undefined,
): RunBeginning {
  const { args, caller, options, toolId } = call;
  return {
    tool: toolId,
    // The validator accepted the parameters. A property may be undefined.
    params: JSON.parse(JSON.stringify(args)) as JsonValue,
    subject: caller?.subject,
    trace: options.trace ?? caller?.trace ?? randomUUID(),
    manifests,
    ...(options.files !== undefined && { files: options.files }),
    ...(driver !== undefined && { driver }),
  };
}

/** @throws ToolError if a run is not this caller's, another plan's, another driver's or was changed */
function requireSame(call: Call, { beginning, events, run }: KeptRun, asked: RunBeginning): void {
  const { id } = run;
  if (beginning.subject !== asked.subject) throw noRun(call.toolId, id);
  if (beginning.tool !== asked.tool || !equal(beginning.params, asked.params)) {
    const failure = { code: "PLAN.RUN_TAKEN", run: id } as const;
    throw runError(call, failure, "has other parameters, or another plan");
  }
  // Every caller may take the answer of a run that has ended.
  if (events.some(({ type }) => type === "ended")) return;
  const { driver } = beginning;
  if (equal(driver, asked.driver)) return;
  const by =
    driver?.name === "dbos"
      ? `can't go on here: it belongs to the workflow \`${driver.workflow}\` of DBOS, which makes it go on`
      : "can't go on here: it was begun without this workflow of DBOS. Take another id";
  throw runError(call, { code: "PLAN.RUN_UNAVAILABLE", run: id, reason: "driver" }, by);
}

async function holdRun(
  call: Call,
  beginning: RunBeginning,
  manifestsOf: (events: readonly KeptEvent[]) => Manifests,
): Promise<RunJournal> {
  const { caller, options, runtime, toolId } = call;
  // The opener of the call has checked both.
  const [id, store] = [options.run ?? "", runtime.runs];
  const resumption = resumptionOf(options);
  // A run that is resumed exists. If it was removed meanwhile, it must not begin anew.
  const created = resumption === undefined ? beginning : undefined;
  const held = await store?.hold({ id, tenant: caller?.tenant }, created).catch((cause) => {
    throw cause instanceof RunHeld ? heldError(call, id, cause) : storeError(call, id, cause);
  });
  if (held === undefined) throw noRun(toolId, id);
  const journal = new RunJournal(call, held);
  try {
    const asked = { ...beginning, manifests: manifestsOf(held.events) };
    if (!held.isNew) await journal.goOn(asked, resumption);
    return journal;
  } catch (error) {
    await journal.release();
    throw error;
  }
}

type PlannedEvent = Extract<RunEvent, { readonly type: "planned" }>;
type InferredEvent = Extract<RunEvent, { readonly type: "inferred" }>;

export class RunJournal {
  readonly id: string;
  /** Trace of all calls of the run. */
  readonly trace: string;
  /** Aborts if the run is lost to another process. */
  readonly lost: AbortSignal;
  readonly #call: Call;
  readonly #held: HeldRun;
  readonly #calls = new Map<string, KnownCall>();
  readonly #inferred = new Map<string, InferredEvent["values"]>();
  #plan: PlannedEvent | undefined;
  #tokens: TokenCount = { input: 0, output: 0 };
  #suspended: string | undefined;
  #approval: { readonly key: string; readonly id: string } | undefined;
  #end: Extract<RunEvent, { readonly type: "ended" }> | undefined;

  /** @param call the call of the outermost plan */
  constructor(call: Call, held: HeldRun) {
    const { beginning, events, lost, run } = held;
    this.id = run.id;
    this.trace = beginning.trace;
    this.lost = lost;
    this.#call = call;
    this.#held = held;
    for (const event of events) this.#note(event);
  }

  /** The answer with which the run has ended; undefined if it has not. */
  get answer(): AnyResult | undefined {
    // `end` stored it.
    return this.#end?.result as AnyResult | undefined;
  }

  /**
   * Checks that this caller may go on with the run, and stores that it does.
   *
   * @param asked the beginning that the run would have if it began now
   */
  async goOn(asked: RunBeginning, { approval, forced }: Resumption = {}): Promise<void> {
    const run = this.id;
    requireSame(this.#call, this.#held, asked);
    if (this.#end !== undefined) {
      if (this.#end.result !== undefined) return;
      const { status } = this.#end;
      throw this.#refused({ code: "PLAN.RUN_ENDED", run, status }, `has ended as ${status}`);
    }
    const steps = changedSteps(pinnedManifests(this.#held), asked.manifests);
    if (steps.length > 0 && forced === undefined)
      throw this.#refused(
        { code: "PLAN.CHANGED", run, steps },
        `can't go on: the tools of its steps ${named(steps)} have changed since it began`,
      );
    if (approval !== undefined && this.#suspended !== undefined)
      this.#approval = { key: this.#suspended, id: approval };
    const accepted = steps.length > 0 && { manifests: asked.manifests, forced: forced ?? "" };
    await this.#append({ type: "resumed", ...accepted });
  }

  /** Returns what the run knows of a call; undefined if the call may be made. */
  known(key: string): KnownCall | undefined {
    return this.#calls.get(key);
  }

  /** True if a store keeps the run, so that it can be resumed. */
  get isKept(): boolean {
    return this.#call.options.run != null;
  }

  /** The plan that was made last; undefined if there is none. */
  get plan(): JsonValue | undefined {
    return this.#plan?.plan;
  }

  /** Tokens that planners have used in the run. */
  get tokens(): TokenCount {
    return this.#tokens;
  }

  /** Stores a plan, which replaces an earlier one. */
  planned(plan: object, manifests: Manifests, tokens: TokenCount): Promise<void> {
    // A planner made it of JSON.
    return this.#append({ type: "planned", plan: plan as JsonValue, manifests, tokens });
  }

  /** Returns parameters of a call that a planner found earlier. */
  inferred(key: string): InferredEvent["values"] | undefined {
    return this.#inferred.get(key);
  }

  /** Stores parameters that a planner found, so that a repeated call has the same. */
  infer(key: string, values: InferredEvent["values"], tokens: TokenCount): Promise<void> {
    return this.#append({ type: "inferred", key, values, tokens });
  }

  /** Returns the approval of a call, for the call that suspended the run. */
  approvalOf(key: string): string | undefined {
    return this.#approval?.key === key ? this.#approval.id : undefined;
  }

  /** Stores that a call is about to be sent. */
  begin(key: string, call: string, facts: BegunFacts): Promise<void> {
    return this.#append({ type: "begun", key, call, ...facts });
  }

  /** Stores where accepted work can be polled. */
  accepted(key: string, call: string, address: string): Promise<void> {
    return this.#append({ type: "accepted", key, call, address }, "unknown");
  }

  /** Stores the answer of a call. */
  async answered(
    key: string,
    call: string,
    result: AnyResult,
    changed: readonly DataPath[],
  ): Promise<void> {
    // A plan that is suspended has no answer yet.
    if (isSuspended(result, this.id)) return;
    const differs = changed.length > 0 && { changed };
    // The answer of a tool that a plan may call is JSON.
    const json = result as AnyResult & JsonValue;
    await this.#append({ type: "answered", key, call, result: json, ...differs }, "unknown");
  }

  /** Stores that a call certainly changed nothing. If that can't be stored, its outcome is unknown. */
  async failed(key: string, call: string, { outcome }: ToolError): Promise<void> {
    const known = this.#calls.get(key);
    if (outcome === "unknown" || known?.type !== "begun" || known.call !== call) return;
    await this.#append({ type: "not-done", key, call }).catch(() => {});
  }

  /** Stores that the plan goes on after a failure. */
  pass(key: string, on: "continue" | "skip", error: ToolError): Promise<void> {
    const { attempts, failure, message, outcome, tool } = error;
    const kept = { tool, failure, message, attempts, outcome };
    return this.#append({ type: "passed", key, on, error: kept });
  }

  /** Stores that a call waits for an approval, or for accepted work. */
  suspend(key: string, request: ApprovalRequest | undefined): Promise<void> {
    return this.#append({ type: "suspended", key, ...(request !== undefined && { request }) });
  }

  /** Stores the answer of the plan, and removes the temporary folders of the run. */
  async end(result: AnyResult): Promise<void> {
    const { status } = result;
    await this.#append({ type: "ended", status, result: result as AnyResult & JsonValue });
    const { caller, runtime } = this.#call;
    await removeTemporary(temporaryKey(runtime.directory, caller, "run", this.id));
  }

  /** Lets others hold the run. If the store misses that, it notices by itself. */
  async release(): Promise<void> {
    await this.#held.release().catch(() => {});
  }

  /**
   * Checks that a write may be sent although it may have been made before.
   *
   * @throws ToolError if it began, and must not be repeated
   */
  requireRepeatable(path: string, mayRepeat: () => boolean): void {
    const known = this.#calls.get(path);
    if (known?.type !== "begun" || mayRepeat()) return;
    const { call } = known;
    throw this.#refused(
      { code: "PLAN.OUTCOME_UNKNOWN", run: this.id, step: path, call },
      `can't go on: nobody knows whether its step \`${path}\` was made. Find out, record it with \`skillc ledger settle ${call}\`, and resume the run`,
    );
  }

  /** Makes the error for a run that another process has taken. */
  lostError(): ToolError {
    const failure = { code: "PLAN.RUN_UNAVAILABLE", run: this.id, reason: "lost" } as const;
    return this.#refused(failure, "was taken by another process");
  }

  /** @param outcome outcome of the call that the event is about, if the event can't be stored */
  async #append(event: RunEvent, outcome: WriteOutcome = "not-done"): Promise<void> {
    try {
      if (this.lost.aborted) throw this.lostError();
      await this.#held.append(event);
    } catch (cause) {
      const isLost = cause instanceof RunStoreError && cause.problem === "lost";
      if (isLost || this.lost.aborted) throw withOutcome(this.lostError(), outcome);
      throw withOutcome(storeError(this.#call, this.id, cause), outcome);
    }
    this.#note(event);
  }

  #note(event: RunEvent): void {
    switch (event.type) {
      case "begun":
        this.#calls.set(event.key, { type: "begun", call: event.call });
        break;
      case "answered": {
        const { changed = [], key, result } = event;
        // `answered` stored it, or a person whose answer was checked.
        this.#calls.set(key, {
          type: "answered",
          result: result as JsonValue & AnyResult,
          changed,
        });
        break;
      }
      case "accepted":
        this.#calls.set(event.key, { type: "accepted", address: event.address });
        break;
      case "not-done":
        this.#calls.delete(event.key);
        break;
      case "passed":
        this.#calls.set(event.key, event);
        break;
      case "suspended":
        this.#suspended = event.key;
        break;
      case "planned":
        this.#plan = event;
        this.#tokens = sumOf(this.#tokens, event.tokens);
        break;
      case "inferred":
        this.#inferred.set(event.key, event.values);
        this.#tokens = sumOf(this.#tokens, event.tokens);
        break;
      case "resumed":
        break;
      case "ended":
        this.#end = event;
        break;
    }
  }

  #refused(failure: RunFailure, what: string): ToolError {
    return runError(this.#call, failure, what);
  }
}

function sumOf(one: TokenCount, other: TokenCount): TokenCount {
  return { input: one.input + other.input, output: one.output + other.output };
}

/** The answer of a plan whose run waits for an approval, or for work that a target accepted. */
export interface SuspendedPlan {
  readonly status: "suspended";
  /** Id of the run. */
  readonly run: string;
  /** The step; in a loop `STEP:INDEX`, for a step that is a plan `STEP.STEP`. */
  readonly step: string;
  /**
   * Call to approve. Pass it to `runtime.approve`, and the approval's id to `resumeRun`. Absent if
   * the step waits for accepted work.
   */
  readonly request?: ApprovalRequest;
}

/** Returns whether an answer says that the run is suspended. */
export function isSuspended(result: AnyResult, run: string): result is SuspendedPlan {
  return result.status === "suspended" && "run" in result && result.run === run;
}

type RunFailure = Extract<ToolFailure, { readonly code: `PLAN.${string}`; readonly run: string }>;

function runError(
  call: Pick<Call, "attempts" | "toolId">,
  failure: RunFailure,
  what: string,
  cause?: unknown,
): ToolError {
  const of = call.toolId === "" ? "" : ` of \`${call.toolId}\``;
  const message = `the run \`${failure.run}\`${of} ${what}`;
  const known = cause === undefined ? {} : { cause };
  return callError(call, failure, message, { outcome: "not-done", ...known });
}

function heldError(call: Call, run: string, cause: RunHeld): ToolError {
  const failure = { code: "PLAN.RUN_UNAVAILABLE", run, reason: "held" } as const;
  const what = `is running in another process, or in another call: ${withHelp(cause)}`;
  return runError(call, failure, what, cause);
}

/** Quotes an error of a store, which by contract contains no secret. */
function withHelp({ help, message }: RunHeld | RunStoreError): string {
  return help === undefined ? message : `${message}; ${help}`;
}

/** Makes the error for a store that can't read or keep a run. */
export function storeError(
  call: Pick<Call, "attempts" | "toolId">,
  run: string,
  cause: unknown,
): ToolError {
  const failure = { code: "PLAN.RUN_UNAVAILABLE", run, reason: "store" } as const;
  const why = cause instanceof RunStoreError ? `: ${withHelp(cause)}` : "";
  return runError(call, failure, `can't go on: the store of runs failed${why}`, cause);
}

/** Makes the error for a run that doesn't exist for the caller. */
export function noRun(tool: string, run: string): ToolError {
  return callError(
    { toolId: tool, attempts: 0 },
    { code: "PLAN.NO_RUN", run },
    `the caller has no run \`${run}\``,
  );
}

function named(steps: readonly string[]): string {
  return steps.map((each) => `\`${each}\``).join(", ");
}
