import { type Exchange, sendError, sendJson } from "./exchange.js";
import type { Route } from "./routes.js";

/** What goes wrong with real services, on request. */
export function troubleRoutes(): readonly Route[] {
  const asked = new Map<string, number>();
  return [
    { method: "GET", path: "/slow", serve: slow },
    { method: "GET", path: "/broken", serve: broken },
    { method: "POST", path: "/broken", serve: broken },
    { method: "GET", path: "/garbage", serve: garbage },
    { method: "GET", path: "/huge", serve: huge },
    { method: "GET", path: "/redirect", serve: redirect },
    { method: "GET", path: "/busy/{key}", serve: (exchange) => busy(asked, exchange) },
  ];
}

/** Answers after `?ms=` milliseconds, a second unless it says, a minute at most. */
function slow(exchange: Exchange): void {
  const ms = Math.min(Number(exchange.url.searchParams.get("ms") ?? 1000) || 0, 60_000);
  const timer = setTimeout(() => sendJson(exchange, 200, { data: { waited_ms: ms } }), ms);
  exchange.response.on("close", () => clearTimeout(timer));
}

/** Closes the connection in place of an answer. */
function broken({ request }: Exchange): void {
  request.socket.destroy();
}

/** Says that it is JSON, and isn't. */
function garbage({ response }: Exchange): void {
  response.writeHead(200, { "content-type": "application/json" }).end('{"data": oops');
}

/** `?bytes=` bytes of JSON, 20 MB unless it says, in pieces. */
function huge({ response, url }: Exchange): void {
  const bytes = Number(url.searchParams.get("bytes") ?? 20_000_000) || 0;
  const piece = "x".repeat(65_536);
  response.writeHead(200, { "content-type": "application/json" });
  response.write('{"data":"');
  let left = bytes;
  const more = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= piece.length;
      if (!response.write(piece)) {
        response.once("drain", more);
        return;
      }
    }
    response.end('"}');
  };
  more();
}

/** Sends to `?to=`, the list of orders unless it says. */
function redirect({ response, url }: Exchange): void {
  response.writeHead(302, { location: url.searchParams.get("to") ?? "/orders" }).end();
}

/** Is too busy for the first two requests of each key, and says when to come back. */
function busy(asked: Map<string, number>, exchange: Exchange): void {
  const key = exchange.values[0] ?? "";
  const times = (asked.get(key) ?? 0) + 1;
  asked.set(key, times);
  if (times <= 2) {
    return sendError(exchange, 429, "too many requests", { "retry-after": "1" });
  }
  sendJson(exchange, 200, { data: { asked: times } });
}
