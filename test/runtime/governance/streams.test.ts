/** Governance of answers that come item by item. */
import { describe, expect, test } from "vitest";
import type { ToolEvent } from "../../../src/runtime/governance/events.js";
import type { ProjectPolicy } from "../../../src/runtime/governance/policy.js";
import { mustRead } from "../../schema/read.js";
import { validatorOf } from "../../schema/validators.js";
import { exampleTool } from "../example-tool.js";
import { govern, policyOf } from "./governed.js";

const person = {
  type: "object",
  additionalProperties: false,
  required: ["name"],
  properties: { name: { type: "string" }, email: { type: "string" } },
} as const;

async function* people() {
  yield { name: "Ada", email: "ada@example.com" };
  yield { name: "Bo", email: "bo@example.com" };
}

/** A tool that streams these. */
function streaming(
  data: () => AsyncIterable<unknown> = people,
  streams: "items" | "events" = "items",
) {
  const tool = exampleTool(async () => ({ result: { status: "success", data: data() } }), {
    effect: "read",
    returns: validatorOf(mustRead(person)),
  });
  return { ...tool, binding: { ...tool.binding, streams } };
}

const hide: ProjectPolicy["obligations"] = [
  {
    name: "no-mail",
    tools: ["desk/do-it"],
    unless: [],
    action: { do: "mask", at: ["email"] },
  },
  { name: "said", tools: ["desk/do-it"], unless: [], action: { do: "watermark", text: "ours" } },
];

async function all(stream: unknown): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  for await (const item of stream as AsyncIterable<unknown>) items.push(item);
  return items;
}

async function opened(call: Promise<unknown>): Promise<AsyncIterableIterator<unknown>> {
  return ((await call) as { readonly data: AsyncIterableIterator<unknown> }).data;
}

describe("a governed stream", () => {
  test("applies its obligations to each item, and has the watermark beside the items", async () => {
    const { call, ledger } = govern(policyOf({ effect: "read" }, { obligations: hide }));
    const result = await call(streaming());
    expect(result).toMatchObject({ status: "success", watermark: "ours" });
    expect(await all(await opened(Promise.resolve(result)))).toEqual([
      { name: "Ada", email: "***" },
      { name: "Bo", email: "***" },
    ]);
    expect(ledger.records).toMatchObject([
      {
        type: "end",
        result: '{"status":"success","data":{"items":2,"ended":"whole"}}',
        decision: { obligations: ["no-mail", "said"] },
      },
    ]);
  });

  test("applies its obligations to the data of each event", async () => {
    async function* events() {
      yield { event: "email", id: "1", data: { name: "Ada", email: "ada@example.com" } };
    }
    const { call } = govern(policyOf({ effect: "read" }, { obligations: hide }));
    expect(await all(await opened(call(streaming(events, "events"))))).toEqual([
      { event: "email", id: "1", data: { name: "Ada", email: "***" } },
    ]);
  });

  test("repairs each item", async () => {
    async function* more() {
      yield { name: "Ada", cost: 1 };
      yield { name: "Bo", price: 2 };
    }
    const { call, ledger } = govern(policyOf({ effect: "read" }), { repair: "drop-undeclared" });
    expect(await all(await opened(call(streaming(more))))).toEqual([
      { name: "Ada" },
      { name: "Bo" },
    ]);
    expect(ledger.records).toMatchObject([{ decision: { repaired: ["/cost", "/price"] } }]);
  });

  test("ends at its limit of bytes", async () => {
    const { call, ledger } = govern(policyOf({ effect: "read", limits: { bytesOut: 50 } }));
    const stream = await opened(call(streaming()));
    expect((await stream.next()).done).toBe(false);
    await expect(stream.next()).rejects.toMatchObject({
      failure: { code: "QUOTA.BUDGET_EXCEEDED", limit: 50 },
    });
    expect(ledger.records).toMatchObject([
      {
        status: "success",
        result: '{"status":"success","data":{"items":1,"ended":"withheld"}}',
        error: { code: "QUOTA.BUDGET_EXCEEDED" },
      },
    ]);
  });

  test("holds its place and its lease until it ends", async () => {
    for (const tool of [{ limits: { concurrent: 1 } }, { concurrency: "serial" }] as const) {
      const { call } = govern(policyOf({ effect: "read", ...tool }));
      const stream = await opened(call(streaming()));
      await stream.next();
      const isSerial = "concurrency" in tool;
      const signal = AbortSignal.timeout(isSerial ? 30 : 10_000);
      await expect(call(streaming(), { signal })).rejects.toMatchObject({
        code: isSerial ? "UNKNOWN.INTERNAL" : "QUOTA.RATE_LIMITED",
      });
      await stream.return?.();
      expect(await all(await opened(call(streaming())))).toHaveLength(2);
    }
  });

  test("spends the bytes that it returned, however it ended", async () => {
    const { call } = govern(
      policyOf(
        { effect: "read" },
        { quotas: [{ name: "all", per: ["tenant"], bytesOutPerDay: 60 }] },
      ),
    );
    for (const _ of [1, 2]) {
      const stream = await opened(call(streaming()));
      await stream.next();
      await stream.return?.();
    }
    await expect(call(streaming())).rejects.toMatchObject({ code: "QUOTA.BUDGET_EXCEEDED" });
  });

  test("emits its end event after it has ended", async () => {
    const events: ToolEvent[] = [];
    const { call } = govern(policyOf({ effect: "read" }), {
      events: (event) => void events.push(event),
    });
    const stream = await opened(call(streaming()));
    const ends = () => events.filter(({ type }) => type === "ToolInvokeEnd");
    expect(ends()).toEqual([]);
    await all(stream);
    expect(ends()).toMatchObject([{ state: "Completed", status: "success" }]);
  });
});
