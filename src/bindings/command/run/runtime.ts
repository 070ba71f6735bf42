/** The entry point `@skillc/runtime/v1/command`: imports for generated modules of commands. */
export { pick } from "../../../runtime/values/pick.js";
export { credential, text } from "../../../runtime/values/text.js";
export { pathSegment as segment } from "../../../runtime/values/segment.js";
export { joined, path, paths, script, scriptFolder, value, values } from "./arguments.js";
export type { CommandFault, CommandRecord } from "./contract.js";
export { command } from "./execute.js";
