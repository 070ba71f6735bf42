import { TooLongToWait } from "../../../runtime/http/origin-traffic.js";
import { type Attempt, ToolError, type WriteOutcome } from "../../../runtime/executor.js";

/**
 * Error for an unusable response. `reason` contains at most names of fields, never a value of a
 * credential, a parameter or a response.
 */
export function protocolError(attempt: Attempt, reason: string): ToolError {
  const message = `\`${attempt.tool}\` got no usable response: ${reason}`;
  return new ToolError(attempt.tool, { code: "PROVIDER.PROTOCOL", reason }, message, {
    attempts: attempt.number,
  });
}

/**
 * Error for a request that could not be made because a setting is unusable. `reason` names the
 * setting and never contains its value.
 */
export function unsentError(attempt: Attempt, reason: string): ToolError {
  const message = `\`${attempt.tool}\` was not sent: ${reason}`;
  return new ToolError(attempt.tool, { code: "PROVIDER.PROTOCOL", reason }, message);
}

/**
 * Error for a request that gets no turn in time; any other error is returned unchanged.
 *
 * @param target the literal origin, or `${NAME}`
 * @param outcome what is known of earlier requests of the attempt
 */
export function throttledError(
  attempt: Attempt,
  target: string,
  error: unknown,
  outcome: WriteOutcome,
): unknown {
  if (!(error instanceof TooLongToWait)) return error;
  const retryAfterMs = Math.ceil(error.waitMs);
  return new ToolError(
    attempt.tool,
    { code: "QUOTA.RATE_LIMITED", budget: `requests to ${target}`, retryAfterMs },
    `\`${attempt.tool}\` was not sent: the limit for ${target} allows the next request only in ${retryAfterMs} ms, and the call can't wait that long`,
    { attempts: attempt.number, outcome },
  );
}

/**
 * Error of the transport. It leaves out the transport's message, which contains addresses and parts
 * of the data.
 *
 * @param target the literal origin, or `${NAME}`
 * @param outcome what is known of a write by then
 */
export function transportError(
  attempt: Attempt,
  target: string,
  error: Error,
  outcome: WriteOutcome,
): ToolError {
  const code = codeOf(error);
  const known = { attempts: attempt.number, outcome };
  if (isMisuse(code)) {
    const message = `\`${attempt.tool}\` made a request that can't be sent (${code}); please report it`;
    return new ToolError(attempt.tool, { code: "UNKNOWN.INTERNAL", reason: "bug" }, message, known);
  }
  const answered = answerErrors.get(code);
  if (answered !== undefined) return protocolError(attempt, `${answered} (${code})`);
  const attempts = `${attempt.number} ${attempt.number === 1 ? "attempt" : "attempts"}`;
  const lost = unconnected.has(code) ? "no connection to" : "no answer from";
  const message = `\`${attempt.tool}\` got ${lost} ${target} (${code}) after ${attempts}`;
  return new ToolError(
    attempt.tool,
    { code: "PROVIDER.UNAVAILABLE", reason: code },
    message,
    known,
  );
}

/** Error for a stream that was idle for too long. */
export function idleError(attempt: Attempt, timeoutMs: number): ToolError {
  return new ToolError(
    attempt.tool,
    { code: "PROVIDER.TIMEOUT", timeoutMs },
    `\`${attempt.tool}\` got no more data from its stream within ${timeoutMs} ms`,
    { attempts: attempt.number, outcome: "unknown" },
  );
}

/** Error for a connection that was lost after a part of the body had arrived. */
export function cutError(attempt: Attempt, target: string, error: Error): ToolError {
  const code = codeOf(error);
  const answered = answerErrors.get(code);
  if (answered !== undefined) return protocolError(attempt, `${answered} (${code})`);
  return new ToolError(
    attempt.tool,
    { code: "PROVIDER.UNAVAILABLE", reason: code },
    `\`${attempt.tool}\` lost the connection to ${target} before the end of the response (${code})`,
    { attempts: attempt.number, outcome: "unknown" },
  );
}

/** Error for a response that could not be saved: the disk is full, or the folder is unusable. */
export function notSavedError(attempt: Attempt, cause: Error): ToolError {
  return new ToolError(
    attempt.tool,
    { code: "UNKNOWN.INTERNAL", reason: "not-saved" },
    `\`${attempt.tool}\` got a response that could not be saved`,
    { attempts: attempt.number, outcome: "unknown", cause },
  );
}

/** undici's codes for a faulty response. All other codes mean a failed connection. */
const answerErrors: ReadonlyMap<string, string> = new Map([
  ["HTTPParserError", "the response is not HTTP/1.1"],
  ["UND_ERR_HEADERS_OVERFLOW", "the headers of the response are too long"],
  [
    "UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
    "the length of the response differs from its `content-length`",
  ],
]);

/** Codes of a connection that was never made, so that nothing was sent. */
const unconnected: ReadonlySet<string> = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "UND_ERR_CONNECT_TIMEOUT",
]);

function isMisuse(code: string): boolean {
  return code === "UND_ERR_INVALID_ARG" || code === "UND_ERR_NOT_SUPPORTED" || code === "TypeError";
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
