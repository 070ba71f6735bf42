/**
 * The entry point `@skillc/runtime/internal/command`: what the compiler's side of commands shares
 * with the runtime.
 */
export {
  type ExecutorName,
  type OutputForm,
  usualOutputBytes,
  usualTimeoutMs,
} from "./contract.js";
