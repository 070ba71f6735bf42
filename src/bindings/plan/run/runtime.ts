/** The entry point `@skillc/runtime/v1/plan`, which generated modules of plans import. */
export type { SuspendedPlan } from "../../../runtime/runs/journal.js";
export {
  eachStep,
  given,
  missing,
  needed,
  present,
  type RecordedStep,
  type ShadowedPlan,
  step,
  type StepData,
  type StepStop,
} from "./contract.js";
export { plan } from "./execute.js";
