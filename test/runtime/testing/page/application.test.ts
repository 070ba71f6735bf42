import { beforeEach, expect, test } from "vitest";
import { setDefaultRuntime } from "@skillc/runtime";
import { createTestRuntime } from "@skillc/runtime/testing";
import { catalog } from "../../../../generated/index.js";
import { cancelOrder } from "../../../../generated/order-desk/index.js";

/** Application code that names no runtime. */
async function cancel(order_id: string): Promise<string> {
  const answer = await cancelOrder({ order_id }, { mode: "active" });
  return answer.status === "conflict" ? "shipped already" : answer.status;
}

const shipped = createTestRuntime(catalog, {
  "order-desk/cancel-order": { status: "conflict", error: "shipped", status_code: 409 },
});

beforeEach(() => setDefaultRuntime(shipped));

test("a shipped order is not cancelled", async () => {
  expect(await cancel("ord_1001")).toBe("shipped already");
});

test("a lost order is reported as not found", async () => {
  const lost = createTestRuntime(catalog, {
    "order-desk/cancel-order": { status: "not_found", error: null, status_code: 404 },
  });
  expect(await lost.run(() => cancel("ord_1001"))).toBe("not_found");
});
