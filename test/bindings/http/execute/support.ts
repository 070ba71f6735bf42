import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import {
  type AddressInfo,
  createServer as createNetServer,
  type Server,
  type Socket,
} from "node:net";
import { onTestFinished } from "vitest";
import type { HttpContract } from "../../../../src/bindings/http/contract.js";
import { http } from "../../../../src/bindings/http/execute.js";
import { ToolError } from "../../../../src/runtime/errors.js";
import type { Attempt, AttemptOutcome } from "../../../../src/runtime/call/attempt.js";

/** Makes an attempt like the call path does. It ends before the test's time limit. */
export function attempt(
  credentials: Readonly<Record<string, string>> = {},
  signal = AbortSignal.timeout(10_000),
): Attempt {
  return {
    tool: "test-skill/test-tool",
    number: 1,
    directory: ".",
    hooks: {},
    signal,
    onAbort(listener) {
      if (signal.aborted) listener(signal.reason);
      else signal.addEventListener("abort", () => listener(signal.reason), { once: true });
    },
    open(name) {
      const value = credentials[name];
      if (value === undefined) throw new Error(`no credential ${name}`);
      return value;
    },
  };
}

type Contract = Partial<HttpContract<undefined, unknown>> &
  Pick<HttpContract<undefined, unknown>, "request">;

export interface Answer {
  readonly status: string;
  readonly data?: unknown;
  readonly error?: unknown;
  readonly status_code?: number;
}

/** Prepares a call. Defaults replace the parts of the contract that a test leaves out. */
export function prepare(contract: Contract) {
  const whole = { method: "GET", maxResponseBytes: 1_000_000, statuses: {}, ...contract } as const;
  return http<undefined, unknown, Answer>(whole).prepare(undefined, {
    id: "a-call",
    toolId: "skill/tool",
  });
}

export function call(contract: Contract, as: Attempt = attempt()): Promise<AttemptOutcome<Answer>> {
  return prepare(contract).send(as);
}

/** Calls a tool that sends a GET to the URL. */
export function get(
  url: string,
  rest: Partial<Contract> = {},
  as?: Attempt,
): Promise<AttemptOutcome<Answer>> {
  return call({ request: () => ({ url: [url] }), ...rest }, as);
}

/** Returns the `ToolError` that a promise rejects with. */
export async function failure(promise: Promise<unknown>): Promise<ToolError> {
  const thrown: unknown = await promise.then(
    (value) => new Error(`resolved with ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (thrown instanceof ToolError) return thrown;
  throw thrown;
}

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

export interface TestServer {
  readonly url: string;
  readonly port: number;
  /** All requests so far. */
  readonly received: Received[];
}

type Respond = (response: ServerResponse, request: Received, raw: IncomingMessage) => void;

/** Starts an HTTP server that records its requests. The server closes when the test ends. */
export async function serve(
  respond: Respond = (response) => response.end("{}"),
): Promise<TestServer> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    // `IncomingMessage` gives buffers unless an encoding is set.
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "", url = "", headers, rawHeaders } = request;
    const one = {
      method,
      path: url,
      headers,
      rawHeaders,
      body: Buffer.concat(chunks).toString("utf8"),
    };
    received.push(one);
    respond(response, one, request);
  });
  onTestFinished(() => server.closeAllConnections());
  return { ...(await listen(server)), received };
}

/**
 * Starts a TCP server for answers that no HTTP server would send. `respond` gets the connection and
 * the request.
 */
export async function serveRaw(
  respond: (socket: Socket, request: string) => void,
): Promise<{ url: string; port: number }> {
  const sockets = new Set<Socket>();
  const server = createNetServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("data", (data) => respond(socket, data.toString("latin1")));
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  return listen(server);
}

/** Makes a raw answer with a `content-length`. */
export function rawAnswer(
  status: number,
  headers: readonly string[],
  body: string | Buffer = "",
): Buffer {
  const bytes = Buffer.from(body);
  const lines = [
    `HTTP/1.1 ${status} Whatever`,
    ...headers,
    `content-length: ${bytes.length}`,
    "",
    "",
  ];
  return Buffer.concat([Buffer.from(lines.join("\r\n"), "latin1"), bytes]);
}

async function listen(server: Server): Promise<{ url: string; port: number }> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  // The address of a TCP server that listens has this type.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port };
}
