/** The entry point `@skillc/runtime/internal/sql`: code that the compiler and the runtime share. */
export type { Dimensions, Format, Refusal, ScalarFormat } from "./contract.js";
export { EXTENSIONS, loadExtensions } from "./send/extensions.js";
export { closeSocket, isConnectTimeout, runExchange } from "../../runtime/postgres/pg-internals.js";
export { sqlReach, tableText } from "./send/reach.js";
export { defaultSearchPath, searchPathSetting, sessionSettings } from "./send/settings.js";
export { writeCommand } from "./send/wire.js";
