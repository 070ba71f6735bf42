/**
 * The entry point `skillc/planner`: plans that a model or a program makes at run time. It loads
 * nothing of the compiler but the comparison of schemas.
 */
export {
  type BindingFallback,
  type BindingPlan,
  type BindingRule,
  type BindingSourceType,
  type ParameterBinding,
  readBindingPlan,
  type StepBindings,
} from "./binding-plan.js";
export {
  type BindingPlanner,
  type BindingPlannerOptions,
  type BindingRequest,
  createBindingPlanner,
  PlanError,
  type PlannedBindings,
} from "./binding-planner.js";
export type { PlanEnd, PlanEvent, PlanEvents, PlanOutcome } from "./events.js";
export type { Llm, LlmAnswer, LlmMessage, LlmRequest } from "./llm.js";
export type { DynamicPlan, DynamicStep, PlanProblem } from "./plan.js";
export { type LlmRecording, recordLlm, replayLlm } from "./record-llm.js";
export { runPlan, type RunPlanOptions } from "./run-plan.js";
export {
  createTaskPlanner,
  type FailedPlan,
  type MadeTaskPlan,
  type TaskPlanner,
  type TaskPlannerOptions,
  type TaskRequest,
} from "./task-planner.js";
export type { PlannerCatalog } from "./tools.js";
