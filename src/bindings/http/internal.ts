/**
 * The entry point `@skillc/runtime/internal/http`: rules of HTTP requests that the compiler checks
 * and the runtime applies.
 */
export type { Style } from "./send/styles.js";
export {
  unsendableInHeader,
  usualIntervalMs,
  usualItemBytes,
  usualResponseBytes,
} from "./contract.js";
export { usualPollLimits } from "../../runtime/call/poll-limits.js";
export { isWellFormedMediaType } from "../../runtime/files/media-type.js";
export { hasDotSegment } from "../../runtime/http/dot-segments.js";
export { areOneName, stepsOfName } from "./send/map-names.js";
export { linearIRegexp } from "./send/i-regexp.js";
