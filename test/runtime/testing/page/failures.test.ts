import { expect, test } from "vitest";
import { isToolError } from "@skillc/runtime";
import { createTestRuntime, toolError } from "@skillc/runtime/testing";
import { catalog } from "../../../../generated/index.js";
import { createOrder, listOrders } from "../../../../generated/order-desk/index.js";

test("a timeout leaves the outcome of an order unknown", async () => {
  const runtime = createTestRuntime(catalog, {
    "order-desk/create-order": toolError("PROVIDER.TIMEOUT"),
  });
  const lines = [{ sku: "LAMP", quantity: 1, price: 8900 }];
  const error = await createOrder({ customer_id: "cus_1", lines }, { runtime }).catch(
    (thrown: unknown) => thrown,
  );
  expect(isToolError(error, "PROVIDER.TIMEOUT") && error.outcome).toBe("unknown");
  expect(runtime.calls("order-desk/create-order").map((call) => call.params.lines)).toEqual([
    lines,
  ]);
});

test("a read is retried after a broken connection", async () => {
  const runtime = createTestRuntime(catalog, {
    "order-desk/list-orders": (_, { attempt }) =>
      attempt === 1
        ? toolError("PROVIDER.UNAVAILABLE", { reason: "ECONNRESET" })
        : { status: "success", data: [] },
  });
  const found = await listOrders({ customer_id: "cus_1" }, { runtime });
  expect(found).toEqual({ status: "success", data: [] });
});
