import { busyCustomers } from "./busy-customers.js";
import { type Exchange, readObject, sendError, sendJson } from "./exchange.js";
import { asAmount, asChanges, asNewOrder, asNote } from "./input.js";
import type { Order, Orders } from "./orders.js";
import type { Route } from "./routes.js";

/**
 * Answers of earlier POSTs by their Idempotency-Key. A repeated request gets the same answer and
 * changes nothing.
 */
type AnswersByKey = Map<string, Order>;

/** Routes to create, read, update and delete orders. */
export function orderRoutes(orders: Orders): readonly Route[] {
  const answered: AnswersByKey = new Map();
  const isBusy = busyCustomers();
  return [
    { method: "GET", path: "/orders", serve: (exchange) => list(orders, exchange) },
    { method: "POST", path: "/orders/search", serve: (exchange) => search(orders, exchange) },
    { method: "GET", path: "/orders/{id}", serve: (exchange) => fetchOne(orders, exchange) },
    {
      method: "POST",
      path: "/customers/{customer_id}/orders",
      serve: (exchange) =>
        isBusy(exchange.values[0] ?? "")
          ? sendError(exchange, 429, "too many orders at once", { "retry-after": "1" })
          : create(orders, answered, exchange),
    },
    { method: "PATCH", path: "/orders/{id}", serve: (exchange) => change(orders, exchange) },
    { method: "DELETE", path: "/orders/{id}", serve: (exchange) => remove(orders, exchange) },
    { method: "POST", path: "/orders/{id}/refunds", serve: (exchange) => refund(orders, exchange) },
    { method: "PUT", path: "/orders/{id}/note", serve: (exchange) => putNote(orders, exchange) },
  ];
}

/**
 * Lists orders: `?customer_id=&status=&after=&limit=`. `next` is the `after` of the next page, or
 * null on the last page.
 */
function list(orders: Orders, exchange: Exchange): void {
  const { searchParams } = exchange.url;
  const limit = Number(searchParams.get("limit") ?? 20);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
    return sendError(exchange, 400, "limit must be a whole number from 1 to 100");
  }
  const customer_id = searchParams.get("customer_id") ?? undefined;
  const status = searchParams.get("status") ?? undefined;
  const after = searchParams.get("after") ?? undefined;
  // One more than the page shows, to find out if another page follows.
  const found = orders.list({ customer_id, status, after, limit: limit + 1 });
  const data = found.slice(0, limit);
  const next = found.length > limit ? (data.at(-1)?.id ?? null) : null;
  const following = new URL(exchange.url);
  if (next !== null) following.searchParams.set("after", next);
  const link = `<${following.pathname}${following.search}>; rel="next"`;
  const body = { data, count: data.length, next };
  sendJson(exchange, 200, body, next === null ? {} : { link });
}

/** Searches by `{ status }`. It is a read by POST, like searches that are too long for a URL. */
async function search(orders: Orders, exchange: Exchange): Promise<void> {
  const filter = asChanges(await readObject(exchange));
  if (filter === undefined) return sendError(exchange, 400, "that is not a search");
  sendJson(exchange, 200, { data: orders.list({ status: filter.status, limit: 100 }) });
}

function fetchOne(orders: Orders, exchange: Exchange): void {
  answerWith(exchange, orders.find(exchange.values[0] ?? ""));
}

async function create(orders: Orders, answered: AnswersByKey, exchange: Exchange): Promise<void> {
  const wanted = asNewOrder(await readObject(exchange));
  if (wanted === undefined) return sendError(exchange, 400, "that is not an order");
  const key = exchange.request.headers["idempotency-key"];
  const before = typeof key === "string" ? answered.get(key) : undefined;
  if (before !== undefined) return sendJson(exchange, 201, { data: before });
  const order = orders.create(exchange.values[0] ?? "", wanted);
  if (order === undefined) {
    return sendError(exchange, 409, `there is an order with the reference ${wanted.reference}`);
  }
  if (typeof key === "string") answered.set(key, order);
  sendJson(exchange, 201, { data: order });
}

async function change(orders: Orders, exchange: Exchange): Promise<void> {
  const changes = asChanges(await readObject(exchange));
  if (changes === undefined) return sendError(exchange, 400, "that is not a change to an order");
  answerWith(exchange, orders.change(exchange.values[0] ?? "", changes));
}

function remove(orders: Orders, exchange: Exchange): void {
  const order = orders.find(exchange.values[0] ?? "");
  if (order === undefined) return answerWith(exchange, undefined);
  if (order.status === "shipped") return sendError(exchange, 409, `${order.id} is on its way`);
  orders.remove(order.id);
  exchange.response.writeHead(204).end();
}

async function refund(orders: Orders, exchange: Exchange): Promise<void> {
  const amount = asAmount(await readObject(exchange));
  if (amount === undefined) return sendError(exchange, 400, "that is no amount in cents");
  const id = exchange.values[0] ?? "";
  if (orders.find(id) === undefined) return answerWith(exchange, undefined);
  const made = orders.refund(id, amount);
  if (made === undefined) return sendError(exchange, 409, `${id} was not paid that much`);
  sendJson(exchange, 201, { data: made });
}

async function putNote(orders: Orders, exchange: Exchange): Promise<void> {
  const note = asNote(await readObject(exchange));
  if (note === undefined) return sendError(exchange, 400, "that is not a note");
  answerWith(exchange, orders.change(exchange.values[0] ?? "", { note }));
}

function answerWith(exchange: Exchange, order: Order | undefined): void {
  if (order === undefined) {
    return sendError(exchange, 404, `there is no order ${exchange.values[0]}`);
  }
  sendJson(exchange, 200, { data: order });
}
