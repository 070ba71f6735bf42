/**
 * The entry point `@skillc/runtime/internal/made-plan`: what `skillc/planner` needs of the runtime to
 * run a plan that was made at run time.
 */
export { loadTool } from "../../../runtime/model/load-tool.js";
export type { MadePlanFacts, PlanObserver } from "./ask-planner.js";
export type { PlanContract, PlanStep } from "./contract.js";
export { AbsentValue, stepDefaults } from "./contract.js";
export type { End } from "./ends.js";
export { withResumption } from "../../../runtime/runs/journal.js";
export { MadePlan, type MadePlanOptions } from "./made-plan.js";
