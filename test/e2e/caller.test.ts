/** Values of the caller on their way from `withCaller` to servers, brokers and PostgreSQL. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMemoryLedger } from "../../src/runtime/ledger/memory-store.js";
import {
  type Caller,
  isToolError,
  resultForModel,
  shutdown,
  type ToolError,
  withCaller,
} from "../../src/runtime/index.js";
import { serve } from "../bindings/http/execute/support.js";
import { catalog, createRuntime } from "../cases/caller/generated/index.js";
import {
  accountName,
  addOrder,
  announce,
  beat,
  countOrders,
  findOrder,
  listTotals,
  placeOrder,
  readFile,
  whoami,
} from "../cases/caller/generated/tenant-desk/index.js";
import { createDatabase, type OwnDatabase, postgresService } from "../support/postgres.js";
import { absenceOf, describeUnless } from "../support/service.js";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const anna: Caller = { tenant: "acme", subject: "anna", origin: "api", trace: "t-1" };

/** A runtime whose service answers with nothing in particular. */
async function desk(credentials: Readonly<Record<string, string>> = {}) {
  const service = await serve((response) => void response.end("{}"));
  const ledger = createMemoryLedger();
  const runtime = createRuntime({
    credentials: { FILES_URL: service.url, FILES_TOKEN: "sesame-4711", ...credentials },
    inherit: false,
    ledger,
  });
  return { ledger, runtime, service };
}

async function refusal(call: Promise<unknown>): Promise<ToolError> {
  try {
    await call;
  } catch (error) {
    if (isToolError(error)) return error;
    throw error;
  }
  throw new Error("the call was not refused");
}

afterAll(() => shutdown());

describe("a call without the caller that its tool needs", () => {
  test("fails before anything is sent, with the missing fields", async () => {
    const { runtime, service } = await desk({
      ALIVE: "redis://127.0.0.1:1",
      EVENTS: "kafka://127.0.0.1:1",
      SHOP_URL: "postgres://127.0.0.1:1/x",
    });
    const calls: Readonly<Record<string, () => Promise<unknown>>> = {
      "tenant subject origin trace": () => readFile({ path: "a" }, { runtime }),
      subject: () => whoami({}, { runtime }),
      "tenant subject origin": () => placeOrder({ sku: "lamp" }, { runtime }),
      tenant: () => beat({}, { runtime }),
    };
    for (const [fields, call] of Object.entries(calls)) {
      const { failure, outcome } = await refusal(call());
      expect(failure).toEqual({ code: "AUTH.CALLER_MISSING", fields: fields.split(" ") });
      expect(outcome).toBe("not-done");
    }
    expect(service.received).toEqual([]);
  });

  test("fails if only the settings of skillc.yaml need the caller", async () => {
    const { runtime } = await desk({ SHOP_URL: "postgres://127.0.0.1:1/x" });
    const { failure } = await refusal(
      withCaller({ subject: "anna", origin: "api" }, () => listTotals({}, { runtime })),
    );
    expect(failure).toEqual({ code: "AUTH.CALLER_MISSING", fields: ["tenant"] });
  });

  test("fails in shadow mode as in active mode", async () => {
    const { runtime } = await desk({ EVENTS: "kafka://127.0.0.1:1" });
    const call = announce({ order_id: "o1" }, { runtime, mode: "shadow" });
    expect((await refusal(call)).failure.code).toBe("AUTH.CALLER_MISSING");
  });
});

describe("a value of the caller", () => {
  test("reaches path segments, the query, headers and the body", async () => {
    const { runtime, service } = await desk();
    await withCaller(anna, async () => {
      await readFile({ path: "a" }, { runtime });
      await placeOrder({ sku: "lamp" }, { runtime });
    });
    const [read, placed] = service.received;
    expect(read?.path).toBe("/acme/by-anna-v1/a?for=api&trace=t-1&tag=tenant%3Aacme");
    expect(read?.headers).toMatchObject({ "x-tenant": "acme" });
    expect(placed?.headers).toMatchObject({ "idempotency-key": "acme-lamp" });
    expect(JSON.parse(placed?.body ?? "")).toEqual({
      sku: "lamp",
      tenant: "acme",
      notes: ["asked by anna", "api"],
    });
  });

  test("appears as text in the record of a write", async () => {
    const { ledger, runtime } = await desk({ EVENTS: "kafka://127.0.0.1:1" });
    const answer = await withCaller(anna, () =>
      announce({ order_id: "o1" }, { runtime, mode: "shadow" }),
    );
    const request = {
      target: { topic: "orders.acme", key: "acme" },
      headers: { tenant: "acme" },
      idempotency_key: "acme/o1",
      message: { order: "o1", tenant: "acme", origin: "api", by: "user anna" },
    };
    expect(answer).toMatchObject({ status: "shadow", request });
    expect(ledger.records).toMatchObject([{ status: "shadow", request }]);
  });

  test("never comes from arguments, and no model sees it", async () => {
    const { runtime, service } = await desk();
    const given = { sku: "lamp", tenant: "other", caller: { tenant: "other" } };
    const { failure } = await refusal(withCaller(anna, () => placeOrder(given, { runtime })));
    expect(failure).toMatchObject({ code: "SCHEMA.VALIDATION_FAILED", subject: "parameters" });
    expect(service.received).toEqual([]);
    const tools = catalog.skills.flatMap((skill) => skill.tools);
    expect(tools.find(({ name }) => name === "find-order")).toMatchObject({
      caller: ["tenant", "origin"],
      input_schema: { properties: { id: {} }, required: ["id"] },
    });
    for (const { input_schema } of tools)
      expect(JSON.stringify(input_schema)).not.toMatch(/tenant"|subject|caller/);
  });
});

describe("a caller whose name can't be sent", () => {
  test.each([
    ["a/b", "/a%2Fb/"],
    ["a?b#c", "/a%3Fb%23c/"],
    ["%2ea", "/%252ea/"],
    ["constructor", "/constructor/"],
  ])("stays one segment: %s", async (tenant, start) => {
    const { runtime, service } = await desk();
    await withCaller({ ...anna, tenant }, () => readFile({ path: "a" }, { runtime }));
    expect(service.received[0]?.path.startsWith(`${start}by-anna-v1/`)).toBe(true);
  });

  test.each([".", "..", "../admin", "%2e%2e", "..;"])(
    "fails with a path segment that leads elsewhere: %s",
    async (tenant) => {
      const { runtime, service } = await desk();
      const call = withCaller({ ...anna, tenant }, () => readFile({ path: "a" }, { runtime }));
      const error = await refusal(call);
      expect(error.failure).toEqual({
        code: "SCHEMA.VALIDATION_FAILED",
        subject: "caller",
        problems: [
          {
            pointer: "/tenant",
            keyword: "path-segment",
            message:
              "must have no part between slashes that is `.` or `..`, or that a server may read as one",
          },
        ],
      });
      expect(error.message).toBe(
        "fields of the caller for `tenant-desk/read-file` can't be sent: /tenant must have no part between slashes that is `.` or `..`, or that a server may read as one",
      );
      expect(service.received).toEqual([]);
    },
  );

  test("fails with a header beyond Latin-1, and the error names only that field", async () => {
    const { runtime } = await desk();
    const call = withCaller({ ...anna, subject: "東京" }, () => whoami({}, { runtime }));
    const { failure } = await refusal(call);
    expect(failure).toMatchObject({
      subject: "caller",
      problems: [{ pointer: "/subject", keyword: "header-value" }],
    });
  });

  test("fails with an invalid topic, and a model only sees that the tool is not available", async () => {
    const { runtime } = await desk({ EVENTS: "kafka://127.0.0.1:1" });
    const call = () =>
      withCaller({ ...anna, tenant: "two words" }, () => announce({ order_id: "o1" }, { runtime }));
    const { failure } = await refusal(call());
    expect(failure).toMatchObject({
      subject: "caller",
      problems: [{ pointer: "/tenant", keyword: "topic" }],
    });
    expect((await resultForModel(call())).content).not.toMatch(/two words|tenant/);
  });

  test.each(["__proto__", "a\r\nX-Admin: 1", "a\0b", "", "x".repeat(257)])(
    "can't have the tenant %j",
    (tenant) => {
      expect(() => withCaller({ tenant }, () => {})).toThrow(TypeError);
    },
  );
});

const schema = readFileSync(
  fileURLToPath(new URL("../cases/caller/db/schema.sql", import.meta.url)),
  "utf8",
);

describeUnless(await absenceOf(postgresService), "on a PostgreSQL with row level security", () => {
  const role = `tenants_${randomBytes(6).toString("hex")}`;
  let database: OwnDatabase;

  beforeAll(async () => {
    database = await createDatabase(`${schema};
      CREATE ROLE ${role} LOGIN;
      GRANT SELECT, INSERT ON orders, accounts TO ${role};
      INSERT INTO accounts VALUES ('00000000-0000-0000-0000-000000000001', 'The first');`);
  });
  afterAll(async () => {
    await shutdown();
    await database.run(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    await database.drop();
  });

  /** Of one connection, so that each call follows another's in the same session. */
  const connected = async () => {
    const url = new URL(database.urlAs(role));
    url.searchParams.set("pool_max", "1");
    return (await desk({ SHOP_URL: url.href })).runtime;
  };
  const as = (tenant: string): Caller => ({ ...anna, tenant });

  test("each tenant writes and sees only its own rows, whatever the statement selects", async () => {
    const runtime = await connected();
    const tenants = ["acme", `o'neill"; DROP TABLE orders; --`];
    for (const [index, tenant] of tenants.entries())
      await withCaller(as(tenant), () => addOrder({ id: index + 1, total: 7 }, { runtime }));
    for (const [index, tenant] of tenants.entries()) {
      const [seen, other] = await withCaller(as(tenant), () =>
        Promise.all([listTotals({}, { runtime }), findOrder({ id: 2 - index }, { runtime })]),
      );
      expect(seen).toEqual({
        status: "success",
        data: [{ id: String(index + 1), total: 7 }],
        truncated: false,
      });
      expect(other).toEqual({ status: "success", data: null });
    }
    const nobody = await withCaller(as("nobody"), () => listTotals({}, { runtime }));
    expect(nobody).toMatchObject({ data: [] });
  });

  test("a call after a failed one sees nothing of it", async () => {
    const runtime = await connected();
    await withCaller(as("acme"), () => addOrder({ id: 11, total: 1 }, { runtime }));
    const twice = await withCaller(as("acme"), () => addOrder({ id: 11, total: 1 }, { runtime }));
    expect(twice).toMatchObject({ status: "conflict" });
    const other = await withCaller(as("other"), () => listTotals({}, { runtime }));
    expect(other).toMatchObject({ data: [] });
  });

  test("each of many concurrent tenants sees only its own rows", async () => {
    const url = database.urlAs(role);
    const { runtime } = await desk({ SHOP_URL: url });
    const tenants = Array.from({ length: 40 }, (_, index) => `t${index % 8}`);
    await Promise.all(
      tenants
        .slice(0, 8)
        .map((tenant, index) =>
          withCaller(as(tenant), () => addOrder({ id: 100 + index, total: index }, { runtime })),
        ),
    );
    const seen = await Promise.all(
      tenants.map((tenant) => withCaller(as(tenant), () => listTotals({}, { runtime }))),
    );
    expect(seen).toMatchObject(
      tenants.map((_, index) => ({
        data: [{ id: String(100 + (index % 8)), total: index % 8 }],
      })),
    );
  });

  test("a text that is no uuid fails the call that casts it, and never becomes part of the statement", async () => {
    const runtime = await connected();
    const first = as("00000000-0000-0000-0000-000000000001");
    expect(await withCaller(first, () => accountName({}, { runtime }))).toMatchObject({
      data: { name: "The first" },
    });
    const { failure } = await refusal(
      withCaller(as("' OR true --"), () => accountName({}, { runtime })),
    );
    expect(failure.code).toBe("PROVIDER.PROTOCOL");
    expect(await withCaller(as("acme"), () => countOrders({}, { runtime }))).toMatchObject({
      status: "success",
    });
  });
});
