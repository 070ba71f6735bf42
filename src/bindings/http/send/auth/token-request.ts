import { type Dispatcher, request as send } from "undici";
import { MissingPackage } from "../../../../runtime/call/missing-package.js";
import { type Attempt, ToolError, UnreadableAnswer } from "../../../../runtime/executor.js";
import { dispatcherFor } from "../connections.js";
import { throttledError } from "../failures.js";
import { heard, placeFor } from "../traffic.js";
import { tokenAnswer } from "./token-answer.js";

/** Limit of a token endpoint's response, in bytes. A token must fit into a header. */
const longestAnswer = 256 * 1024;

/** A request as oauth4webapi makes it. */
interface TokenRequest {
  readonly body?: unknown;
  readonly headers: Record<string, string>;
  readonly method: string;
}

/**
 * Makes a `fetch` for token requests. It uses the connections of the call, follows no redirects,
 * and limits the length of responses.
 *
 * @throws UnreadableAnswer for a longer response
 */
export function tokenFetch(
  attempt: Attempt,
  signal: AbortSignal,
): (url: string, init: TokenRequest) => Promise<Response> {
  return async (url, request) => {
    const { origin } = new URL(url);
    const leave = await placeFor(origin, attempt, signal);
    try {
      const { body, headers, statusCode } = await sendTokenRequest(url, request, attempt, signal);
      heard(origin, statusCode, headers, attempt);
      return await responseOf(statusCode, headers["content-type"], body);
    } finally {
      leave?.();
    }
  };
}

function sendTokenRequest(
  url: string,
  { body, headers, method }: TokenRequest,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  return send(url, {
    dispatcher: dispatcherFor([], attempt),
    method: method as "POST",
    headers,
    // The body is always a form.
    body: String(body as URLSearchParams),
    signal,
  });
}

async function responseOf(
  status: number,
  type: string | readonly string[] | undefined,
  body: AsyncIterable<unknown>,
): Promise<Response> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    // The stream yields buffers.
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size > longestAnswer) throw UnreadableAnswer.tooLong(longestAnswer);
    chunks.push(bytes);
  }
  const whole = Buffer.concat(chunks);
  if (status >= 200 && status < 300) return tokenAnswer(whole);
  return new Response(status === 304 ? null : whole, {
    status,
    headers: typeof type === "string" ? { "content-type": type } : {},
  });
}

/** Error codes of RFC 6749 (5.2) and RFC 7521. Other codes may be any text. */
const knownRefusals: ReadonlySet<string> = new Set([
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "unauthorized_client",
  "unsupported_grant_type",
  "invalid_scope",
]);

/**
 * Makes the error for a missing token. It contains no text of the endpoint except standard error
 * codes.
 *
 * @param target the endpoint, as its author wrote it
 */
export function tokenError(attempt: Attempt, target: string, thrown: unknown): unknown {
  if (thrown instanceof ToolError || thrown instanceof MissingPackage) return thrown;
  const throttled = throttledError(attempt, target, thrown, "not-done");
  if (throttled instanceof ToolError) return throttled;
  const known = { attempts: attempt.number, outcome: "not-done" } as const;
  const { cause, error, response, status } = detailsOf(thrown);
  const failed = (reason: string) =>
    new ToolError(
      attempt.tool,
      { code: "PROVIDER.PROTOCOL", reason },
      `\`${attempt.tool}\` was not sent: ${reason}`,
      known,
    );
  const unavailable = (reason: string) =>
    new ToolError(
      attempt.tool,
      { code: "PROVIDER.UNAVAILABLE", reason },
      `\`${attempt.tool}\` was not sent: no token from ${target} (${reason})`,
      known,
    );
  if (thrown instanceof UnreadableAnswer)
    return failed(`no token from ${target}: ${thrown.message}`);
  const code = status ?? response?.status;
  if (code !== undefined && (code >= 500 || code === 429)) return unavailable(`HTTP ${code}`);
  if (typeof error === "string") {
    const word = knownRefusals.has(error) ? error : "an unknown error";
    return failed(`${target} refused to issue a token: ${word}`);
  }
  if (code !== undefined && code !== 200)
    return failed(`${target} responded with ${code} instead of a token`);
  const system = systemCode(thrown) ?? systemCode(cause);
  if (system !== undefined && !/^(?:OAUTH|ERR)_/.test(system)) return unavailable(system);
  return failed(`the response of ${target} is not a token`);
}

interface ErrorDetails {
  readonly cause?: unknown;
  readonly error?: unknown;
  readonly status?: number;
  readonly response?: { readonly status: number };
}

/** Reads the fields of oauth4webapi's errors. */
function detailsOf(thrown: unknown): ErrorDetails {
  if (typeof thrown !== "object" || thrown === null) return {};
  const { cause, error, response, status } = thrown as ErrorDetails;
  const answer = response ?? (cause instanceof Response ? cause : undefined);
  return {
    cause,
    error,
    ...(typeof status === "number" && { status }),
    ...(answer !== undefined && { response: answer }),
  };
}

function systemCode(thrown: unknown): string | undefined {
  const isError = typeof thrown === "object" && thrown !== null && "code" in thrown;
  return isError && typeof thrown.code === "string" ? thrown.code : undefined;
}
