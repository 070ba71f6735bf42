import type { Scrubber } from "../credentials/scrubber.js";
import { showsSecret } from "../credentials/shows-secret.js";
import type { MaskedPaths } from "../tool.js";
import { changedError, ToolError, type ToolErrorOptions, type ToolFailure } from "../errors.js";
import { shownPlace } from "../validation/validation.js";
import type { AnyTool, Call } from "./call.js";
import { withMaskedPlaces } from "./mask.js";

/** Makes a call's error, with the number of attempts so far. */
export function callError(
  call: Pick<Call, "attempts" | "toolId">,
  failure: ToolFailure,
  message: string,
  options: ToolErrorOptions = {},
): ToolError {
  return new ToolError(call.toolId, failure, message, { attempts: call.attempts, ...options });
}

/** Makes the error for a caller who aborted. */
export function abortedError(call: Pick<Call, "attempts" | "outcome" | "toolId">): ToolError {
  return callError(
    call,
    { code: "UNKNOWN.INTERNAL", reason: "aborted" },
    `\`${call.toolId}\` was aborted by its caller`,
    { outcome: call.outcome },
  );
}

/** Makes the error for a call that `shutdown` stopped waiting for. */
export function leftBehindError(call: Pick<Call, "attempts" | "outcome" | "toolId">): ToolError {
  return callError(
    call,
    { code: "UNKNOWN.INTERNAL", reason: "aborted" },
    `\`${call.toolId}\` was not sent: \`shutdown\` reached its deadline`,
    { outcome: call.outcome },
  );
}

/**
 * Replaces names inside masked values by `***` in an error's pointers; returns the same error if
 * there are none.
 */
export function maskPlaces(error: ToolError, tool: AnyTool): ToolError {
  const { failure, message, stack } = error;
  if (failure.code !== "SCHEMA.VALIDATION_FAILED") return error;
  const paths = maskedPathsOf(failure.subject, tool);
  if (paths.length === 0) return error;
  const problems = withMaskedPlaces(failure.problems, paths);
  const changes = problems.flatMap(({ pointer }, index) => {
    const before = failure.problems[index]?.pointer ?? pointer;
    return before === pointer ? [] : [[shownPlace(before), pointer] as const];
  });
  if (changes.length === 0) return error;
  // Replace longer places first, because one place may begin with another.
  changes.sort(([a], [b]) => b.length - a.length);
  const mask = (text: string): string =>
    changes.reduce((clean, [before, after]) => clean.replaceAll(before, after), text);
  return changedError(error, {
    failure: { ...failure, problems },
    message: mask(message),
    ...(stack !== undefined && { stack: mask(stack) }),
  });
}

/** A place in an answer may be in its data, in its error, or in the body around them. */
function maskedPathsOf(
  subject: string,
  { maskedErrors = [], maskedOwnData = {}, maskedParams = [], maskedResult = [] }: AnyTool,
): MaskedPaths {
  if (subject === "parameters") return maskedParams;
  if (subject === "caller") return [];
  return [...maskedResult, ...Object.values(maskedOwnData).flat(), ...maskedErrors];
}

type Scrub = Pick<Scrubber, "scrub" | "scrubValue">;

/** Maximum depth of causes of causes. */
const maxLevels = 8;

/**
 * Removes credentials from an error's message, stack and causes; returns the same error if there
 * are none.
 */
export function scrubError(error: ToolError, scrub: Scrub): ToolError {
  return scrubToolError(error, scrub, 0);
}

function scrubToolError(error: ToolError, scrub: Scrub, level: number): ToolError {
  const { stack } = error;
  const message = scrub.scrub(error.message);
  const failure = scrubFailure(error.failure, scrub);
  const cause = scrubCause(error.cause, scrub, level + 1);
  const cleanStack = stack === undefined ? undefined : scrub.scrub(stack);
  const isClean = message === error.message && failure === error.failure && cause === error.cause;
  if (isClean && cleanStack === stack) return error;
  return changedError(error, {
    message,
    failure,
    cause,
    ...(cleanStack !== undefined && { stack: cleanStack }),
  });
}

/** Scrubs the parts that a server or a caller influences. The other parts are skillc's own. */
function scrubFailure(failure: ToolFailure, { scrub, scrubValue }: Scrub): ToolFailure {
  if (failure.code === "SCHEMA.VALIDATION_FAILED") {
    // Scrubbing keeps texts as texts.
    const problems = scrubValue(failure.problems) as typeof failure.problems;
    return problems === failure.problems ? failure : { ...failure, problems };
  }
  if (failure.code !== "PROVIDER.PROTOCOL" && failure.code !== "PROVIDER.UNAVAILABLE")
    return failure;
  const reason = scrub(failure.reason);
  const clean = reason === failure.reason ? failure : { ...failure, reason };
  if (clean.code !== "PROVIDER.UNAVAILABLE" || typeof clean.exit !== "object") return clean;
  const stderr = scrub(clean.exit.stderr);
  return stderr === clean.exit.stderr ? clean : { ...clean, exit: { ...clean.exit, stderr } };
}

/**
 * Scrubs a foreign error. If it shows a credential, it is replaced by a plain error with the
 * scrubbed message, because clients attach whole requests to their errors.
 */
function scrubCause(cause: unknown, scrub: Scrub, level: number): unknown {
  if (level > maxLevels) return undefined;
  if (cause instanceof ToolError) return scrubToolError(cause, scrub, level);
  if (typeof cause === "string") return scrub.scrub(cause);
  if (!showsSecret(cause, scrub)) return cause;
  try {
    if (cause instanceof Error) return plainError(cause, scrub, level);
  } catch {
    // Even its message can't be read.
  }
  return new Error("the cause is left out: it contains a credential, or is unreadable");
}

function plainError(error: Error, { scrub, scrubValue }: Scrub, level: number): Error {
  const clean = new Error(scrub(String(error.message)), {
    cause: scrubCause(error.cause, { scrub, scrubValue }, level + 1),
  });
  clean.name = scrub(String(error.name));
  if (error.stack !== undefined) clean.stack = scrub(String(error.stack));
  return clean;
}
