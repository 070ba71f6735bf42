import { type Dispatcher, request as send } from "undici";
import { MissingPackage } from "../../../../runtime/call/missing-package.js";
import { type Attempt, ToolError, UnreadableAnswer } from "../../../../runtime/executor.js";
import { dispatcherFor } from "../connections.js";
import { throttledError } from "../failures.js";
import { heard, placeFor } from "../traffic.js";
import { tokenAnswer } from "./token-answer.js";

/** Bytes of a token endpoint's answer: a token is a header's value. */
const longestAnswer = 256 * 1024;

/** A request as oauth4webapi makes it. */
interface TokenRequest {
  readonly body?: unknown;
  readonly headers: Record<string, string>;
  readonly method: string;
}

/**
 * A `fetch` for token requests: over the connections of the call that asks, without redirects, and
 * with answers that are short.
 *
 * @throws UnreadableAnswer for a longer one
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
    // A form, as its text.
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
    // The body gives buffers.
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

/** What RFC 6749 (5.2) and RFC 7521 say that a token endpoint may refuse with: other words are its own. */
const knownRefusals: ReadonlySet<string> = new Set([
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "unauthorized_client",
  "unsupported_grant_type",
  "invalid_scope",
]);

/**
 * Why there is no token, without a word of what the endpoint said, but for the codes that the
 * standards list.
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
    const word = knownRefusals.has(error) ? error : "an error of its own";
    return failed(`${target} refuses to give a token: ${word}`);
  }
  if (code !== undefined && code !== 200)
    return failed(`${target} answers ${code} in place of a token`);
  const system = systemCode(thrown) ?? systemCode(cause);
  if (system !== undefined && !/^(?:OAUTH|ERR)_/.test(system)) return unavailable(system);
  return failed(`what ${target} answers is no token`);
}

interface ErrorDetails {
  readonly cause?: unknown;
  readonly error?: unknown;
  readonly status?: number;
  readonly response?: { readonly status: number };
}

/** oauth4webapi's errors, by the fields that they have. */
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
