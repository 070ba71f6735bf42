import { type Dispatcher, request } from "undici";
import {
  type Attempt,
  codingsOf,
  decompress,
  onShutdown,
  retryAfterMs,
  ToolError,
  UnreadableAnswer,
} from "@skillc/runtime/executor";
import { httpConnections } from "@skillc/runtime/executor/http";
import { isSendable, openRequest, type SealedRequest } from "./request.js";

/** A response, with any status. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  /** Time that the server asks callers to wait before another attempt, in milliseconds. */
  readonly retryAfterMs?: number;
}

/** In bytes. */
const longestBody = 10 * 1024 * 1024;

const connections = httpConnections({ maxResponseSize: longestBody });

onShutdown(() => connections.close());

/**
 * Reveals the credentials and makes one request. It follows no redirect.
 *
 * @throws ToolError if a credential is unusable, a hook rejects the connection, or no answer comes
 */
export async function send(sealed: SealedRequest, attempt: Attempt): Promise<Answer> {
  const { endpoint, headers, ...content } = openRequest(sealed, attempt.open);
  requireUsable(endpoint, headers, attempt);
  const body = JSON.stringify(content);
  try {
    const { hooks, runtime, signal } = attempt;
    const dispatcher = connections.of(hooks, runtime);
    return await read(
      await request(endpoint, { method: "POST", headers, body, signal, dispatcher }),
    );
  } catch (error) {
    // A check before the connection throws a complete error.
    if (error instanceof ToolError) throw error;
    throw error instanceof UnreadableAnswer
      ? protocolError(attempt, error.message)
      : transportError(attempt, error);
  }
}

/** Decompresses the body. A server or a gateway may compress it without being asked to. */
async function read({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Answer> {
  const bytes = Buffer.from(await body.arrayBuffer());
  const codings = bytes.length === 0 ? undefined : codingsOf(single(headers["content-encoding"]));
  const plain = codings === undefined ? bytes : await decompress(bytes, codings, longestBody);
  const wish = retryAfterMs(single(headers["retry-after"]), Date.now());
  return {
    status: statusCode,
    body: new TextDecoder().decode(plain),
    ...(wish !== undefined && { retryAfterMs: wish }),
  };
}

/** Joins the values of a repeated header with commas, which means the same (RFC 9110, 5.3). */
function single(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === "string" || header === undefined ? header : header.join(", ");
}

const plainUrl = /^https?:\/\/[^/?#@\\\s]+(?:\/[^?#\\\s]*)?$/i;

/** Checks the parts with credentials. The message never contains a value. */
function requireUsable(
  endpoint: string,
  headers: { readonly [name: string]: string },
  attempt: Attempt,
): void {
  if (!plainUrl.test(endpoint) || !URL.canParse(endpoint)) {
    throw protocolError(attempt, "the endpoint is no http or https URL of origin and path alone");
  }
  const bad = Object.entries(headers).find(([, value]) => !isSendable(value));
  if (bad !== undefined) {
    throw protocolError(attempt, `the credential in the header \`${bad[0]}\` can't stand in one`);
  }
}

export function protocolError({ tool, number }: Attempt, reason: string): ToolError {
  const message = `\`${tool}\` got no usable answer: ${reason}`;
  return new ToolError(tool, { code: "PROVIDER.PROTOCOL", reason }, message, { attempts: number });
}

/** @param retryAfterMs time that the server asks callers to wait */
export function unavailableError(
  { tool, number }: Attempt,
  reason: string,
  retryAfterMs?: number,
): ToolError {
  const message = `\`${tool}\` got no answer: ${reason}`;
  const wish = retryAfterMs === undefined ? {} : { retryAfterMs };
  return new ToolError(tool, { code: "PROVIDER.UNAVAILABLE", reason, ...wish }, message, {
    attempts: number,
  });
}

/** undici's codes for an invalid answer. All its other codes are failed connections. */
const answerFaults: ReadonlySet<string> = new Set([
  "HTTPParserError",
  "UND_ERR_HEADERS_OVERFLOW",
  "UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
  "UND_ERR_RES_EXCEEDED_MAX_SIZE",
]);

/**
 * Reports only the code of undici's error: the message contains addresses and parts of the data.
 */
function transportError(attempt: Attempt, error: unknown): ToolError {
  const code = codeOf(error);
  return answerFaults.has(code) ? protocolError(attempt, code) : unavailableError(attempt, code);
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
