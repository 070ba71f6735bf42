import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A request as the proxy received it. */
export interface RecordedRequest {
  readonly method: string;
  /** Path and query, exactly as sent. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface RecordingProxy {
  readonly url: string;
  /** All requests so far, in order of arrival. */
  readonly received: readonly RecordedRequest[];
}

/**
 * Forwards requests byte by byte to another server, and records them. The proxy closes when the
 * test ends.
 */
export async function recordingProxy(target: string): Promise<RecordingProxy> {
  const received: RecordedRequest[] = [];
  const keepAndPassOn = async (request: IncomingMessage, response: ServerResponse) => {
    const recorded = await record(request);
    received.push(recorded);
    passOn(target, request, recorded, response);
  };
  const server = createServer((request, response) => {
    void keepAndPassOn(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  // The address of a TCP server that listens has this type.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, received };
}

async function record(request: IncomingMessage): Promise<RecordedRequest> {
  const { method = "", url: path = "", headers } = request;
  const chunks: Buffer[] = [];
  // `IncomingMessage` gives buffers unless an encoding is set.
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return { method, path, headers, body: Buffer.concat(chunks).toString("utf8") };
}

function passOn(
  target: string,
  { rawHeaders }: IncomingMessage,
  { method, path, body }: RecordedRequest,
  response: ServerResponse,
): void {
  const { hostname, port } = new URL(target);
  const onward = httpRequest(
    { hostname, port, method, path, headers: rawHeaders, agent: false },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
      answer.on("error", () => response.destroy());
    },
  );
  onward.on("error", () => response.destroy());
  response.on("close", () => onward.destroy());
  onward.end(body);
}
