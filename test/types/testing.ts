/** Types of fakes in tests. `npx tsc --noEmit` is the test; nothing runs. */
import { expectTypeOf } from "vitest";
import { catalog, type Handlers } from "../../generated/index.js";
import type { CreateOrderParams, GetOrderData } from "../../generated/order-desk/index.js";
import type { ListOrdersArguments } from "../../generated/order-desk/list-orders.js";
import { type Catalog, dispatchTool, setDefaultRuntime } from "@skillc/runtime";
import {
  createTestRuntime,
  type Fakes,
  type RecordedCall,
  toolError,
} from "@skillc/runtime/testing";

export function fakes(order: GetOrderData): void {
  createTestRuntime(catalog);
  createTestRuntime(catalog, {
    "order-desk/get-order": { status: "not_found", error: "no such order", status_code: 404 },
    "order-desk/create-order": async ({ customer_id }, { attempt }) => {
      expectTypeOf(customer_id).toEqualTypeOf<string>();
      expectTypeOf(attempt).toEqualTypeOf<number>();
      return { status: "success", data: order };
    },
    // The statuses of a tool are known even if its data may be anything.
    "order-desk/cancel-order": { status: "conflict", error: "shipped", status_code: 409 },
    "order-desk/quote-shipping": () => ({
      status: "success",
      data: { price: 4.9, currency: "EUR" },
    }),
    "warehouse/recent-orders": { status: "success", data: [], truncated: false },
    "warehouse/move-stock": { status: "check_failed", error: { constraint: "stock_quantity" } },
    "order-events/announce-order-created": toolError("PROVIDER.TIMEOUT"),
  });
  createTestRuntime(catalog, {
    // The runtime fills in defaults.
    "order-desk/list-orders": ({ limit }) => {
      expectTypeOf(limit).toEqualTypeOf<number>();
      return limit > 20 ? toolError("PROVIDER.PROTOCOL") : { status: "success", data: [order] };
    },
  });

  // @ts-expect-error no such tool
  createTestRuntime(catalog, { "order-desk/get-orders": toolError("PROVIDER.TIMEOUT") });
  // @ts-expect-error a status that the tool does not have
  createTestRuntime(catalog, { "order-desk/get-order": { status: "gone", error: 1 } });
  // @ts-expect-error a field that every answer with this status has is missing
  createTestRuntime(catalog, { "order-desk/get-order": { status: "not_found" } });
  // @ts-expect-error data of another shape
  createTestRuntime(catalog, { "order-desk/get-order": { status: "success", data: { id: 1 } } });
  // @ts-expect-error data without a status
  createTestRuntime(catalog, { "order-desk/get-order": () => order });
  // @ts-expect-error `truncated` is missing
  createTestRuntime(catalog, { "warehouse/recent-orders": { status: "success", data: [] } });
  // @ts-expect-error only the runtime returns `shadow`
  createTestRuntime(catalog, { "order-desk/cancel-order": { status: "shadow", request: null } });
  // @ts-expect-error an unknown parameter
  createTestRuntime(catalog, { "order-desk/get-order": ({ id }) => toolError(id) });

  expectTypeOf<Fakes<Handlers>>().toExtend<{ "order-desk/get-order"?: unknown }>();
}

export function calls(): void {
  const runtime = createTestRuntime(catalog);
  expectTypeOf(runtime.calls("order-desk/create-order")).toEqualTypeOf<
    readonly RecordedCall<CreateOrderParams>[]
  >();
  expectTypeOf(runtime.calls("order-desk/list-orders")[0]?.params).toEqualTypeOf<
    ListOrdersArguments | undefined
  >();
  expectTypeOf(runtime.calls()[0]?.params).toEqualTypeOf<unknown>();
  // @ts-expect-error no such tool
  runtime.calls("order-desk/create-orders");
  setDefaultRuntime(runtime);
  // @ts-expect-error options instead of a runtime
  setDefaultRuntime({ mode: "shadow" });
  expectTypeOf(runtime.run(async () => dispatchTool({}, String(), {}))).resolves.toExtend<object>();
}

export function errors(): void {
  toolError("PROVIDER.UNAVAILABLE", { reason: "ENOTFOUND", outcome: "not-done" });
  toolError("SCHEMA.VALIDATION_FAILED", { subject: "response", message: "in words" });
  // @ts-expect-error a field of another code
  toolError("PROVIDER.TIMEOUT", { reason: "ENOTFOUND" });
  // @ts-expect-error no such code
  toolError("PROVIDER.GONE");
}

export function untyped(read: Catalog): void {
  // The type of a catalog from a file has no tools.
  const runtime = createTestRuntime(read, { "any/tool": () => ({ status: "success", data: 1 }) });
  expectTypeOf(runtime.calls("any/tool")[0]?.params).toEqualTypeOf<unknown>();
}
