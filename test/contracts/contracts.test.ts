/** One generated folder of each version of the contract, as skillc of that time wrote it: the runtime still serves those that it says. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { contractVersion } from "../../src/core/runtime-entry.js";
import { createRuntime, offerTools } from "../../src/runtime/index.js";
import { createOrder, getOrder, takeStock } from "./1/generated/desk/index.js";
import { tellKafka, tellNats, tellRabbitmq, tellRedis } from "./1/generated/events/index.js";
import { catalog } from "./1/generated/index.js";

const here = new URL("./", import.meta.url).pathname;
const versions = readdirSync(here).filter((name) => /^\d+$/.test(name));

/** Folders by contract, and by what modules of it could say when they were written. */
const folders = readdirSync(here).filter((name) => /^\d+(?:\.\d+)?$/.test(name));

/** What was written once, and no later skillc may write again. */
const kept: Readonly<Record<string, string>> = {
  1: "6f2c456b17a3a465338265c3476ccb1fef212367e45dfc9dda4f48faa6bb08f1",
  1.1: "339569f77adb1cb09c1e4a4cf95d717219bad9361743138235fa9cd22b8ff82f",
  1.2: "f2a8b66b7c05635071fcb0095da0bf1dc2eb87f85ac4cbd49b894b584a420cb1",
};

test("every version of the contract has a folder, and a new version keeps the old ones", () => {
  const all = Array.from({ length: contractVersion }, (_, at) => String(at + 1));
  expect(versions.toSorted()).toEqual(all);
});

test.each(folders)("the folder of contract %s is unchanged", (folder) => {
  const generated = join(here, folder, "generated");
  const hash = createHash("sha256");
  for (const file of readdirSync(generated, { recursive: true, encoding: "utf8" }).toSorted())
    if (file.endsWith(".ts")) hash.update(file).update(readFileSync(join(generated, file)));
  expect(hash.digest("hex")).toBe(kept[folder]);
});

describe("the folder of contract 1", () => {
  const runtime = createRuntime({
    inherit: false,
    mode: "shadow",
    ledger: false,
    handlers: { "desk/quote": async () => 5 },
  });

  test("shows the request of a write over HTTP", async () => {
    const lines = [{ sku: "m-1", quantity: 1 }];
    expect(await createOrder({ lines }, { runtime })).toMatchObject({
      status: "shadow",
      request: { method: "POST", url: "${ORDERS_URL}/orders", body: { lines } },
    });
  });

  test("refuses an integer that may have been rounded, at its place", async () => {
    const lines = [1, 653247040368672768].map((quantity) => ({ sku: "m-1", quantity }));
    await expect(createOrder({ lines }, { runtime })).rejects.toMatchObject({
      failure: {
        code: "SCHEMA.VALIDATION_FAILED",
        subject: "parameters",
        problems: [{ pointer: "/lines/1/quantity" }],
      },
    });
  });

  test("shows the statement of a write to a database", async () => {
    expect(await takeStock({ sku: "m-1", pieces: 1 }, { runtime })).toMatchObject({
      status: "shadow",
      request: { connection: "${SHOP_URL}", parameters: [1, "m-1"] },
    });
  });

  test.each([
    ["kafka", tellKafka, { topic: "orders.created", key: "a" }],
    ["rabbitmq", tellRabbitmq, { exchange: "", routing_key: "orders-created" }],
    ["nats", tellNats, { subject: "orders.created" }],
    ["redis", tellRedis, { stream: "orders:created" }],
  ])("shows the message for %s", async (provider, tell, target) => {
    expect(await tell({ id: "a" }, { runtime })).toMatchObject({
      status: "shadow",
      request: { provider, target, message: { id: "a" } },
    });
  });

  test("refuses parameters that don't fit their schema", async () => {
    const error: unknown = await getOrder({ id: "A B" }, { runtime }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: "SCHEMA.VALIDATION_FAILED" });
  });

  test("offers its tools", async () => {
    const offered = await offerTools(catalog, {
      runtime: createRuntime({
        inherit: false,
        credentials: { ORDERS_URL: "https://orders.example.com", ORDERS_TOKEN: "t" },
      }),
    });
    expect(offered.map(({ name }) => name)).toEqual(["desk__get-order", "desk__create-order"]);
  });
});
