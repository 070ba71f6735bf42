import { describe, expect, test } from "vitest";
import type { OfferOptions } from "../../../src/runtime/model/offer-options.js";
import { offerTools } from "../../../src/runtime/model/offer-tools.js";
import { createRuntime } from "../../../src/runtime/runtime.js";
import { skill, tool } from "./example-catalog.js";

const catalog = {
  skills: [
    skill("desk", {
      tools: [
        tool("find-order", { tags: ["orders", "read"], description: "Finds an order by its ID." }),
        tool("refund", {
          tags: ["orders", "money"],
          description: "Pays back.",
          side_effect: "write",
          risk_level: "high",
          governance: { models: ["claude-*", "gpt-5"] },
        }),
        tool("wipe", { tags: [], side_effect: "write", risk_level: "critical" }),
      ],
    }),
  ],
};
const runtime = createRuntime({
  env: {},
  inherit: false,
  ledger: false,
  credentials: { SET: "x" },
});

async function offered(options: OfferOptions): Promise<readonly string[]> {
  const tools = await offerTools(catalog, { runtime, ...options });
  return tools.map(({ name }) => name.slice("desk_".length));
}

describe("an offer", () => {
  test.each<[OfferOptions, readonly string[]]>([
    [{}, ["find-order", "refund", "wipe"]],
    [{ tags: ["money", "read"] }, ["find-order", "refund"]],
    [{ tags: [] }, []],
    [{ risk: "low" }, ["find-order"]],
    [{ risk: "high" }, ["find-order", "refund"]],
    [{ effect: "read" }, ["find-order"]],
    [{ text: "ORDER id" }, ["find-order"]],
    [{ text: "  " }, ["find-order", "refund", "wipe"]],
    [{ text: "nothing" }, []],
    [{ model: "claude-sonnet-5-5" }, ["find-order", "refund", "wipe"]],
    [{ model: "gpt-5-mini" }, ["find-order", "wipe"]],
    [{ tags: ["orders"], effect: "write", risk: "medium" }, []],
  ])("filtered by %o contains %j", async (options, expected) => {
    expect(await offered(options)).toEqual(expected);
  });

  test.each<[object, string]>([
    [{ risk: "higher" }, "`risk` must be one of"],
    [{ effect: "all" }, "`effect` must be"],
    [{ tags: "orders" }, "`tags` must be a list"],
    [{ text: 1 }, "`text` must be a text"],
    [{ model: {} }, "`model` must be"],
    [{ tag: ["orders"] }, "must be a runtime"],
  ])("filtered by %o causes an error, and contains no more tools", async (options, why) => {
    // As callers in JavaScript may write it.
    await expect(offered(options as OfferOptions)).rejects.toThrow(why);
  });
});
