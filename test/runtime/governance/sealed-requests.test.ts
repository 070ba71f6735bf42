/** Whole requests for approvers, encrypted in the ledger. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { credential, http, text } from "../../../src/bindings/http/execute.js";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import { isToolError } from "../../../src/runtime/errors.js";
import { createMemoryStore, governance } from "../../../src/runtime/governance/index.js";
import { queryStore } from "../../../src/runtime/ledger/query.js";
import type { LedgerStore } from "../../../src/runtime/ledger/store.js";
import { createRuntime, type RuntimeOptions } from "../../../src/runtime/runtime.js";
import { type Contract, exampleTool, type Params, type Result, succeed } from "../example-tool.js";
import { policyOf } from "./governed.js";

const key = Buffer.alloc(32, 7);
const caller = { tenant: "acme", subject: "ada" };
const masked = exampleTool(succeed, { maskedParams: [["id"]] });

function folder(): string {
  const directory = mkdtempSync(join(tmpdir(), "skillc-sealed-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

interface Setting {
  readonly tool?: Contract;
  readonly params?: Params;
  readonly hasKey?: boolean;
  readonly runtime?: RuntimeOptions;
}

/** Makes a call that needs an approval. */
async function ask({
  hasKey = true,
  params = { id: "4711" },
  tool = masked,
  ...given
}: Setting = {}) {
  const store = createMemoryStore();
  const policy = policyOf({ approval: { conditional: false, ttlMs: 60_000 } });
  const runtime = createRuntime({
    directory: folder(),
    env: {},
    inherit: false,
    governance: governance({ policy, store, ...(hasKey ? { key } : {}) }),
    ...given.runtime,
  });
  onTestFinished(() => runtime.close());
  const make = () =>
    callTool(tool, params, { runtime, caller }).catch((error: unknown) => {
      if (!isToolError(error, "AUTH.APPROVAL_REQUIRED")) throw error;
    });
  await make();
  const [request] = await store.requests({});
  if (request === undefined) throw new Error("the call left no request");
  const open = (ledger?: LedgerStore, other = key) =>
    ledger === undefined
      ? runtime.openRequest(request)
      : governance({ policy, store, key: other }).openRequest(request, ledger);
  return { make, open, request, runtime, store };
}

describe("the whole request of a call that needs an approval", () => {
  test("the ledger keeps the whole request encrypted if the shown one has masked values", async () => {
    const { open, request, runtime } = await ask();
    expect(request.details?.request).toEqual({ id: "***", limit: null });
    expect(await open()).toEqual({ id: "4711", limit: null });
    const bytes = await runtime.ledger.attachments?.readBytes?.(
      request.details?.sealed as never, // the request was kept
    );
    expect(Buffer.from(bytes ?? []).includes("4711")).toBe(false);
  });

  test("the ledger keeps the whole request encrypted if the shown one is too long", async () => {
    const id = "x".repeat(100_000);
    const { open, request } = await ask({ tool: exampleTool(succeed), params: { id } });
    expect(request.details?.request).toMatchObject({ omitted: "too-large" });
    expect(await open()).toEqual({ id, limit: null });
  });

  test("the shown request is the whole one if it hides nothing, also without a key", async () => {
    const { open, request } = await ask({ tool: exampleTool(succeed), hasKey: false });
    expect(request.details).not.toHaveProperty("sealed");
    expect(await open()).toEqual({ id: "4711", limit: null });
  });

  test("the whole request has names in place of credentials, and no value of a credential", async () => {
    const tool = exampleTool(succeed, {
      maskedParams: [["id"]],
      binding: http<Params, unknown, Result>({
        method: "POST",
        request: (p) => ({
          url: [credential("URL"), "/orders"],
          headers: [["authorization", text("Bearer ", credential("TOKEN"))]],
          body: { id: p.id, note: "letmein-letmein" },
        }),
      }),
    });
    const credentials = { URL: "https://orders.example", TOKEN: "letmein-letmein" };
    const { open } = await ask({ tool, runtime: { credentials } });
    const whole = JSON.stringify(await open());
    expect(whole).toContain("4711");
    expect(whole).toContain("${TOKEN}");
    expect(whole).not.toContain("letmein-letmein");
  });

  test("the ledger verifies the whole request as an attachment of the denied call's record", async () => {
    const { request, runtime } = await ask();
    for await (const call of queryStore(runtime.ledger))
      expect(call).toMatchObject({
        id: request.details?.call,
        attachments: [{ name: "approval request", ...request.details?.sealed }],
      });
    const { attachments } = await runtime.ledger.verify();
    expect(attachments.intact).toBe(1);
  });

  test("the ledger keeps one whole request while equal calls wait for the same decision", async () => {
    const { make, runtime } = await ask();
    await make();
    const kept = [];
    for await (const { attachments = [] } of queryStore(runtime.ledger))
      kept.push(attachments.length);
    expect(kept.toSorted()).toEqual([0, 1]);
  });

  test("another key, or another ledger, does not open the whole request", async () => {
    const { open, runtime } = await ask();
    await expect(open(runtime.ledger, Buffer.alloc(32, 8))).rejects.toThrow(
      "encrypted with another `key`",
    );
    const other = createRuntime({ directory: folder() });
    onTestFinished(() => other.close());
    await expect(open(other.ledger)).rejects.toThrow("not in this ledger");
  });

  test.each<[omitted: string, setting: Setting, message: string]>([
    ["no-key", { hasKey: false }, "has no `key`"],
    ["no-ledger", { runtime: { ledger: false } }, "no ledger that keeps attachments"],
    ["too-large", { params: { id: "x".repeat(5_000_000) } }, "more than 4 MiB"],
  ])(
    "the stored request says why the ledger has no whole one: %s",
    async (omitted, setting, message) => {
      const { open, request } = await ask(setting);
      expect(request.details?.sealed).toEqual({ bytes: expect.any(Number), omitted });
      await expect(open()).rejects.toThrow(message);
    },
  );
});
