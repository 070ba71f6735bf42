import type { IncomingMessage, ServerResponse } from "node:http";

/** A request and its response, as routes receive them. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  /** Values of the placeholders in the route's path, in order. */
  readonly values: readonly string[];
}

export function sendJson(
  { response }: Exchange,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

export function sendError(
  exchange: Exchange,
  status: number,
  message: string,
  headers?: Readonly<Record<string, string>>,
): void {
  sendJson(exchange, status, { error: { message } }, headers);
}

const maxBytes = 1_000_000;

/** Reads the JSON object of a request; undefined if the body is anything else, or too large. */
export async function readObject({
  request,
}: Exchange): Promise<Readonly<Record<string, unknown>> | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) return undefined;
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return parseObject(Buffer.concat(chunks).toString("utf8"));
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? { ...value }
      : undefined;
  } catch {
    return undefined;
  }
}
