import { describe, expect, test } from "vitest";
import { stripVTControlCharacters } from "node:util";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import {
  type CommandOutput,
  ledgerList,
  ledgerReport,
  ledgerShow,
} from "../../../src/cli/ledger/commands.js";
import { ledgerSettle } from "../../../src/cli/ledger/settle.js";
import { noRuns } from "../support/no-runs.js";
import { governance } from "../../../src/runtime/governance/index.js";
import { createMemoryLedger } from "../../../src/runtime/ledger/memory-store.js";
import { createRuntime } from "../../../src/runtime/runtime.js";
import { exampleTool, type Result, succeed } from "../../runtime/example-tool.js";
import { policyOf } from "../../runtime/governance/governed.js";

const failed = async () => ({
  // The example's results are a few of those that a tool may have.
  result: { status: "error", error: "no" } as unknown as Result,
  outcome: "unknown" as const,
});

/** A call that was made, one that was denied, and one that nobody knows of. */
async function sample() {
  const store = createMemoryLedger();
  const limits = { callsPerMinute: 9 };
  const policy = policyOf({ scopes: ["orders.write"], idempotency: "keyed", limits });
  const runtime = createRuntime({
    ledger: store,
    env: {},
    inherit: false,
    governance: governance({ policy }),
  });
  const scopes = ["orders.write"];
  const ada = { tenant: "acme", subject: "ada", origin: "llm" } as const;
  await callTool(exampleTool(succeed), { id: "made" }, { runtime, caller: { ...ada, scopes } });
  const eve = { tenant: "other", subject: "eve" };
  await callTool(exampleTool(succeed), { id: "denied" }, { runtime, caller: eve }).catch(() => {});
  await callTool(
    exampleTool(failed),
    { id: "unknown" },
    { runtime, caller: { ...ada, scopes }, idempotencyKey: "k" },
  );
  return { store, where: "here", color: false, width: 160, json: false };
}

function textOf(output: CommandOutput): string {
  return "text" in output ? stripVTControlCharacters(output.text) : JSON.stringify(output);
}

function jsonOf(output: CommandOutput): unknown {
  return "json" in output ? output.json : undefined;
}

describe("skillc ledger, of governed calls", () => {
  test("lists who made them, and those that were denied", async () => {
    const options = await sample();
    const text = textOf(await ledgerList(options));
    expect(text).toContain("ada of acme");
    expect(text).toContain("eve of other");
    expect(text).toMatch(/denied\s+\S+ .*AUTH\.FORBIDDEN/);
  });

  test.each([
    [{ status: "denied" }, ["denied"]],
    [{ tenant: "acme" }, ["unknown", "made"]],
    [{ subject: "eve" }, ["denied"]],
    [{ tenant: "acme", status: "unknown" }, ["unknown"]],
    [{ tenant: "other", subject: "ada" }, []],
  ])("lists by %o as JSON", async (filter, ids) => {
    const found = jsonOf(await ledgerList({ ...(await sample()), json: true, ...filter }));
    const { calls } = found as { calls: readonly { parameters: { id: string } }[] };
    expect(calls.map(({ parameters }) => parameters.id)).toEqual(ids);
  });

  test("lists the known tenants if no call matches", async () => {
    const { notes } = await ledgerList({ ...(await sample()), tenant: "acmee", subject: "bob" });
    expect(notes).toEqual([
      "no call was for the tenant `acmee`; the ledger has `acme`, `other`",
      "no call was made by `bob`; the ledger has `ada`, `eve`",
    ]);
  });

  test("leaves callers out on a narrow console", async () => {
    const text = textOf(await ledgerList({ ...(await sample()), width: 80 }));
    expect(text).not.toContain("ada of acme");
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test("shows what decided, what was spent, and for whom", async () => {
    const options = await sample();
    const [made, , denied] = options.store.records;
    const shown = textOf(await ledgerShow({ ...options, id: made?.id ?? "" }));
    expect(shown).toMatch(/caller +ada, tenant acme, origin llm/);
    expect(shown).toMatch(/decided by +implicit-permit/);
    expect(shown).toMatch(/policy +p1/);
    expect(shown).toMatch(/spent +1 of calls_per_minute of tenant acme, desk\/do-it/);
    const refused = textOf(await ledgerShow({ ...options, id: denied?.id ?? "" }));
    expect(refused).toMatch(/^desk\/do-it {2}denied/);
    expect(refused).toMatch(/decided by +scopes/);
  });

  test("shows an answer without an outcome as unknown, and settles it", async () => {
    const options = await sample();
    const unknown = options.store.records.at(-1);
    const which = { ...options, id: unknown?.id ?? "" };
    expect(textOf(await ledgerShow(which))).toContain("unknown: the answer doesn't say");
    const settled = { as: "not-done", because: "the shop's list", correct: false } as const;
    expect(textOf(await ledgerSettle({ ...which, ...settled, ...noRuns }))).toContain(
      "settled-not-done",
    );
  });

  test("reports what denied calls, and for whom they were", async () => {
    const options = await sample();
    const json = jsonOf(await ledgerReport({ ...options, format: "json" }));
    expect(json).toMatchObject([
      {
        active: { calls: 3, deniedBy: [{ value: "scopes", count: 1 }] },
        findings: expect.arrayContaining([
          { level: "look", message: "1 active call denied, by scopes (1)" },
        ]),
      },
    ]);
    const acme = jsonOf(await ledgerReport({ ...options, format: "json", tenant: "acme" }));
    expect(acme).toMatchObject([{ active: { calls: 2 } }]);
    expect(JSON.stringify(acme)).not.toContain("deniedBy");
  });
});
