/**
 * Keeps runs of plans, so that a run goes on after a crash. A run is a beginning and a list of
 * events; each event is stored before the plan goes on. Stores encrypt parameters, answers and
 * requests. `folder` keeps runs in files of one machine, `postgres` for many. Both write the
 * entries of `sealed-run.ts`.
 */
import type { ApprovalRequest, ToolFailure, WriteOutcome } from "../errors.js";
import type { JsonValue } from "../json/json.js";
import type { TokenCount } from "../planner.js";

/** A store of runs. Made by `folderRuns` or `postgresRuns`. */
export interface RunStore {
  /** Kind of the store: `folder` or `postgres`. */
  readonly kind: string;
  /**
   * Returns the store for a runtime whose project is in this folder. `createRuntime` calls it with
   * its `directory`. Absent if the place of the runs doesn't depend on the runtime.
   *
   * @param directory absolute path
   */
  inDirectory?(directory: string): RunStore;
  /**
   * Holds a run until it is released. Only one process, and one call in it, holds a run.
   *
   * @param beginning creates the run if there is none with this id
   * @returns undefined if there is no such run, and no beginning
   * @throws RunHeld if another process or call holds the run
   * @throws RunStoreError if the run can't be read or stored
   */
  hold(run: RunId, beginning?: RunBeginning): Promise<HeldRun | undefined>;
  /**
   * Returns a run without holding it; undefined if there is none.
   *
   * @throws RunStoreError if the run can't be read
   */
  read(run: RunId): Promise<KeptRun | undefined>;
  /**
   * Yields the runs, newest first, of all tenants or of one. It decrypts nothing.
   *
   * @throws RunStoreError if a run can't be read, after all others were yielded
   */
  list(filter?: RunFilter): AsyncIterable<RunSummary>;
  /**
   * Removes runs that ended before a time. It leaves runs that somebody holds.
   *
   * @returns the number of removed runs
   * @throws RangeError if the time is not valid; RunStoreError if the store can't be written
   */
  prune(endedBefore: Date): Promise<number>;
  /** Closes the store. Call it if you opened the store; `shutdown` does it too. */
  close(): Promise<void>;
}

/** Names a run. Each tenant has its own ids: a run of another tenant doesn't exist. */
export interface RunId {
  readonly id: string;
  /** Tenant of the run's caller; absent for a caller without a tenant. */
  readonly tenant?: string | undefined;
}

/** Facts about a run that never change. */
export interface RunBeginning {
  /** Id of the plan: `skill/tool`. */
  readonly tool: string;
  /** Parameters of the call, with defaults. */
  readonly params: JsonValue;
  /** Subject of the caller; absent if the caller has none. */
  readonly subject?: string | undefined;
  /** Trace of all calls of the run. */
  readonly trace: string;
  /** Set if the caller must not name files of this machine. */
  readonly files?: "content-only" | undefined;
  /** Fingerprints of the steps' tools, by the id of the step. */
  readonly manifests: { readonly [step: string]: string };
  /** The driver of the run; absent if a call of the plan's function runs it. */
  readonly driver?: RunDriver | undefined;
}

/**
 * Something that runs a run in place of a call of the plan's function. A run belongs to one driver.
 *
 * - `planner`: `runPlan` of `skillc/planner`.
 * - `dbos`: a workflow of DBOS, which `planWorkflow` of `@skillc/runtime/dbos` has started.
 */
export type RunDriver =
  | { readonly name: "planner" }
  | { readonly name: "dbos"; /** Id of the workflow. */ readonly workflow: string };

/** A run that this process holds. */
export interface HeldRun extends KeptRun {
  /** True if `hold` created the run. */
  readonly isNew: boolean;
  /** Aborts if the run is lost to another process. Nothing may be sent afterwards. */
  readonly lost: AbortSignal;
  /**
   * Stores an event. It survives a crash once the promise is fulfilled. Events are stored in the
   * order of the calls; you need not wait for one before you append the next.
   *
   * @throws RunStoreError if the event can't be stored; it may be stored all the same. With
   * `problem: "lost"`, another process holds the run.
   */
  append(event: RunEvent): Promise<void>;
  /** Waits for events that are being stored, and lets other processes hold the run. */
  release(): Promise<void>;
}

/** A run as it was stored. */
export interface KeptRun {
  readonly run: RunId;
  readonly beginning: RunBeginning;
  /** Time of the beginning, in ISO 8601, UTC. */
  readonly begunAt?: string | undefined;
  /** Events in the order of their storing, up to the time of reading or holding. */
  readonly events: readonly KeptEvent[];
}

/** An event as it was stored. */
export type KeptEvent = RunEvent & {
  /** Time of the storing, in ISO 8601, UTC. */
  readonly at?: string;
};

/**
 * Something that happened in a run. `key` names a call: the step's id; in a loop `STEP:INDEX`;
 * inside a step that is a plan `STEP.STEP`.
 */
export type RunEvent =
  /** A call is about to be sent. */
  | {
      readonly type: "begun";
      readonly key: string;
      readonly call: string;
      /** Id of the tool: `skill/tool`. Earlier versions did not store it. */
      readonly tool?: string;
      /** False if no step and no output of the plan reads the answer's data. */
      readonly isRead?: boolean;
    }
  /** A call was answered, or a person settled it as done. */
  | {
      readonly type: "answered";
      readonly key: string;
      readonly call: string;
      readonly result: JsonValue;
      /** How a person knows that the call was made; absent if the call itself was answered. */
      readonly settled?: string;
      /** Places in the result that obligations changed: property names and indices. */
      readonly changed?: readonly (readonly (string | number)[])[];
    }
  /** The target accepted the work of a call, and can be polled at an address. */
  | {
      readonly type: "accepted";
      readonly key: string;
      readonly call: string;
      readonly address: string;
    }
  /** A call certainly changed nothing, or a person settled it as not done. It may be made again. */
  | {
      readonly type: "not-done";
      readonly key: string;
      readonly call: string;
      /** How a person knows that the call was not made; absent if the runtime knew it. */
      readonly settled?: string;
    }
  /** A call failed, and the plan goes on without its answer, as `on` of its step says. */
  | {
      readonly type: "passed";
      readonly key: string;
      readonly on: "continue" | "skip";
      readonly error: KeptError;
    }
  /** A step waits for an approval, or for accepted work. */
  | {
      readonly type: "suspended";
      readonly key: string;
      readonly request?: ApprovalRequest;
    }
  /** A planner made the plan, or another one after a failure. Only runs of `runPlan` have such events. */
  | {
      readonly type: "planned";
      readonly plan: JsonValue;
      /** Fingerprints of the tools of its steps, by the id of the step. */
      readonly manifests: { readonly [step: string]: string };
      /** Tokens that the plan and its bindings have used. */
      readonly tokens: TokenCount;
    }
  /** A planner found parameters of a call. The call is repeated with the same values. */
  | {
      readonly type: "inferred";
      readonly key: string;
      readonly values: { readonly [name: string]: JsonValue };
      readonly tokens: TokenCount;
    }
  /** The run goes on. `forced` says which changes of tools a person accepted. */
  | {
      readonly type: "resumed";
      readonly manifests?: { readonly [step: string]: string };
      readonly forced?: string;
    }
  /** The run has ended: with the status of its answer, `failed` or `cancelled`. */
  | { readonly type: "ended"; readonly status: string; readonly result?: JsonValue };

/** The parts of a `ToolError` that a run keeps. */
export interface KeptError {
  readonly tool: string;
  readonly failure: ToolFailure;
  readonly message: string;
  readonly attempts: number;
  readonly outcome: WriteOutcome;
}

/** Selects runs for a list. */
export interface RunFilter {
  readonly tenant?: string;
  /** Id of a plan: `skill/tool`. */
  readonly tool?: string;
  readonly state?: RunState;
}

/** `unfinished`: begun, and neither suspended nor ended; it may be running now. */
export type RunState = "unfinished" | "suspended" | "ended";

/** A run in a list. */
export interface RunSummary {
  readonly run: RunId;
  readonly tool: string;
  readonly subject?: string | undefined;
  readonly trace: string;
  readonly state: RunState;
  /** Status of the answer, if the run has ended. */
  readonly status?: string;
  /** Time of the beginning, in ISO 8601, UTC. */
  readonly begunAt: string;
  /** Time of the last event, in ISO 8601, UTC. */
  readonly changedAt: string;
}

/** The error of `hold` if another process or call holds the run. */
export class RunHeld extends Error {
  override readonly name = "RunHeld";
  /** A remedy. */
  readonly help: string | undefined;

  constructor(message: string, help?: string) {
    super(message);
    this.help = help;
  }
}

/**
 * The reason why a store can't read or keep a run:
 *
 * - `other-key`: the run was stored with another key.
 * - `changed`: somebody changed what the store kept, or it is damaged.
 * - `newer`: a later version of the runtime stored the run.
 * - `lost`: another process took the run over.
 * - `read-only`: the folder or the database can't be written.
 * - `full`: there is no space left.
 * - `too-large`: an event, or the parameters, have more than 256 MiB as JSON.
 * - `not-a-folder`, `not-a-file`, `link`: something else is in the place of a folder or a file.
 * - `not-migrated`: the tables are missing, or of an earlier version.
 * - `unavailable`: the store can't be reached, or was closed.
 */
export type RunStoreProblem =
  | "other-key"
  | "changed"
  | "newer"
  | "lost"
  | "read-only"
  | "full"
  | "too-large"
  | "not-a-folder"
  | "not-a-file"
  | "link"
  | "not-migrated"
  | "unavailable";

/**
 * The error of a store that can't read or keep a run. The message contains no credential, and
 * nothing of parameters and answers.
 */
export class RunStoreError extends Error {
  override readonly name = "RunStoreError";
  readonly problem: RunStoreProblem;
  /** A remedy, if known. */
  readonly help: string | undefined;

  constructor(problem: RunStoreProblem, message: string, help?: string) {
    super(message);
    this.problem = problem;
    this.help = help;
  }
}
