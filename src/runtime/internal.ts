/**
 * The entry point `@skillc/runtime/internal`: code that the runtime shares with the compiler and
 * the command line, so that they always agree. It may change in every version. Applications don't
 * need it.
 */
export { callerFields, longestName, origins, whyNoName } from "./caller.js";
export { createCredentials } from "./credentials/credentials.js";
export { withWholeValues } from "./credentials/env-file.js";
export type { Defaults, PropertyDefault } from "./call/defaults.js";
export {
  findLink,
  findObstacle,
  makeFolder,
  makeOwnFolder,
  type Obstacle,
  type OwnFolder,
  PlaceTaken,
  refuseObstacle,
  removeEmptyOwnFolders,
  removeOwnFile,
  removeOwnFolder,
  type SeenPlaces,
  tellObstacle,
  writeOwnFile,
} from "./files/own-place.js";
export { usualFileBytes } from "./files/tool-file.js";
export { openRegularFile, readRegularFile, readUpTo } from "./files/regular-file.js";
export { systemCode } from "./files/system-code.js";
export {
  deepestJson,
  isTooDeep,
  parseJson,
  readJsonOrInfinity,
  UnheldNumber,
} from "./json/json.js";
export { digitsIfRounded } from "./json/rounded-integers.js";
export { int64Form, withDigits } from "./validation/int64.js";
export type { Validator } from "./validation/validation.js";
export { type JsonProblem, findJsonProblem, jsonProblemInWords } from "./json/json-problem.js";
export { isRunning } from "./process.js";
export { type LockAttempt, takeLock } from "./files/lock-file.js";
export { waitForLock } from "./files/wait-for-lock.js";
export { covers } from "./governance/capabilities.js";
export {
  type AnyObligationKind,
  type ObligationAction,
  obligationKinds,
} from "./governance/obligations/obligation-action.js";
export type {
  CheckedPlace,
  KeyForms,
  ObligationKey,
} from "./governance/obligations/obligation-kind.js";
export { stepsOfPlan } from "./call/preflight.js";
export { unmetPrerequisites } from "./call/prerequisites.js";
export { temporaryWord } from "./files/judged-path.js";
export { fileReach, httpReach, networkReach, processReach, temporaryReach } from "./reach.js";
export { isRuntime } from "./runtime.js";
export { Secret } from "./credentials/secret.js";
export { fileDefinition } from "./files/tool-file.js";
export { jsonBytes } from "./model/fit-schema.js";
export { toModelSchema } from "./model/model-schema.js";
export { type OfferedNames, offeredNames } from "./model/offered-names.js";
export { type SchemaDefinitions, wholeSchema } from "./model/whole-schema.js";
export { changedSteps, type Manifests, pinnedManifests } from "./runs/manifests.js";
export { contractDefaults } from "./tool.js";
