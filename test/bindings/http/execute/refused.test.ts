import { describe, expect, test } from "vitest";
import type { HttpRequest } from "../../../../src/bindings/http/contract.js";
import { credential, http, text } from "../../../../src/bindings/http/execute.js";
import { callTool } from "../../../../src/runtime/call/call-tool.js";
import { createRuntime } from "../../../../src/runtime/runtime.js";
import type { AnyResult } from "../../../../src/runtime/result.js";

interface Values {
  readonly a?: unknown;
  readonly b?: unknown;
}

/** The error of a call with these parameters, which is rejected before a request is sent. */
function refusal(request: (p: never) => Omit<HttpRequest, "url">, params: Values) {
  const fits = () => true;
  const tool = {
    skill: "desk",
    name: "put",
    version: { skill: "1", binding: "1", manifest: "t1" },
    effect: "write",
    idempotent: false,
    mode: "active",
    timeoutMs: 1000,
    retries: { attempts: 1, backoffMs: 1 },
    params: fits,
    binding: http<Values, unknown, AnyResult>({
      method: "POST",
      request: (p) => ({ url: ["http://127.0.0.1:9/"], ...request(p as never) }),
      maxResponseBytes: 100,
      statuses: {},
    }),
  } as const;
  const runtime = createRuntime({ ledger: false, inherit: false });
  return callTool<Values, Values, AnyResult>(tool as never, params, { runtime }).catch(
    (error: unknown) => error,
  );
}

describe("value that the binding can't place", () => {
  const all = (p: Values) => ({ body: { x: p.a, y: p.b } });
  test("rejects a bigint deep in a body by its pointer", async () => {
    expect(await refusal(all, { b: { list: [1, 10n] } })).toMatchObject({
      failure: {
        code: "SCHEMA.VALIDATION_FAILED",
        problems: [{ pointer: "/b/list/1", keyword: "json" }],
      },
    });
  });

  test.each<[what: string, request: (p: { a: string; b: string }) => Omit<HttpRequest, "url">]>([
    ["a header", (p) => ({ headers: [["X-A", p.a]] })],
    ["a part of a header", (p) => ({ headers: [["X-A", text("v ", p.a)]] })],
  ])("rejects a line break in %s by its pointer", async (_, request) => {
    expect(await refusal(request, { a: "x\r\ny", b: "fine" })).toMatchObject({
      failure: {
        code: "SCHEMA.VALIDATION_FAILED",
        problems: [{ pointer: "/a", keyword: "header-value" }],
      },
    });
  });

  test.each<[what: string, request: (p: { a: string; b: string }) => Omit<HttpRequest, "url">]>([
    ["a header", (p) => ({ headers: [["X-A", p.a]] })],
    ["the end of a header", (p) => ({ headers: [["X-A", text("v ", p.a)]] })],
    [
      "the end of a header with a credential",
      (p) => ({ headers: [["X-A", text(credential("T"), p.a)]] }),
    ],
  ])(
    "rejects a value with a blank around it in %s, because receivers strip the blank",
    async (_, request) => {
      expect(await refusal(request, { a: "mallory ", b: "fine" })).toMatchObject({
        failure: { problems: [{ pointer: "/a", keyword: "header-value" }] },
      });
    },
  );

  test("rejects a lone surrogate in a query by its pointer", async () => {
    const request = (p: { a: string[] }) => ({ query: [["q", p.a]] as const });
    expect(await refusal(request, { a: ["fine", "\ud800"] })).toMatchObject({
      failure: { problems: [{ pointer: "/a/1", keyword: "query-value" }] },
    });
  });
});
