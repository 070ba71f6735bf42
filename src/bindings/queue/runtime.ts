/**
 * The entry point `@skillc/runtime/v1/queue`: imports for generated modules of queue tools with any
 * provider.
 */
export type { QueueRecord } from "./contract.js";
export { credential, fitted, json, omit, pick, targetName, text } from "./execute.js";
