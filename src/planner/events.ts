/** The events of `runPlan`. */
import type {
  PlannerProblem,
  PlanState,
  SuspendedPlan,
  TokenCount,
  ToolError,
} from "@skillc/runtime";
import type { JsonValue } from "../core/json.js";
import type { BindingPlan } from "./binding-plan.js";
import type { DynamicPlan, PlanProblem } from "./plan.js";

/** One event. `event` tells them apart. */
export type PlanEvent = {
  readonly [Name in keyof PlanEvents]: { readonly event: Name; readonly data: PlanEvents[Name] };
}[keyof PlanEvents];

/** Data of the events, by their names. */
export interface PlanEvents {
  /** The plan is known: the caller's, or one that a model made. */
  readonly plan: { readonly plan: DynamicPlan; readonly tokens: TokenCount };
  /** The sources of its parameters are known. */
  readonly binding_plan: BindingPlanEvent;
  /** A step begins. A step that was answered before begins and ends again. */
  readonly step_begin: { readonly step: string; readonly tool: string };
  readonly step_end: StepEndEvent;
  /** A parameter had no sure source when its step began. */
  readonly fallback: FallbackEvent;
  /** The task planner is asked for another plan, because a step has failed or stopped the plan. */
  readonly replan: {
    readonly iteration: number;
    readonly step: string;
    /** Code of the failure, or the status that stopped the plan. */
    readonly reason: string;
  };
  /** The last event. */
  readonly done: PlanOutcome;
}

export interface BindingPlanEvent {
  readonly bindings: BindingPlan;
  /** Number of parameters with a binding. */
  readonly bindings_count: number;
  /** Number of parameters that types, names or the plan itself decided. */
  readonly decided_count: number;
  /** Number of parameters that a model was asked for. */
  readonly asked_count: number;
  readonly tokens: TokenCount;
  /** Reason why the model's answer can't be used. */
  readonly problem?: PlannerProblem;
}

export interface StepEndEvent {
  readonly step: string;
  readonly tool: string;
  /**
   * `success`; `absent`: `on` lets the plan go on without an output; `skipped`; `recorded`: in
   * shadow mode; `stopped`: the step has ended the plan; `failed`.
   */
  readonly status: "success" | "absent" | "skipped" | "recorded" | "stopped" | "failed";
  readonly output?: JsonValue;
}

export interface FallbackEvent {
  readonly step: string;
  readonly parameters: readonly string[];
  /** `llm_infer`: a model was asked. `use_default`: the default was taken. */
  readonly policy: "llm_infer" | "use_default";
  readonly tokens: TokenCount;
  /** Reason why the model's answer can't be used. The step then fails. */
  readonly problem?: PlannerProblem;
}

/** How a plan has ended. `status` tells the outcomes apart. */
export type PlanOutcome = PlanEnd & {
  /** Values of the plan. */
  readonly state: PlanState;
  /** Tokens of all requests to models. */
  readonly tokens: TokenCount;
};

export type PlanEnd =
  | { readonly status: "success"; readonly output: JsonValue }
  /** A step got a status without data. */
  | { readonly status: "stopped"; readonly step: string; readonly result: JsonValue }
  /** The run waits for an approval, or for accepted work. */
  | ({ readonly status: "suspended" } & Omit<SuspendedPlan, "status">)
  /** In shadow mode: the writes were only recorded. `step` needs the answer of a recorded write. */
  | { readonly status: "shadow"; readonly step?: string; readonly steps: readonly JsonValue[] }
  /** A step failed, or the run can't go on. */
  | { readonly status: "failed"; readonly step?: string; readonly error: ToolError }
  /** The plan can't be used. No step was made. */
  | { readonly status: "invalid_plan"; readonly problems: readonly PlanProblem[] }
  /** No plan could be made. No step was made. */
  | { readonly status: "no_plan"; readonly problem: PlannerProblem; readonly message: string };
