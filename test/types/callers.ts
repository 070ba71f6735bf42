/** What `tsc` makes of code that calls generated tools. Nothing here runs: `npx tsc --noEmit` is the test. */
import { expectTypeOf } from "vitest";
import {
  cancelOrder,
  createOrder,
  type CreateOrderData,
  type CreateOrderParams,
  type CreateOrderResult,
  getOrder,
  listOrders,
  type ListOrdersParams,
  quoteShipping,
  type QuoteShippingData,
} from "../../generated/order-desk/index.js";
import { createRuntime } from "../../generated/index.js";
import type { CallOptions } from "skillc/runtime";
import type { HttpRecord } from "skillc/runtime/http";

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
  // @ts-expect-error a parameter that there isn't
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
  // @ts-expect-error a status that there isn't
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
  // @ts-expect-error `data` is there only after a look at `status`
  void created.data.id;
  // @ts-expect-error so is `error`
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
      // @ts-expect-error nothing was sent, so nothing was answered
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

/** A caller who forgets a status has a case left over. */
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
  // No `returns`, so nothing is known of the data.
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
    handlers: { "order-desk/quote-shipping": () => ({ price: 4.9, currency: "EUR" }) },
  });
  await listOrders({}, { runtime, signal });
  await listOrders({}, { mode: "shadow" });
  // @ts-expect-error no such mode
  await listOrders({}, { mode: "dry" });
  // @ts-expect-error no such option
  await listOrders({}, { timeout: 5 });
}
