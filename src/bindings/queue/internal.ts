/** The entry point `@skillc/runtime/internal/queue`: what checking a binding shares with sending its message. */
export { escapedName, queueReach } from "./send/reach.js";
