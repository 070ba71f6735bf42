/**
 * The entry point `@skillc/runtime/v1/queue`: what generated modules of queue tools import,
 * whatever their provider.
 */
export type { QueueRecord } from "./contract.js";
export { credential, fitted, json, omit, pick, targetName, text } from "./execute.js";
