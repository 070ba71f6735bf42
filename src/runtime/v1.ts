/**
 * The entry point `@skillc/runtime/v1`: imports for generated modules, in version 1 of the contract
 * between compiler and runtime.
 */
export { callTool } from "./call/call-tool.js";
export type { CallOptions } from "./call/call-options.js";
export type { Catalog, CatalogSkill, CatalogTool } from "./model/catalog.js";
export type { Handler, HandlerRecord } from "./handler.js";
export type { CedarPolicies, GovernedTool, ProjectPolicy } from "./governance/policy.js";
export { type PagedTool, pagedTool, type PageItem, type WithNext } from "./call/paged-tool.js";
export type { ToolFile } from "./files/tool-file.js";
export type { JsonValue } from "./json/json.js";
export type { Masked } from "./governance/obligations/mask.js";
export type { Obliged } from "./obliged.js";
export type { EventStream, ItemStream } from "./stream.js";
export { compensate, type ParametersOf, type SuccessOf } from "./rollback/compensate.js";
export type { Shadowed, ToolResult } from "./result.js";
export { configure, createRuntime, type Runtime, type RuntimeOptions } from "./runtime.js";
export { defineTool } from "./tool.js";
