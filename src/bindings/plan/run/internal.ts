/**
 * The entry point `@skillc/runtime/internal/plan`: what the compiler's side of plans shares with the
 * runtime.
 */
export { plannerReach } from "../../../runtime/reach.js";
export { type OnStatus, type PlanFacts, stepDefaults } from "./contract.js";
