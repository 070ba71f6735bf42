/** The checks of an HTTP request, in order, before the SDK reads it. */
import {
  type AuthInfo,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import type { McpAuth } from "./auth/mcp-auth.js";
import type { McpClient } from "./mcp-client.js";

/** Returns the client that sent a request, or the response to the request. */
export type HttpGate = (request: Request) => Promise<McpClient | Response>;

/**
 * Makes the gate of a server.
 *
 * @param auth undefined if the server takes no HTTP requests
 * @param anybody returns the client of every request without authentication
 */
export function httpGate(auth: McpAuth | "none" | undefined, anybody: () => McpClient): HttpGate {
  const hosts = [...localhostAllowedHostnames(), ...hostsOf(auth)];
  return async (request) => {
    if (new URL(request.url).pathname === "/healthz") return new Response("ok\n");
    const foreign =
      hostHeaderValidationResponse(request, hosts) ?? originValidationResponse(request, hosts);
    if (foreign !== undefined) return foreign;
    if (auth === undefined) return new Response("no `auth` is set\n", { status: 401 });
    if (auth === "none") return anybody();
    return auth.document?.(request) ?? auth.authenticate(request);
  };
}

function hostsOf(auth: McpAuth | "none" | undefined): readonly string[] {
  return typeof auth === "object" ? (auth.hosts ?? []) : [];
}

/** Key of the client in the SDK's data about a request. */
const clientKey = "skillc";

/** Puts a client into the data that the SDK hands on. Its token stays out. */
export function authInfoOf(client: McpClient): AuthInfo {
  const { caller, clientId = "" } = client;
  return {
    token: "",
    clientId,
    scopes: [...(caller.scopes ?? [])],
    extra: { [clientKey]: client },
  };
}

/** Returns the client of a request; undefined for a request that did not come over HTTP. */
export function clientOf(info: AuthInfo | undefined): McpClient | undefined {
  // `authInfoOf` put it there.
  return info?.extra?.[clientKey] as McpClient | undefined;
}
