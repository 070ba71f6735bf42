/** Asks a store in another process, and closes nothing. Argument: the store's URL. */
import { openGovernanceStore } from "../../../src/runtime/governance/store/open-store.js";

const store = await openGovernanceStore(process.argv[2] ?? "");
console.log(JSON.stringify(await store.lease("turn", "forgetful", 1000)));
