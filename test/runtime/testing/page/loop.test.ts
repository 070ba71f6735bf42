import { expect, test } from "vitest";
import { dispatchTool, offerTools, resultForModel } from "@skillc/runtime";
import { createTestRuntime } from "@skillc/runtime/testing";
import { catalog, tools } from "../../../../generated/index.js";

test("the model learns which parameter is missing", async () => {
  const runtime = createTestRuntime(catalog, {
    "order-desk/get-order": { status: "not_found", error: "no such order", status_code: 404 },
  });
  const offered = await offerTools(catalog, runtime);
  expect(offered.map((each) => each.name)).toEqual(["order-desk__get-order"]);
  const use = { name: "order-desk__get-order", input: { id: "ord_1001" } }; // a model would send it
  const call = dispatchTool(tools, use.name, use.input, { offered, runtime });
  const { content, is_error } = await resultForModel(call);
  expect(is_error).toBe(true);
  expect(content).toContain("/order_id is missing");
});
