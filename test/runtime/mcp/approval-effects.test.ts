/** Approvals of what a command would change, in the form of a client. */
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMcpServer } from "@skillc/runtime/mcp";
import { expect, onTestFinished, test } from "vitest";
import { apiBuilder } from "../../../examples/demo/api-builder.js";
import { catalog, createRuntime, tools } from "../../../generated/index.js";
import { policy } from "../../../generated/policy.js";
import { governance } from "../../../src/runtime/governance/index.js";
import { absenceOf, describeUnless } from "../../support/service.js";
import { overlays } from "../../bindings/command/run/layers/support.js";
import { call } from "./approval-desk.js";
import { connectClient } from "./clients.js";

const cleanUp = "repo-maintenance__clean-up";
const args = { folder: ".", pattern: "*.tmp" };

/** Serves the example that removes files, in a folder of its own. */
function serve() {
  const directory = mkdtempSync(join(tmpdir(), "skillc-mcp-"));
  mkdirSync(join(directory, "workspace"));
  const put = (name: string, text = "x") => writeFileSync(join(directory, "workspace", name), text);
  for (const name of ["a.tmp", "b.tmp", "keep.txt"]) put(name);
  const tool = policy.tools["repo-maintenance/clean-up"];
  const approval = { conditional: false, ttlMs: 3_600_000, by: "person" } as const;
  const asking = {
    ...policy,
    tools: { ...policy.tools, "repo-maintenance/clean-up": { ...tool, approval } },
  };
  const runtime = createRuntime({
    directory,
    inherit: false,
    env: { PATH: process.env["PATH"] ?? "" },
    ledger: false,
    governance: governance({ policy: asking }),
    credentials: {},
    handlers: { ...apiBuilder, "order-desk/quote-shipping": () => ({ price: 1, currency: "EUR" }) },
  });
  const mcp = { version: 1, tools: {}, skills: [] } as const;
  const caller = { subject: "ada" };
  const server = createMcpServer({ mcp, catalog, tools, runtime, caller });
  onTestFinished(() => server.close());
  const has = (name: string) => existsSync(join(directory, "workspace", name));
  return { has, put, runtime, server };
}

describeUnless(await absenceOf(overlays), "approvals of effects in a client", () => {
  test.each(["2026-07-28", "2025-11-25"] as const)(
    "the form shows every deletion, and a yes makes exactly these, in %s",
    async (era) => {
      const { has, put, server } = serve();
      const forms: string[] = [];
      const client = await connectClient(server, {
        era,
        way: "stdio",
        elicit: ({ message }) => {
          forms.push(message);
          expect([has("a.tmp"), has("b.tmp")]).toEqual([true, true]);
          put("late.tmp");
          return { action: "accept", content: { approve: true } };
        },
      });
      expect(await call(client, args, cleanUp)).toMatchObject({ status: "success" });
      expect(forms).toHaveLength(1);
      expect(forms[0]).toContain("effects: 0 created, 0 changed, 2 deleted");
      expect(forms[0]).toContain('deleted "workspace/a.tmp"');
      expect(forms[0]).toContain('deleted "workspace/b.tmp"');
      expect(forms[0]).toMatch(/digest of the effects: [\da-f]{64}/);
      expect(["a.tmp", "b.tmp", "keep.txt", "late.tmp"].map(has)).toEqual([
        false,
        false,
        true,
        true,
      ]);
    },
  );

  test("a yes to effects that are no longer possible changes nothing", async () => {
    const { has, put, server } = serve();
    const client = await connectClient(server, {
      era: "2026-07-28",
      way: "stdio",
      elicit: () => {
        put("a.tmp", "changed");
        return { action: "accept", content: { approve: true } };
      },
    });
    expect(await call(client, args, cleanUp)).toMatchObject({ isError: true });
    expect([has("a.tmp"), has("b.tmp")]).toEqual([true, true]);
  });

  test("a no changes nothing", async () => {
    const { has, server } = serve();
    const client = await connectClient(server, {
      era: "2026-07-28",
      way: "stdio",
      elicit: () => ({ action: "decline" }),
    });
    expect(await call(client, args, cleanUp)).toMatchObject({ isError: true });
    expect([has("a.tmp"), has("b.tmp")]).toEqual([true, true]);
  });
});
