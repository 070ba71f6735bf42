/**
 * The entry point `@skillc/runtime/internal/http`: what checking a binding shares with sending its
 * request.
 */
export type { Style } from "./send/styles.js";
export { unsendableInHeader, usualItemBytes, usualResponseBytes } from "./contract.js";
export { hasDotSegment } from "../../runtime/http/dot-segments.js";
export { areOneName, stepsOfName } from "./send/map-names.js";
export { linearIRegexp } from "./send/i-regexp.js";
