/**
 * The entry point `@skillc/runtime/internal/governance`: code that the runtime shares with the
 * compiler and the command line, so that they always agree. It may change in every version.
 * Applications don't need it.
 */
export { type Caller, ownCaller } from "../caller.js";
export { withDefaults } from "../call/defaults.js";
export { MissingPackage } from "../call/missing-package.js";
export { type AddressClass, classOf } from "./addresses.js";
export { mayConfirm, withdrawnBy } from "./approval-rules.js";
export { type CedarEngine, openCedar } from "./cedar/engine.js";
export { type Cedar, loadCedar } from "./cedar/load.js";
export { openGovernanceStore, migrateGovernanceStore } from "./store/open-store.js";
export { createFolderStore, openFolderStore } from "./store/folder/folder-store.js";
export { StoreUnavailable } from "./store/store-unavailable.js";
export type { GovernanceStore } from "./store/store.js";
export { countingState } from "./tool-states.js";
export { judge, type Judgement } from "./judge.js";
export { judgedTest } from "./judged-files.js";
export { pathSets } from "./call-paths.js";
export { effectCounts } from "../rollback/effect-counts.js";
export { discardLayers } from "../rollback/kept-layers.js";
export { RefusedValue } from "../call/refused-value.js";
