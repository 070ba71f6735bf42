/** The entry point `@skillc/runtime/dbos`: plans that DBOS runs, on one machine or many. */
export { isPlanWorkflowError, PlanWorkflowError } from "./plan-workflow-error.js";
export {
  goOn,
  type GoOnOptions,
  type PlanWorkflow,
  planWorkflow,
  type PlanWorkflowOptions,
  type StartPlanOptions,
} from "./plan-workflow.js";
export type { Decision, PlanWorkflowEnd, StepMark } from "./workflow-run.js";
