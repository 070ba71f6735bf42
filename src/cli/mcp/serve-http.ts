import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { SkillcMcpServer } from "@skillc/runtime/mcp";
import { CommandFailure } from "../exit.js";
import type { Io } from "../io.js";
import type { HttpAddress } from "./http-address.js";

/** Path of the MCP endpoint. */
const endpoint = "/mcp";

/**
 * Serves clients over HTTP until the system ends the command. Then it lets requests end.
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
  const { toNodeHandler } = await loadAdapter();
  const answer = toNodeHandler(server);
  const http = createServer((request: IncomingMessage, response: ServerResponse) => {
    // The adapter's type of a request leaves out that fields may be undefined.
    void answer(request as Parameters<typeof answer>[0], response);
  });
  await listening(http, address);
  // A server on a port has such an address.
  const { port } = http.address() as AddressInfo;
  const host = address.host.includes(":") ? `[${address.host}]` : address.host;
  told(`http://${host}:${port}${endpoint}`);
  await aborted(signal);
  await new Promise<void>((resolve) => {
    http.close(() => resolve());
    http.closeIdleConnections();
  });
}

async function loadAdapter() {
  try {
    return await import("@modelcontextprotocol/node");
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw CommandFailure.input(
      "`skillc mcp --http` needs the package `@modelcontextprotocol/node`",
      "run `npm install @modelcontextprotocol/node`",
    );
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
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
          listenHelp[error.code ?? ""],
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
