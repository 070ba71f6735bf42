import { type Exchange, sendError, sendJson } from "./exchange.js";
import type { Route } from "./routes.js";

/** Routes that fail like real services do. */
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

/** Answers after `?ms=` milliseconds: one second by default, one minute at most. */
function slow(exchange: Exchange): void {
  const ms = Math.min(Number(exchange.url.searchParams.get("ms") ?? 1000) || 0, 60_000);
  const timer = setTimeout(() => sendJson(exchange, 200, { data: { waited_ms: ms } }), ms);
  exchange.response.on("close", () => clearTimeout(timer));
}

/** Closes the connection without an answer. */
function broken({ request }: Exchange): void {
  request.socket.destroy();
}

/** Sends text that is not JSON as `application/json`. */
function garbage({ response }: Exchange): void {
  response.writeHead(200, { "content-type": "application/json" }).end('{"data": oops');
}

/** Sends `?bytes=` bytes of JSON in pieces, 20 MB by default. */
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

/** Redirects to `?to=`, by default to the list of orders. */
function redirect({ response, url }: Exchange): void {
  response.writeHead(302, { location: url.searchParams.get("to") ?? "/orders" }).end();
}

/** Rejects the first two requests for each key, with a `retry-after` header. */
function busy(asked: Map<string, number>, exchange: Exchange): void {
  const key = exchange.values[0] ?? "";
  const times = (asked.get(key) ?? 0) + 1;
  asked.set(key, times);
  if (times <= 2) {
    return sendError(exchange, 429, "too many requests", { "retry-after": "1" });
  }
  sendJson(exchange, 200, { data: { asked: times } });
}
