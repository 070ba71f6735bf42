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

/** What came back, whatever it means. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  /** How long the server asks to be left alone, in milliseconds. */
  readonly retryAfterMs?: number;
}

/** Bytes. */
const longestBody = 10 * 1024 * 1024;

const connections = httpConnections({ maxResponseSize: longestBody });

onShutdown(() => connections.close());

/**
 * Opens the credentials and makes one request, which follows no redirect.
 *
 * @throws ToolError when a credential can't be used, a hook refuses, or no answer comes
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
    // What looked at the connection before it was made has its own word.
    if (error instanceof ToolError) throw error;
    throw error instanceof UnreadableAnswer
      ? protocolError(attempt, error.message)
      : transportError(attempt, error);
  }
}

/** A server may compress what nobody asked it to, and a gateway in between, too. */
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

/**
 * A header that came more than once is a list, whose members commas part as well (RFC 9110, 5.3).
 */
function single(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === "string" || header === undefined ? header : header.join(", ");
}

const plainUrl = /^https?:\/\/[^/?#@\\\s]+(?:\/[^?#\\\s]*)?$/i;

/** Says what a credential made of the request, and never its value. */
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

/** @param retryAfterMs how long the server asks to be left alone */
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

/**
 * undici's codes for an answer that arrived and is wrong; what else it reports is a connection that
 * failed.
 */
const answerFaults: ReadonlySet<string> = new Set([
  "HTTPParserError",
  "UND_ERR_HEADERS_OVERFLOW",
  "UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
  "UND_ERR_RES_EXCEEDED_MAX_SIZE",
]);

/** Without undici's own message: it holds addresses, and parts of what was sent and received. */
function transportError(attempt: Attempt, error: unknown): ToolError {
  const code = codeOf(error);
  return answerFaults.has(code) ? protocolError(attempt, code) : unavailableError(attempt, code);
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
