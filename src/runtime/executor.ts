/**
 * The entry point `@skillc/runtime/executor`: imports for the executors of binding kinds. Executors
 * are the only code outside of this package that sends requests. Generated code and applications
 * don't need it.
 */
export { type BoundCaller, boundCaller } from "./caller.js";
export { codingsOf, decoders, decompress } from "./http/content-coding.js";
export {
  ToolError,
  type ToolFailure,
  UnreadableAnswer,
  withOutcome,
  type WriteOutcome,
} from "./errors.js";
export { type JsonValue, parseJson, UnheldNumber } from "./json/json.js";
export { ifMissing } from "./call/missing-package.js";
export { GivenFile } from "./files/tool-file.js";
export { isWellFormedMediaType } from "./files/media-type.js";
export { type HttpReach, httpReach, processReach, type Reach } from "./reach.js";
export { RefusedValue } from "./call/refused-value.js";
export type { PageName, UnusablePage } from "./call/page-place.js";
export { keepBytes } from "./ledger/produced-bytes.js";
export { retryAfterMs } from "./http/retry-after.js";
export type { AnyResult, Shadowed, Success, ToolResult } from "./result.js";
export { onShutdown } from "./shutdown.js";
export type {
  AbortListener,
  Accepted,
  Attempt,
  CallHooks,
  Connecting,
  AttemptOutcome,
  ProducedFacts,
  StartingProcess,
} from "./call/attempt.js";
export type { Binding, CallIdentity, Paging, PollLimits, PreparedCall } from "./call/binding.js";
export {
  foremostProblem,
  problemsOf,
  tellProblems,
  type Validator,
} from "./validation/validation.js";
