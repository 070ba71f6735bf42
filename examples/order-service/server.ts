import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Exchange, sendError, sendJson } from "./exchange.js";
import { orderRoutes } from "./order-routes.js";
import { seededOrders } from "./orders.js";
import { matchRoute, type Route } from "./routes.js";
import { troubleRoutes } from "./trouble-routes.js";

export interface OrderServiceOptions {
  /** Port to listen on. 0, the default, chooses a free port. */
  readonly port?: number;
  /** Callers must send it as `Authorization: Bearer …`. */
  readonly token: string;
}

export interface OrderService {
  /** Such as `http://127.0.0.1:40321`. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Starts a small order service on the loopback interface, with a few example orders in memory. */
export async function startOrderService({
  port = 0,
  token,
}: OrderServiceOptions): Promise<OrderService> {
  const routes = [...orderRoutes(seededOrders()), ...troubleRoutes()];
  const server = createServer((request, response) => {
    void answer(routes, token, request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  // The address of a TCP server that listens has this type.
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** OpenAPI document of the service. Reading it needs no token. */
function description(): unknown {
  return JSON.parse(readFileSync(new URL("openapi.json", import.meta.url), "utf8"));
}

/** Serves OAuth's client credentials grant (RFC 6749, 4.4) to the client `desk`. */
function giveToken(exchange: Exchange, access_token: string): void {
  const login = `Basic ${btoa("desk:demo-secret")}`;
  if (exchange.request.headers.authorization !== login) {
    return sendJson(exchange, 401, { error: "invalid_client" });
  }
  sendJson(exchange, 200, { access_token, token_type: "Bearer", expires_in: 3600 });
}

async function answer(
  routes: readonly Route[],
  token: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const url = new URL(`http://localhost${request.url ?? "/"}`);
    const exchange = { request, response, url, values: [] };
    if (url.pathname === "/openapi.json") return sendJson(exchange, 200, description());
    if (url.pathname === "/oauth/token") return giveToken(exchange, token);
    if (request.headers.authorization !== `Bearer ${token}`) {
      return sendError(exchange, 401, "a valid bearer token is required");
    }
    const match = matchRoute(routes, request.method ?? "", url.pathname);
    if (match === undefined) return sendError(exchange, 404, "there is nothing here");
    await match.route.serve({ ...exchange, values: match.values });
  } catch {
    // The request broke off, or is invalid.
    response.destroy();
  }
}
