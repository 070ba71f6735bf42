import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { SkillcMcpServer } from "@skillc/runtime/mcp";
import { getOwn } from "../../core/json.js";
import { CommandFailure } from "../exit.js";
import type { Io } from "../io.js";
import { orMissingPackage } from "./missing-package.js";
import type { HttpAddress } from "./http-address.js";
import { refusalOf, refuse } from "./http-refusal.js";

/** Path of the MCP endpoint. */
const endpoint = "/mcp";

/** Maximum size of a request's body. */
const maxBytes = 4 * 1024 * 1024;
/** Maximum number of connections, each with one request in memory. */
const maxConnections = 1000;
/** Maximum time for a request to arrive, and for its headers alone, in milliseconds. */
const requestTimeoutMs = 30_000;
const headersTimeoutMs = 10_000;
/** Time between two looks for requests that take too long, in milliseconds. */
const checkMs = 5000;
/** Maximum time for clients to read the last answers, in milliseconds. */
const lastAnswersMs = 2000;

/**
 * Serves clients over HTTP until the system ends the command. Then it lets calls end and answers
 * them.
 *
 * @param told called once the server listens, with the URL of the endpoint
 * @throws CommandFailure if the address is taken, or the package of the adapter is missing
 */
export async function serveHttp(
  { signal }: Io,
  server: SkillcMcpServer,
  address: HttpAddress,
  told: (url: string) => void,
): Promise<void> {
  const answers = new Set<ServerResponse>();
  const http = await serverOf(server, answers);
  await listening(http, address);
  // A server on a port has such an address.
  const { port } = http.address() as AddressInfo;
  const host = address.host.includes(":") ? `[${address.host}]` : address.host;
  told(`http://${host}:${port}${endpoint}`);
  await aborted(signal);
  const closed = new Promise<void>((resolve) => void http.close(() => resolve()));
  for (const response of answers) response.shouldKeepAlive = false;
  await server.close();
  http.closeIdleConnections();
  const timer = setTimeout(() => http.closeAllConnections(), lastAnswersMs);
  await closed;
  clearTimeout(timer);
}

/** @param answers the responses that have not ended */
async function serverOf(server: SkillcMcpServer, answers: Set<ServerResponse>): Promise<Server> {
  const { toNodeHandler } = await loadAdapter();
  const answer = toNodeHandler(server, { maxRequestBodySize: maxBytes });
  const timeouts = {
    requestTimeout: requestTimeoutMs,
    headersTimeout: headersTimeoutMs,
    connectionsCheckingInterval: checkMs,
  };
  const http = createServer(timeouts, (request: IncomingMessage, response: ServerResponse) => {
    const refusal = refusalOf(request, { endpoint, maxBytes });
    if (refusal !== undefined) return refuse(request, response, refusal);
    answers.add(response);
    response.once("close", () => {
      answers.delete(response);
      // Node.js keeps the connection of an answer that began before the server closed.
      if (!http.listening) setImmediate(() => http.closeIdleConnections());
    });
    // The adapter's type of a request leaves out that fields may be undefined.
    void answer(request as Parameters<typeof answer>[0], response);
  });
  http.maxConnections = maxConnections;
  return http;
}

async function loadAdapter() {
  try {
    return await import("@modelcontextprotocol/node");
  } catch (error) {
    throw orMissingPackage(error, "skillc mcp --http");
  }
}

const listenHelp: Readonly<Record<string, string>> = {
  EACCES: "choose a port above 1023",
  EADDRINUSE: "choose another port, or stop the program that has it",
  EADDRNOTAVAIL: "name an address of this machine, or leave out the host",
  ENOTFOUND: "name an address of this machine, or leave out the host",
};

function listening(http: Server, { host, port }: HttpAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        CommandFailure.input(
          `the server can't listen on \`${host}:${port}\`: ${error.code ?? error.message}`,
          getOwn(listenHelp, error.code ?? ""),
        ),
      ),
    );
    http.listen(port, host, resolve);
  });
}

function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) resolve();
    signal?.addEventListener("abort", () => resolve(), { once: true });
  });
}
