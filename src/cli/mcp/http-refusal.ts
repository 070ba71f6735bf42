import type { IncomingMessage, ServerResponse } from "node:http";

/** Status and reason of a response to a request that the server does not serve. */
export interface HttpRefusal {
  readonly status: 400 | 404 | 413;
  readonly reason: string;
}

/** Path below which an OAuth client finds who issues tokens for the server (RFC 9728). */
const metadataPath = "/.well-known/oauth-protected-resource";
const hostForm = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;

/**
 * Returns why a request can't be served, before anything is made of its headers: its host or path
 * could be read in two ways, or nothing is at its path.
 *
 * @param endpoint path of the MCP endpoint
 * @param maxBytes maximum size of a body
 */
export function refusalOf(
  request: IncomingMessage,
  { endpoint, maxBytes }: { readonly endpoint: string; readonly maxBytes: number },
): HttpRefusal | undefined {
  const [host = "", ...others] = request.headersDistinct["host"] ?? [];
  if (others.length > 0 || !hostForm.test(host))
    return { status: 400, reason: "the header Host must be one host" };
  const { url = "" } = request;
  if (!url.startsWith("/")) return { status: 400, reason: "the request must have a path" };
  const [path = ""] = url.split("?");
  const isServed = path === endpoint || path === "/healthz" || isBelow(path, metadataPath);
  if (!isServed) return { status: 404, reason: `the endpoint is ${endpoint}` };
  const isTooLong = Number(request.headers["content-length"]) > maxBytes;
  return isTooLong
    ? { status: 413, reason: `the body is longer than ${maxBytes} bytes` }
    : undefined;
}

/**
 * Answers a request that is not served. It reads the rest of the body first, because a connection
 * that is closed before that loses the answer.
 */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { reason, status }: HttpRefusal,
): void {
  const text = `${reason}\n`;
  response.writeHead(status, { connection: "close", "content-length": Buffer.byteLength(text) });
  response.write(text);
  request.resume().once("close", () => response.end());
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
