/** The entry point `@skillc/runtime/internal/http`: what checking a binding shares with sending its request. */
export { usualResponseBytes } from "./contract.js";
export { linearIRegexp } from "./send/i-regexp.js";
export { unsendableInHeader } from "./send/sealed-request.js";
export { isDotSegment } from "./send/segments.js";
