/** Application code under test, which names no runtime and dispatches the calls of a model. */
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { catalog, configure, tools } from "../../../generated/index.js";
import { getOrder, type GetOrderData } from "../../../generated/order-desk/index.js";
import {
  dispatchTool,
  missingFor,
  offerKnowledge,
  offerTools,
  resultForModel,
  setDefaultRuntime,
} from "@skillc/runtime";
import { createTestRuntime, toolError } from "@skillc/runtime/testing";
import { loaderArgs } from "../../support/node-loader.js";
import { apiBuilder } from "../../../examples/demo/api-builder.js";

const order = (id: string): GetOrderData => ({
  id,
  customer_id: "cus_1",
  status: "open",
  lines: [],
  created_at: "2026-07-01T10:00:00Z",
  total: 0,
});

/** As an application's function is. */
async function statusOf(order_id: string): Promise<string> {
  const got = await getOrder({ order_id });
  return got.status === "success" ? got.data.status : got.status;
}

describe("application code that names no runtime", () => {
  test("uses the runtime that is set, and a new one after that is set", async () => {
    onTestFinished(() => void configure({ ledger: false, handlers: noHandlers }));
    setDefaultRuntime(
      createTestRuntime(catalog, {
        "order-desk/get-order": { status: "success", data: order("ord_1") },
      }),
    );
    expect(await statusOf("ord_1")).toBe("open");
    setDefaultRuntime(
      createTestRuntime(catalog, {
        "order-desk/get-order": { status: "not_found", error: "no such order", status_code: 404 },
      }),
    );
    expect(await statusOf("ord_1")).toBe("not_found");
  });

  test("uses the runtime of its own test if tests run concurrently", async () => {
    const asked = async (status: "open" | "shipped") => {
      const runtime = createTestRuntime(catalog, {
        "order-desk/get-order": async ({ order_id }) => {
          await new Promise((resolve) => setImmediate(resolve));
          return { status: "success", data: { ...order(order_id), status } };
        },
      });
      const found = await runtime.run(async () => [await statusOf("a"), await statusOf("b")]);
      return [found, runtime.calls("order-desk/get-order").length];
    };
    expect(await Promise.all([asked("open"), asked("shipped")])).toEqual([
      [["open", "open"], 2],
      [["shipped", "shipped"], 2],
    ]);
  });

  test("can't pass options in place of a runtime", () => {
    // As JavaScript calls it.
    expect(() => setDefaultRuntime({ mode: "shadow" } as never)).toThrow(
      "`setDefaultRuntime` needs a runtime",
    );
  });
});

const noHandlers = {
  ...apiBuilder,
  "order-desk/quote-shipping": () => ({ price: 0, currency: "EUR" as const }),
};

describe("a model's loop under test", () => {
  const runtime = createTestRuntime(catalog, {
    "order-desk/get-order": ({ order_id }) => ({ status: "success", data: order(order_id) }),
    "order-desk/create-order": toolError("PROVIDER.TIMEOUT"),
    "order-desk/quote-shipping": { status: "success", data: { price: 4.9, currency: "EUR" } },
  });

  test("gets an offer of each tool with a fake, and the matching knowledge, on any platform", async () => {
    const offered = await offerTools(catalog, runtime);
    expect(offered.map((each) => each.name)).toEqual([
      "order-desk__get-order",
      "order-desk__create-order",
      "order-desk__quote-shipping",
    ]);
    const knowledge = await offerKnowledge(catalog, runtime);
    expect(knowledge.match(/^# Skill: .*$/gm)).toEqual([
      "# Skill: order-desk",
      "# Skill: refund-policy",
    ]);
    for (const skill of catalog.skills) expect(await missingFor(skill, runtime)).toEqual([]);
  });

  test("calls fakes by the names of the offer, and gets their failures", async () => {
    const offered = await offerTools(catalog, runtime);
    const options = { offered, runtime };
    const ask = (name: string, args: unknown) =>
      resultForModel(dispatchTool(tools, name, args, options));
    const got = await ask("order-desk__get-order", { order_id: "ord_1001" });
    expect(JSON.parse(got.content)).toMatchObject({ status: "success", data: { id: "ord_1001" } });
    const lines = [{ sku: "lamp", quantity: 1, price: 1900 }];
    const made = await ask("order-desk__create-order", { customer_id: "cus_1", lines });
    expect(made).toMatchObject({
      is_error: true,
      content: expect.stringMatching("in time; the change"),
    });
    const wrong = await ask("order-desk__list-orders", {});
    expect(wrong).toMatchObject({
      is_error: true,
      content: expect.stringMatching("not a tool that was offered"),
    });
    expect(runtime.calls().map((each) => each.tool)).toEqual([
      "order-desk/get-order",
      "order-desk/create-order",
    ]);
  });
});

test("concurrent tests in Node's own runner have a runtime each, and leave no files", async () => {
  const program = fileURLToPath(new URL("../programs/fakes-in-node-test.ts", import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), "skillc-fakes-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const args = [...loaderArgs, "--test-reporter=tap", program, folder];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toMatch(/^# pass 2$/m);
  expect(stdout).toMatch(/^# fail 0$/m);
  expect(readdirSync(folder)).toEqual([]);
});
