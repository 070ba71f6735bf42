/**
 * Keeps runs of plans, so that a run goes on after a crash. A run is a beginning and a list of
 * events; each event is stored before the plan goes on. Stores encrypt parameters, answers and
 * requests. `folder-runs.ts` keeps runs in files of one machine, `postgres` for many.
 */
import type { ApprovalRequest, ToolFailure, WriteOutcome } from "../errors.js";
import type { JsonValue } from "../json/json.js";

/** A store of runs. Made by `folderRuns` or `postgresRuns`. */
export interface RunStore {
  /** Kind of the store: `folder` or `postgres`. */
  readonly kind: string;
  /**
   * Holds a run until it is released. Only one process, and one call in it, holds a run.
   *
   * @param beginning creates the run if there is none with this id
   * @returns undefined if there is no such run, and no beginning
   * @throws RunHeld if another process or call holds the run
   */
  hold(run: RunId, beginning?: RunBeginning): Promise<HeldRun | undefined>;
  /** Returns a run without holding it; undefined if there is none. */
  read(run: RunId): Promise<KeptRun | undefined>;
  /** Yields the runs, newest first, of all tenants or of one. It decrypts nothing. */
  list(filter?: RunFilter): AsyncIterable<RunSummary>;
  /**
   * Removes runs that ended before a time.
   *
   * @returns the number of removed runs
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
  /** Fingerprints of the steps' tools, by the id of the step. */
  readonly manifests: { readonly [step: string]: string };
}

/** A run that this process holds. */
export interface HeldRun extends KeptRun {
  /** True if `hold` created the run. */
  readonly isNew: boolean;
  /** Aborts if the run is lost to another process. Nothing may be sent afterwards. */
  readonly lost: AbortSignal;
  /** Stores an event. It survives a crash once the promise is fulfilled. */
  append(event: RunEvent): Promise<void>;
  /** Lets other processes hold the run. */
  release(): Promise<void>;
}

/** A run as it was stored. */
export interface KeptRun {
  readonly run: RunId;
  readonly beginning: RunBeginning;
  /** Events in the order of their storing. */
  readonly events: readonly RunEvent[];
}

/**
 * Something that happened in a run. `key` names a call: the step's id; in a loop `STEP:INDEX`;
 * inside a step that is a plan `STEP.STEP`.
 */
export type RunEvent =
  /** A call is about to be sent. */
  | { readonly type: "begun"; readonly key: string; readonly call: string }
  /** A call was answered, or a person settled it as done. */
  | {
      readonly type: "answered";
      readonly key: string;
      readonly call: string;
      readonly result: JsonValue;
      /** Places in the result that obligations changed: property names and indices. */
      readonly changed?: readonly (readonly (string | number)[])[];
    }
  /** A call certainly changed nothing, or a person settled it as not done. It may be made again. */
  | { readonly type: "not-done"; readonly key: string; readonly call: string }
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

/** Which runs to list. */
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
}
