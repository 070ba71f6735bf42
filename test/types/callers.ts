/** Types of code that calls tools. `npx tsc --noEmit` is the test; nothing runs. */
import { expectTypeOf } from "vitest";
import {
  cancelOrder,
  createOrder,
  type CreateOrderData,
  type CreateOrderParams,
  type CreateOrderResult,
  getOrder,
  type GetOrderData,
  listOrders,
  type ListOrdersParams,
  quoteShipping,
  type QuoteShippingData,
} from "../../generated/order-desk/index.js";
import { publishMessage, type PublishMessageParams } from "../../generated/rabbitmq-admin/index.js";
import { announceOrder } from "../cases/queue-kafka/generated/order-events/index.js";
import { createRuntime } from "../../generated/index.js";
import type { CallOptions } from "@skillc/runtime";
import type { HttpRecord } from "@skillc/runtime/v1/http";
import { apiBuilder } from "../../examples/demo/api-builder.js";

const lines = [{ sku: "lamp", quantity: 1, price: 1900 }];

export async function parameters(): Promise<void> {
  await createOrder({ customer_id: "cus_1", lines });
  await createOrder({ customer_id: "cus_1", lines, reference: "spring" });
  // @ts-expect-error a number for a string
  await createOrder({ customer_id: 1, lines });
  // @ts-expect-error a forgotten parameter
  await createOrder({ customer_id: "cus_1" });
  // @ts-expect-error a misspelt parameter
  await createOrder({ customer_id: "cus_1", line: lines });
  // @ts-expect-error an unknown parameter
  await createOrder({ customer_id: "cus_1", lines, note: "hurry" });
  // @ts-expect-error a line without its price
  await createOrder({ customer_id: "cus_1", lines: [{ sku: "lamp", quantity: 1 }] });
  // @ts-expect-error undefined is not a string: an optional parameter is left out
  await createOrder({ customer_id: "cus_1", lines, reference: undefined });
  // @ts-expect-error no parameters at all
  await createOrder();

  expectTypeOf<CreateOrderParams>().toEqualTypeOf<{
    customer_id: string;
    reference?: string;
    lines: { sku: string; quantity: number; price: number }[];
  }>();
  expectTypeOf(createOrder).parameter(0).toEqualTypeOf<CreateOrderParams>();
  expectTypeOf(createOrder).parameter(1).toEqualTypeOf<CallOptions | undefined>();
  expectTypeOf(createOrder).returns.resolves.toEqualTypeOf<CreateOrderResult>();
}

export async function optionalParameters(): Promise<void> {
  await listOrders();
  await listOrders({ status: "open" });
  // @ts-expect-error an unknown status
  await listOrders({ status: "opened" });
  // @ts-expect-error text for a number
  await listOrders({ limit: "20" });

  // A default makes a parameter optional for callers.
  expectTypeOf<ListOrdersParams>().toEqualTypeOf<{
    customer_id?: string;
    status?: "open" | "shipped" | "cancelled";
    limit?: number;
  }>();
}

export async function results(): Promise<string> {
  const created = await createOrder({ customer_id: "cus_1", lines });
  // @ts-expect-error `data` exists only after a check of `status`
  void created.data.id;
  // @ts-expect-error `error` exists only after a check of `status`
  void created.error;
  // @ts-expect-error a status that the skill does not name
  if (created.status === "gone") return "";

  switch (created.status) {
    case "success":
      expectTypeOf(created.data).toEqualTypeOf<CreateOrderData>();
      // @ts-expect-error a success has no error
      void created.error;
      return created.data.id;
    case "shadow":
      expectTypeOf(created.request).toEqualTypeOf<HttpRecord>();
      // @ts-expect-error a shadowed call has no answer
      void created.data;
      return created.request.url;
    case "not_found":
    case "conflict":
    case "rate_limited":
    case "error":
      expectTypeOf(created.status_code).toEqualTypeOf<number>();
      // @ts-expect-error a failure has no data
      void created.data;
      return `${created.status_code}`;
  }
}

/** A misspelt name is a type error, even if the schema of the data allows other names. */
export async function misspeltReads(): Promise<void> {
  const found = await getOrder({ order_id: "ord_1001" });
  if (found.status !== "success") return;
  // @ts-expect-error a misspelt property
  void found.data.iddd;
  // @ts-expect-error a misspelt property of an item
  void found.data.lines.map((line) => line.skuu);
  // @ts-expect-error a misspelt property in a destructuring
  const { statuss } = found.data;
  const moved = await announceOrder({
    order_id: "3f1c0a52-5f0e-4a83-9d29-3cb1f6a0f4f1",
    customer_id: 7,
    currency: "EUR",
  });
  // @ts-expect-error a misspelt property of a receipt
  if (moved.status === "success") void moved.data.ofset;
  // The reader declares further properties of an answer.
  const { gift } = found.data as GetOrderData & { gift?: unknown };
  expectTypeOf(gift).toEqualTypeOf<unknown>();
  void statuss;
}

/** The schema of these parameters allows other names, but an object literal may not have any. */
export async function undeclaredParameters(): Promise<void> {
  // @ts-expect-error a misspelt parameter
  await publishMessage({ routing_key: "orders", payload: "{}", vhosts: "/" });
  const message = { routing_key: "orders", payload: "{}", priority: 3 };
  await publishMessage(message);
  const declared: PublishMessageParams & { priority: number } = message;
  await publishMessage(declared);
  // An object with a misspelt name shares no property with the type.
  const stray = { statuss: "open" };
  // @ts-expect-error all parameters are optional, and the object has none of them
  await listOrders(stray);
}

/** A caller who forgets a status has an unhandled case. */
export async function everyStatus(): Promise<void> {
  const found = await getOrder({ order_id: "ord_1001" });
  if (found.status === "success") return;
  // @ts-expect-error `not_found` is left
  void (found satisfies { readonly status: "error" });
  if (found.status === "not_found") return;
  if (found.status === "error") return;
  expectTypeOf(found).toEqualTypeOf<never>();
}

/** Reads have no shadow; a tool in shadow mode has the same result as in active mode. */
export async function modes(): Promise<void> {
  const found = await getOrder({ order_id: "ord_1001" });
  // @ts-expect-error a read is never a shadow
  if (found.status === "shadow") return;
  const cancelled = await cancelOrder({ order_id: "ord_1001" });
  if (cancelled.status === "shadow") expectTypeOf(cancelled.request).toEqualTypeOf<HttpRecord>();
  // A tool without `returns` has data of an unknown type.
  if (cancelled.status === "success") expectTypeOf(cancelled.data).toEqualTypeOf<unknown>();
}

export async function handledTools(): Promise<void> {
  const quote = await quoteShipping({ country: "DE", weight_kg: 2 });
  if (quote.status === "success") expectTypeOf(quote.data).toEqualTypeOf<QuoteShippingData>();
  expectTypeOf<QuoteShippingData>().toEqualTypeOf<{ price: number; currency: "EUR" }>();
  // @ts-expect-error `not_found` is not an answer of a handler
  if (quote.status === "not_found") return;
}

export async function options(signal: AbortSignal): Promise<void> {
  const runtime = createRuntime({
    handlers: {
      ...apiBuilder,
      "order-desk/quote-shipping": () => ({ price: 4.9, currency: "EUR" }),
    },
  });
  await listOrders({}, { runtime, signal });
  await listOrders({}, { mode: "shadow" });
  // @ts-expect-error no such mode
  await listOrders({}, { mode: "dry" });
  // @ts-expect-error no such option
  await listOrders({}, { timeout: 5 });
}
