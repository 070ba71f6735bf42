/** What a model asks for, by the names and with the arguments that its API gives, done by the generated tools over the wire. */
import { expect, onTestFinished, test } from "vitest";
import { startOrderService } from "../../examples/order-service/server.js";
import { catalog, createRuntime, tools } from "../../generated/index.js";
import { createMemoryLedger, dispatchTool, dispatchToolJson, offerTools } from "@skillc/runtime";
import { apiBuilder } from "../../examples/demo/api-builder.js";

async function openDesk() {
  const token = "t-0k3n";
  const service = await startOrderService({ token });
  onTestFinished(service.close);
  const ledger = createMemoryLedger();
  const runtime = createRuntime({
    inherit: false,
    ledger,
    credentials: { ORDERS_URL: service.url, ORDERS_TOKEN: token },
    handlers: {
      ...apiBuilder,
      "order-desk/quote-shipping": () => ({ price: 4.9, currency: "EUR" }),
    },
  });
  const offered = await offerTools(catalog, runtime);
  return { ledger, offered, options: { runtime, offered } };
}

test("every tool that is offered can be called by its name, and nothing else", async () => {
  const { ledger, offered, options } = await openDesk();
  expect(offered.map((each) => each.name)).toEqual(
    Object.keys(tools).filter((name) =>
      /^(?:api-builder|notes|order-desk|repo-maintenance)__/.test(name),
    ),
  );
  for (const { name } of offered) {
    // No tool takes an unknown parameter: each is reached, and refuses.
    const call = dispatchTool(tools, name, { not_a_parameter: 1 }, options);
    await expect(call).rejects.toMatchObject({
      code: "SCHEMA.VALIDATION_FAILED",
      tool: name.replace("__", "/"),
    });
  }
  expect(ledger.records).toHaveLength(offered.length);
  await expect(
    dispatchTool(tools, "rabbitmq-admin__list-queues", {}, options),
  ).rejects.toMatchObject({ code: "POLICY.DENY_TOOL" });
});

test("a model can correct itself by the error messages", async () => {
  const { options } = await openDesk();
  const told = async (call: Promise<unknown>) =>
    String(await call.catch((error: unknown) => error));
  const { offered } = options;

  expect(await told(dispatchToolJson(tools, "get_order" as string, "{}", options))).toBe(
    "ToolError: `get_order` is not a tool that was offered; did you mean `order-desk__get-order`?",
  );
  const name: string = offered.find((each) => each.name.endsWith("get-order"))?.name ?? "";
  expect(await told(dispatchToolJson(tools, name, '{"orderid":"ord_1001"}', options))).toBe(
    "ToolError: parameters of `order-desk/get-order` don't fit their schema: /order_id is missing; " +
      "/orderid is not known here; did you mean `order_id`?",
  );
  const answer = await dispatchToolJson(tools, name, '{"order_id":"ord_1001"}', options);
  expect(answer).toMatchObject({ status: "success", data: { id: "ord_1001" } });
});
