/**
 * Concurrent tests of an application in Node's test runner, each with its own runtime. Argument:
 * the folder to run in.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { createTestRuntime } from "@skillc/runtime/testing";
import { catalog } from "../../../generated/index.js";
import { cancelOrder, getOrder } from "../../../generated/order-desk/index.js";

process.chdir(process.argv[2] ?? "");

await describe("an application's tests", { concurrency: true }, () => {
  for (const status_code of [404, 410])
    test(`get the fake's answer with the status ${status_code}`, async () => {
      const runtime = createTestRuntime(catalog, {
        "order-desk/get-order": async () => {
          await setImmediate();
          return { status: "not_found", error: "none", status_code };
        },
      });
      const named = await getOrder({ order_id: "ord_1001" }, { runtime });
      assert.deepEqual(named, { status: "not_found", error: "none", status_code });
      const unnamed = await runtime.run(() => getOrder({ order_id: "ord_1001" }));
      assert.deepEqual(unnamed, named);
      await assert.rejects(
        runtime.run(() => cancelOrder({ order_id: "ord_1001" }, { mode: "active" })),
        /`order-desk\/cancel-order` has no fake/,
      );
    });
});
