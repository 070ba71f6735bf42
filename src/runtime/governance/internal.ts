/**
 * The entry point `@skillc/runtime/internal/governance`: what the compiler and the command line
 * share with the runtime, because both must give one answer. It changes with every version;
 * applications have no use for it.
 */
export { type Caller, ownCaller } from "../caller.js";
export { withDefaults } from "../call/defaults.js";
export { MissingPackage } from "../call/missing-package.js";
export { type AddressClass, classOf } from "./addresses.js";
export { type CedarEngine, openCedar } from "./cedar/engine.js";
export { type Cedar, loadCedar } from "./cedar/load.js";
export { openGovernanceStore, migrateGovernanceStore } from "./store/open-store.js";
export { StoreUnavailable } from "./store/store-unavailable.js";
export type { GovernanceStore } from "./store/store.js";
export { countingState } from "./tool-states.js";
export { judge, type Judgement } from "./judge.js";
export { judgedTest } from "./judged-files.js";
export { RefusedValue } from "../call/refused-value.js";
