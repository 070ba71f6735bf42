/** Answers that don't fit their schema, with the option to return them anyway. */
import { describe, expect, test } from "vitest";
import type { HttpContract } from "../../../src/bindings/http/contract.js";
import { credential, http } from "../../../src/bindings/http/execute.js";
import { ndjson } from "../../../src/bindings/http/send/streams.js";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import { isToolError } from "../../../src/runtime/errors.js";
import { createMemoryStore, governance } from "../../../src/runtime/governance/index.js";
import type { Obligation } from "../../../src/runtime/governance/policy.js";
import { createMemoryLedger } from "../../../src/runtime/ledger/memory-store.js";
import type { EndRecord } from "../../../src/runtime/ledger/record.js";
import { parseRecord } from "../../../src/runtime/ledger/chain/chain-record.js";
import { createRuntime, type RuntimeOptions } from "../../../src/runtime/runtime.js";
import type { ToolContract } from "../../../src/runtime/tool.js";
import type { Validator } from "../../../src/runtime/validation/validation.js";
import { type Answer, failure, serve } from "../../bindings/http/execute/support.js";
import { policyOf } from "../governance/governed.js";

/** Takes objects whose `id` is a text. */
const hasId: Validator<object> = Object.assign(
  (value: unknown): value is object => {
    const id = (value as { readonly id?: unknown } | null)?.id;
    hasId.errors =
      typeof id === "string"
        ? null
        : id === undefined
          ? [{ instancePath: "", keyword: "required", params: { missingProperty: "id" } }]
          : [{ instancePath: "/id", keyword: "type", params: { type: "string" } }];
    return hasId.errors === null;
  },
  { errors: null },
);

const anything: Validator<object> = Object.assign((_value: unknown): _value is object => true, {
  errors: null,
});

type Tool = Partial<ToolContract<object, object, Answer>>;
type Http = Partial<HttpContract<object, never>>;

/** Calls a tool of a service that gives this answer. */
async function calling(
  [status, body]: readonly [number, string],
  { runtime: options, ...tool }: Tool & { readonly runtime?: RuntimeOptions } = {},
  contract: Http = { response: hasId as Validator<never> },
) {
  const server = await serve((response) =>
    response.writeHead(status, { "content-type": "application/json" }).end(body),
  );
  const ledger = createMemoryLedger();
  const credentials = { URL: server.url };
  const runtime = createRuntime({
    inherit: false,
    misfits: "report",
    ...options,
    credentials,
    ledger,
  });
  const made: ToolContract<object, object, Answer> = {
    skill: "desk",
    name: "do-it",
    version: { skill: "s", binding: "b", manifest: "t1" },
    effect: "read",
    mode: "active",
    timeoutMs: 5000,
    retry: { maxAttempts: 1, backoffMs: 1, backoffMultiplier: 1 },
    params: anything,
    binding: http<object, never, Answer>({
      method: "POST",
      request: () => ({ url: [credential("URL")] }),
      ...contract,
    }),
    ...tool,
  };
  const call = (more: object = {}) => callTool(made, {}, { runtime, ...more });
  return { call, ledger, record: () => ledger.records.at(-1) as EndRecord };
}

const odd = '{"id":7,"name":"Ada"}';

describe("an answer that doesn't fit its schema", () => {
  test("an answer is rejected by default, with the status that the service answered", async () => {
    const write = { effect: "write", runtime: { misfits: "refuse" } } as const;
    const response = await calling([201, odd], write);
    const result = await calling([201, odd], { ...write, returns: hasId }, {});
    for (const [{ call, record }, subject] of [
      [response, "response"],
      [result, "result"],
    ] as const) {
      const error = await failure(call());
      expect(error).toMatchObject({ failure: { subject }, outcome: "unknown" });
      expect(error.message).toMatch(
        /^the service answered 201, and .* doesn't fit its schema: \/id/,
      );
      expect(record()).toMatchObject({ status: "unknown", result: null });
      expect(record()).not.toHaveProperty("misfits");
    }
  });

  test("an answer is returned unchanged if the application asks for it, and the ledger has the places that differ without their values", async () => {
    for (const [tool, contract, subject] of [
      [{}, undefined, "response"],
      [{ returns: hasId }, {}, "result"],
    ] as const) {
      const { call, record } = await calling([201, odd], { effect: "write", ...tool }, contract);
      expect(await call()).toEqual({ status: "success", data: { id: 7, name: "Ada" } });
      expect(record()).toMatchObject({
        status: "success",
        result: '{"status":"success"}',
        error: null,
        misfits: [
          {
            subject,
            pointer: "/id",
            keyword: "type",
            message: "must be a string, not a number",
          },
        ],
      });
      expect(JSON.stringify(record())).not.toContain("Ada");
    }
  });

  test("leaves a record that passes the ledger's verification", async () => {
    const { call, ledger } = await calling([200, odd]);
    await call();
    expect(await ledger.verify()).toMatchObject({ problems: [] });
    const record = ledger.records.at(-1);
    expect(parseRecord(JSON.stringify(record))).toEqual(record);
    expect(parseRecord(JSON.stringify({ ...record, misfits: [{ pointer: 7 }] }))).toBeUndefined();
  });

  test("an answer is recorded without the differing places if a part of the answer is masked", async () => {
    const { call, record } = await calling([200, odd], { maskedResult: [["token"]] });
    await call();
    expect(record().misfits).toMatchObject([{ pointer: "***", keyword: "type" }]);
  });

  test("an answer is rejected if the tool's data can't be found in it", async () => {
    const find = (body: never) => (body as { a: { b: unknown } }).a.b;
    const nothing = (body: never) => (body as { a: unknown }).a;
    for (const data of [find, nothing]) {
      const { call } = await calling([200, odd], {}, { response: hasId as Validator<never>, data });
      expect(await failure(call())).toMatchObject({
        failure: { code: "SCHEMA.VALIDATION_FAILED", subject: "response" },
      });
    }
  });

  test("an answer is rejected if it is not JSON", async () => {
    const { call } = await calling([200, "{"]);
    expect(await failure(call())).toMatchObject({ code: "PROVIDER.PROTOCOL" });
  });

  test("an answer is rejected if a handler of the application gave it", async () => {
    const handlers = { "desk/do-it": () => ({ id: 7 }) };
    const { call } = await calling([200, odd], { returns: hasId, runtime: { handlers } });
    expect(await failure(call())).toMatchObject({ code: "SCHEMA.VALIDATION_FAILED" });
  });

  test("can only be set to `refuse` or `report`", () => {
    expect(() => createRuntime({ misfits: "accept" as never })).toThrow(
      '`misfits` must be "refuse" or "report"',
    );
  });
});

test("an item of a stream that doesn't fit is returned, and the record of the stream lists it", async () => {
  const lines = '{"id":"a"}\n{"id":7}\n{"id":"b"}\n';
  const { call, record } = await calling(
    [200, lines],
    {},
    { response: hasId as Validator<never>, content: ndjson({}) },
  );
  const { data } = (await call()) as Answer & { readonly data: AsyncIterable<unknown> };
  const items: unknown[] = [];
  for await (const each of data) items.push(each);
  expect(items).toEqual([{ id: "a" }, { id: 7 }, { id: "b" }]);
  expect(record()).toMatchObject({ misfits: [{ pointer: "/id" }] });
  expect(record().result).toContain('"items":3');
});

describe("a page that doesn't fit", () => {
  const paged = (body: object, paginate: NonNullable<Http["paginate"]>) =>
    calling([200, JSON.stringify(body)], {}, { response: hasId as Validator<never>, paginate });
  const at = (body: never) => (body as { next?: unknown }).next;
  const more = (body: never) => (body as { more?: unknown }).more;

  test("a page has the next page if it contains a cursor", async () => {
    const cursor = { by: "cursor", at, asked: "cursor" } as const;
    const { call } = await paged({ id: 7, next: "b" }, cursor);
    expect(await call()).toMatchObject({ status: "success", next: expect.any(String) });
    expect(await (await paged({ id: 7, next: null }, cursor)).call()).toMatchObject({ next: null });
  });

  test("a page is rejected if the differing part may decide where the pages end", async () => {
    const cursor = { by: "cursor", at, asked: "cursor" } as const;
    for (const { call } of [
      await paged({ items: [] }, cursor),
      await paged({ id: 7, more: "true", next: "b" }, { ...cursor, more }),
      await paged({ id: 7 }, { by: "page", parameter: "page", items: ["list"], asked: "page" }),
      await calling(
        [200, '{"items":[]}'],
        { returns: hasId as Validator<never> },
        { paginate: cursor },
      ),
    ]) {
      const error: unknown = await failure(call());
      expect(isToolError(error)).toBe(true);
    }
  });
});

test("the last of counted pages is returned, wherever it differs from its schema", async () => {
  const paginate = { by: "page", parameter: "page", items: ["list"], asked: "page" } as const;
  const { call } = await calling(
    [200, '{"id":7,"list":[]}'],
    {},
    {
      response: hasId as Validator<never>,
      paginate,
    },
  );
  expect(await call()).toMatchObject({ status: "success", next: null });
});

describe("a governed answer that doesn't fit its schema", () => {
  const governed = (obligations: readonly Obligation[], keyed = false) => {
    const tool = keyed ? ({ idempotency: "keyed" } as const) : ({ effect: "read" } as const);
    const capabilities = ["net.http:post ${URL}"];
    const policy = policyOf({ ...tool, capabilities }, { obligations });
    return { governance: governance({ policy, store: createMemoryStore() }) };
  };
  const obligation = (action: Obligation["action"]): Obligation => ({
    name: "hide",
    tools: ["desk/do-it"],
    unless: [],
    action,
  });

  test("a governed answer is rejected if an obligation changes the data", async () => {
    const runtime = governed([obligation({ do: "mask", at: ["name"] })]);
    const { call, record } = await calling([200, odd], { runtime });
    expect(await failure(call())).toMatchObject({ code: "SCHEMA.VALIDATION_FAILED" });
    expect(JSON.stringify(record())).not.toContain("Ada");
    const stream = await calling(
      [200, `${odd}\n`],
      { runtime },
      { response: hasId as Validator<never>, content: ndjson({}) },
    );
    const { data } = (await stream.call()) as Answer & { readonly data: AsyncIterator<unknown> };
    expect(await failure(data.next() as Promise<never>)).toMatchObject({
      code: "SCHEMA.VALIDATION_FAILED",
    });
  });

  test("a governed answer is returned with a watermark", async () => {
    const runtime = governed([obligation({ do: "watermark", text: "internal" })]);
    const { call } = await calling([200, odd], { runtime });
    expect(await call()).toMatchObject({ data: { id: 7 }, watermark: "internal" });
  });

  test("a governed answer is not kept for a call with the same key", async () => {
    const runtime = governed([], true);
    const { call } = await calling([200, odd], { effect: "write", runtime });
    expect(await call({ idempotencyKey: "k" })).toMatchObject({ data: { id: 7 } });
    expect(await failure(call({ idempotencyKey: "k" }))).toMatchObject({
      failure: { code: "IDEMPOTENCY.REFUSED", reason: "answer-not-kept" },
    });
  });
});
