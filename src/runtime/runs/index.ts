/** The entry point `@skillc/runtime/runs`: runs of plans that survive a crash, in files. */
export { folderRuns, type FolderRunsOptions } from "./folder/folder-runs.js";
export { type RunStateAt, stateOfRun } from "./run-state.js";
export {
  settleStep,
  StepNotSettled,
  type StepNotSettledProblem,
  type StepOfCall,
  stepOfCall,
  type StepSettlement,
} from "./settle-step.js";
export {
  type HeldRun,
  type KeptEvent,
  type KeptRun,
  type RunBeginning,
  type RunEvent,
  type RunFilter,
  RunHeld,
  type RunId,
  type RunState,
  type RunStore,
  RunStoreError,
  type RunStoreProblem,
  type RunSummary,
} from "./store.js";
