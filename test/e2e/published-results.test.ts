/** Real answers of the example tools, in the form for models, fit the schemas that MCP clients get. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, onTestFinished, test } from "vitest";
import { apiBuilder } from "../../examples/demo/api-builder.js";
import { startOrderService } from "../../examples/order-service/server.js";
import { createRuntime, tools } from "../../generated/index.js";
import { createMemoryLedger, dispatchTool } from "../../src/runtime/index.js";
import { valueForModel } from "../../src/runtime/model/model-result.js";
import { filesOf } from "../support/answers-fit.js";
import { compileFiles } from "../support/compile.js";

const skills = ["skills/order-desk", "skills/api-builder"];
const { published } = await compileFiles(filesOf(".", skills), { linked: new Map() });
const ajv = new Ajv2020({ strict: false, validateFormats: false });

const order = { customer_id: "cus_ada", lines: [{ sku: "LAMP-OAK", quantity: 2, price: 8900 }] };
const request = { request: "A shop has products with a name and a price." };

/** Calls, and the status that each answers with. */
const calls: readonly (readonly [keyof typeof tools, unknown, string])[] = [
  ["order-desk__list-orders", {}, "success"],
  ["order-desk__get-order", { order_id: "ord_1001" }, "success"],
  ["order-desk__get-order", { order_id: "ord_0" }, "not_found"],
  ["order-desk__create-order", { ...order, reference: "r-1" }, "success"],
  ["order-desk__create-order", { ...order, reference: "r-1" }, "conflict"],
  ["order-desk__cancel-order", { order_id: "ord_1001" }, "shadow"],
  ["order-desk__quote-shipping", { country: "DE", weight_kg: 2 }, "success"],
  ["api-builder__find-entities", request, "success"],
  ["api-builder__create-api", request, "success"],
];

test("answers of a service, of handlers and of a plan fit the published schemas", async () => {
  const token = "t-0k3n";
  const service = await startOrderService({ token });
  onTestFinished(service.close);
  const runtime = createRuntime({
    inherit: false,
    ledger: createMemoryLedger(),
    credentials: { ORDERS_URL: service.url, ORDERS_TOKEN: token },
    handlers: {
      ...apiBuilder,
      "order-desk/quote-shipping": () => ({ price: 4.9, currency: "EUR" }),
    },
  });
  for (const [name, args, status] of calls) {
    const { isError, value } = await valueForModel(dispatchTool(tools, name, args, { runtime }));
    const fits = ajv.compile(published?.data.tools[name.replace("__", "/")]?.output_schema ?? {});
    const shown: unknown = JSON.parse(JSON.stringify(value));
    expect({ name, isError, shown, fits: fits(shown) }).toMatchObject({
      isError: false,
      shown: { status },
      fits: true,
    });
    // The schema is not one that accepts anything.
    expect(fits({ status: "unheard_of" })).toBe(false);
  }
});
