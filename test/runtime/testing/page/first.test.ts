import { expect, test } from "vitest";
import { createTestRuntime } from "@skillc/runtime/testing";
import { catalog } from "../../../../generated/index.js";
import { getOrder } from "../../../../generated/order-desk/index.js";

test("a missing order is an answer, not an error", async () => {
  const runtime = createTestRuntime(catalog, {
    "order-desk/get-order": { status: "not_found", error: "no such order", status_code: 404 },
  });
  const order = await getOrder({ order_id: "ord_9999" }, { runtime });
  expect(order.status).toBe("not_found");
});
