import { fork } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { startOrderService } from "../../../../examples/order-service/server.js";
import type { HttpContract, HttpRequest } from "../../../../src/bindings/http/contract.js";
import { credential, pick, segment, text } from "../../../../src/bindings/http/execute.js";
import { loaderArgs } from "../../../support/node-loader.js";
import { attempt, call, failure } from "./support.js";

const statuses = {
  "401": "unauthorized",
  "404": "not_found",
  "409": "conflict",
  "429": "rate_limited",
};
const lines = [{ sku: "MUG-BLUE", quantity: 3, price: 1200 }];

async function service(token = "right") {
  const { url, close } = await startOrderService({ token: "right" });
  onTestFinished(close);
  return (
    method: HttpContract<undefined, unknown>["method"],
    path: HttpRequest["url"],
    rest: Partial<HttpRequest> & {
      readonly timeoutMs?: number;
      readonly idempotencyHeader?: string;
    } = {},
  ) => {
    const { timeoutMs = 5000, idempotencyHeader, ...request } = rest;
    return call(
      {
        method,
        statuses,
        ...(idempotencyHeader === undefined ? {} : { idempotencyHeader }),
        request: () => ({
          url: [credential("ORDERS_URL"), ...path],
          headers: [["Authorization", text("Bearer ", credential("TOKEN"))]],
          ...request,
        }),
        data: (body) => (body === null ? null : pick(body as unknown, "data")),
        error: (body) => pick(body, "error", "message"),
      },
      attempt({ ORDERS_URL: url, TOKEN: token }, AbortSignal.timeout(timeoutMs)),
    );
  };
}

describe("example order service, called through bindings", () => {
  it("creates, reads, lists, changes and deletes", async () => {
    const send = await service();
    const created = await send(
      "POST",
      ["/customers/", segment("/customer_id", "cus/ü"), "/orders"],
      { body: { lines, reference: "R-1" } },
    );
    expect(created.result).toMatchObject({
      status: "success",
      data: { customer_id: "cus/ü", status: "open", total: 3600 },
    });
    const id = String(pick(created.result.data, "id"));
    const path = ["/orders/", segment("/id", id)];
    expect((await send("GET", path)).result.data).toEqual(created.result.data);
    expect((await send("PATCH", path, { body: { status: "shipped" } })).result.data).toMatchObject({
      id,
      status: "shipped",
      total: 3600,
    });
    expect(
      (await send("PUT", [...path, "/note"], { body: { note: "fragile" } })).result.data,
    ).toMatchObject({ status: "shipped", note: "fragile" });
    const listed = await send("GET", ["/orders"], {
      query: [
        ["customer_id", "cus/ü"],
        ["status", "shipped"],
        ["limit", 5],
      ],
    });
    expect(listed.result.data).toEqual([expect.objectContaining({ id, note: "fragile" })]);
    expect((await send("DELETE", path)).result).toMatchObject({
      status: "conflict",
      status_code: 409,
    });
    await send("PATCH", path, { body: { status: "open" } });
    expect((await send("DELETE", path)).result).toEqual({ status: "success", data: null });
    expect((await send("GET", path)).result).toEqual({
      status: "not_found",
      error: `there is no order ${id}`,
      status_code: 404,
    });
  });

  it("starts with some orders", async () => {
    const send = await service();
    expect((await send("GET", ["/orders"])).result.data).toHaveLength(3);
    expect(
      (await send("GET", ["/orders"], { query: [["customer_id", "cus_ada"]] })).result.data,
    ).toHaveLength(2);
  });

  it("rejects a wrong token, an invalid order, and a second order with the same reference", async () => {
    const wrong = await service("wrong");
    expect((await wrong("GET", ["/orders"])).result).toMatchObject({
      status: "unauthorized",
      status_code: 401,
    });
    const send = await service();
    const orders = ["/customers/cus_ada/orders"];
    expect((await send("POST", orders, { body: { lines: "none" } })).result).toMatchObject({
      status: "error",
      status_code: 400,
    });
    expect(
      (await send("POST", orders, { body: { lines, reference: "A-1" } })).result,
    ).toMatchObject({ status: "conflict", status_code: 409 });
    expect((await send("GET", ["/nowhere"])).result).toMatchObject({ status: "not_found" });
    expect((await send("GET", ["/orders"], { query: [["limit", 1000]] })).result).toMatchObject({
      status: "error",
    });
  });

  it("answers a repeated idempotency key with the same order", async () => {
    const send = await service();
    const headers = [["Idempotency-Key", "one"]] as const;
    const orders = ["/customers/cus_new/orders"];
    const first = await send("POST", orders, {
      body: { lines },
      headers: [["Authorization", "Bearer right"], ...headers],
    });
    const again = await send("POST", orders, {
      body: { lines },
      headers: [["Authorization", "Bearer right"], ...headers],
    });
    expect(again.result).toEqual(first.result);
    expect(
      (await send("GET", ["/orders"], { query: [["customer_id", "cus_new"]] })).result.data,
    ).toHaveLength(1);
  });

  it("answers busy twice and then recovers", async () => {
    const send = await service();
    const busy = {
      result: { status: "rate_limited", error: "too many requests", status_code: 429 },
      retry: { afterMs: 1000 },
    };
    expect(await send("GET", ["/busy/a"])).toEqual(busy);
    expect(await send("GET", ["/busy/a"])).toEqual(busy);
    expect((await send("GET", ["/busy/a"])).result).toEqual({
      status: "success",
      data: { asked: 3 },
    });
  });

  it("simulates slow, broken, garbled, oversized and redirecting answers on request", async () => {
    const send = await service();
    expect((await send("GET", ["/slow"], { query: [["ms", 5]] })).result.data).toEqual({
      waited_ms: 5,
    });
    await expect(
      send("GET", ["/slow"], { query: [["ms", 60_000]], timeoutMs: 50 }),
    ).rejects.toMatchObject({ name: "TimeoutError" });
    expect((await failure(send("GET", ["/broken"]))).code).toBe("PROVIDER.UNAVAILABLE");
    expect((await failure(send("GET", ["/garbage"]))).code).toBe("PROVIDER.PROTOCOL");
    expect((await failure(send("GET", ["/huge"]))).failure).toEqual({
      code: "PROVIDER.PROTOCOL",
      reason: "the body is longer than 1000000 bytes",
    });
    expect((await send("GET", ["/huge"], { query: [["bytes", 1000]] })).result.status).toBe(
      "success",
    );
    expect((await send("GET", ["/redirect"])).result.data).toHaveLength(3);
    expect(
      (await send("GET", ["/redirect"], { query: [["to", "http://evil.example/"]] })).result,
    ).toMatchObject({ status_code: 302 });
  });
});

describe("example order service as a process", () => {
  it("prints its URL, serves requests, and stops on a signal", async () => {
    const child = fork(new URL("../../../../examples/order-service/main.ts", import.meta.url), {
      execArgv: loaderArgs,
      env: { ...process.env, ORDERS_TOKEN: "t", PORT: "0" },
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    if (child.stdout === null) throw new Error("no output");
    const [line] = await once(child.stdout, "data");
    const { result } = await call(
      {
        request: () => ({
          url: [credential("URL"), "/orders"],
          headers: [["Authorization", "Bearer t"]],
        }),
      },
      attempt({ URL: String(line).trim() }),
    );
    expect(result.status).toBe("success");
    child.disconnect();
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });
});
