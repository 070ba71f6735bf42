/** The request in the record of a call that governance refuses. */
import { createHash } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import {
  credential,
  filePart,
  http,
  multipart,
  segment,
  text,
} from "../../../src/bindings/http/execute.js";
import { json } from "../../../src/bindings/queue/execute.js";
import { kafka } from "../../../src/bindings/queue/providers/kafka/runtime.js";
import { query } from "../../../src/bindings/sql/execute.js";
import { sql } from "../../../src/bindings/sql/runtime.js";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import { createMemoryLedger } from "../../../src/runtime/ledger/memory-store.js";
import { createRuntime, type RuntimeOptions } from "../../../src/runtime/runtime.js";
import { governance } from "../../../src/runtime/governance/index.js";
import type { GovernedTool } from "../../../src/runtime/governance/policy.js";
import type { Binding } from "../../../src/runtime/call/binding.js";
import { type Contract, exampleTool, type Params, type Result, succeed } from "../example-tool.js";
import { policyOf } from "./governed.js";

const bindings: Readonly<Record<string, Binding<never, Result>>> = {
  http: http<Params, unknown, Result>({
    method: "POST",
    request: (p) => ({
      url: [credential("URL"), "/orders/", segment("/id", p.id)],
      headers: [["authorization", text("Bearer ", credential("TOKEN"))]],
      body: { id: p.id, limit: p.limit },
    }),
  }),
  sql: query<unknown, Params, unknown, Result>({
    connection: "DB",
    effect: "write",
    build: (_, p) => sql`INSERT INTO orders VALUES (${p.id}, ${p.limit})`,
    tables: { writes: ["public.orders"] },
    parameters: ["text", "int4"],
    columns: {},
    rows: "none",
  }),
  queue: kafka<Params, object>({
    connection: "EVENTS",
    publish: (p) => ({ target: { topic: "orders" }, message: { id: p.id, limit: p.limit } }),
    encode: json(),
  }),
};

interface Setting {
  readonly governed?: Partial<GovernedTool>;
  readonly handlers?: RuntimeOptions["handlers"];
  readonly params?: Params;
  readonly mode?: "active" | "shadow";
}

/** Makes a call that nobody answers, and gives its end record and the settings that were asked for. */
async function record(tool: Contract, { governed, handlers, mode, params }: Setting) {
  const ledger = createMemoryLedger();
  const asked: string[] = [];
  const setting = (name: string) => () => {
    asked.push(name);
    return `https://${name.toLowerCase()}.example`;
  };
  const names = ["URL", "TOKEN", "DB", "EVENTS"];
  const runtime = createRuntime({
    ledger,
    env: {},
    inherit: false,
    credentials: Object.fromEntries(names.map((name) => [name, setting(name)])),
    ...(handlers && { handlers }),
    governance: governance({ policy: policyOf(governed) }),
  });
  await callTool(tool, params ?? { id: "the-id", limit: 7 }, {
    runtime,
    mode: mode ?? "active",
  }).catch(() => undefined);
  const end = ledger.records.at(-1);
  if (end?.type !== "end") throw new Error("no end record");
  const request: unknown = JSON.parse(
    (JSON.stringify(end.request) ?? "null").replaceAll(end.id, "CALL"),
  );
  return { asked, request, status: end.status };
}

const denied = { scopes: ["orders.write"] };
const capabilities = [
  "net.http:* ${URL}",
  "sql:write ${DB}",
  "queue:send kafka orders",
  "handler:call desk/do-it",
];
const allowed = { capabilities };

describe("a refused call of", () => {
  const handlers = { "desk/do-it": () => ({ ok: true }) };
  const kinds = [
    ...Object.entries(bindings).map(([kind, binding]) => ({ kind, binding, served: {} })),
    { kind: "handler", binding: undefined, served: { handlers } },
  ];

  describe.each(kinds)("$kind", ({ binding, served }) => {
    // The tool's parameters are those that the binding takes.
    const own = binding && { binding: binding as unknown as Contract["binding"] };

    test.each([
      ["plain", {}, "the-id"],
      ["masked", { maskedParams: [["id"]] }, "***"],
    ])("records the request as shadow mode does, with %s parameters", async (_, masked, shown) => {
      const tool = exampleTool(succeed, { ...own, ...masked });
      const shadow = await record(tool, { ...served, governed: allowed, mode: "shadow" });
      expect(shadow).toMatchObject({ status: "shadow", request: expect.any(Object) });
      const refused = await record(tool, { ...served, governed: denied });
      expect(refused).toEqual({ status: "denied", request: shadow.request, asked: [] });
      expect(JSON.stringify(refused.request).replaceAll("%2A", "*")).toContain(shown);
    });

    test("records the request if the policy doesn't know the tool, and if the guard refuses it", async () => {
      const tool = exampleTool(succeed, { ...own });
      const shadow = await record(tool, { ...served, governed: allowed, mode: "shadow" });
      expect(shadow.request).toBeInstanceOf(Object);
      const unknown = await record(tool, { ...served, governed: { manifest: "other" } });
      expect(unknown).toEqual({ status: "denied", request: shadow.request, asked: [] });
      if (binding === undefined) return;
      const guarded = await record(tool, { ...served, governed: { capabilities: [] } });
      expect(guarded).toMatchObject({ status: "denied", request: shadow.request });
    });
  });

  test("a tool with a file records what is known of the file, and reads nothing", async () => {
    const binding = http<Params & { readonly scan: unknown }, unknown, Result>({
      method: "POST",
      request: (p) => ({
        url: ["https://a.example/scans"],
        body: multipart([filePart("scan", p.scan)]),
      }),
    });
    const tool = exampleTool(succeed, {
      binding: binding as Contract["binding"],
      files: { at: [["scan"]], folders: ["data"] },
    });
    const scan = { path: "data/not-there.png", type: "image/png" };
    const { request, status } = await record(tool, {
      governed: denied,
      params: { id: "a", scan } as Params,
    });
    expect(status).toBe("denied");
    expect(request).toMatchObject({
      body: { scan: { name: "not-there.png", type: "image/png" } },
    });
    expect(JSON.stringify(request)).not.toMatch(/data\/|sha256|size/);
  });
});

describe("the record of a refused call", () => {
  test("a refused call with a request of more than 64 KiB records its size and digest", async () => {
    const tool = exampleTool(succeed);
    const requestOf = async (id: string) =>
      (await record(tool, { governed: denied, params: { id } })).request;
    const around = JSON.stringify({ id: "", limit: null }).length;
    const longest = "x".repeat(64 * 1024 - around);
    expect(await requestOf(longest)).toEqual({ id: longest, limit: null });
    const long = JSON.stringify({ id: `${longest}x`, limit: null });
    const sha256 = createHash("sha256").update(long).digest("hex");
    const omitted = { omitted: "too-large", bytes: 64 * 1024 + 1, sha256 };
    expect(await requestOf(`${longest}x`)).toEqual(omitted);
  });

  test("a refused call whose request can't be built is recorded without it", async () => {
    const broken = exampleTool(succeed, {
      binding: {
        kind: "example",
        prepare: () => {
          throw new Error("no request");
        },
      },
    });
    const none = { request: null, status: "denied" };
    expect(await record(broken, { governed: denied })).toMatchObject(none);
    const misfit = { governed: { manifest: "other" }, params: { id: 7 } as never };
    expect(await record(exampleTool(succeed), misfit)).toMatchObject(none);
  });

  test("a call that was answered, or that failed otherwise, records no request", async () => {
    const send = vi.fn(succeed);
    const tool = exampleTool(send, { effect: "read" });
    expect(await record(tool, {})).toMatchObject({ request: null, status: "success" });
    const failed = exampleTool(() => Promise.reject(new Error("lost")), { effect: "read" });
    expect(await record(failed, {})).toMatchObject({ request: null, status: "failed" });
  });
});
