/**
 * The entry point `@skillc/runtime/internal/plan`: what the compiler's side of plans must answer
 * like the runtime.
 */
export { stepDefaults } from "./contract.js";
