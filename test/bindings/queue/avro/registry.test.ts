import { afterEach, describe, expect, it, vi } from "vitest";
import type { RegistrySchema } from "../../../../src/bindings/queue/contract.js";
import { frame, schemaId } from "../../../../src/bindings/queue/send/registry/schema-id.js";
import { shutdown } from "../../../../src/runtime/shutdown.js";
import { ToolError } from "../../../../src/runtime/errors.js";
import type { Attempt, Connecting } from "../../../../src/runtime/call/attempt.js";
import { type Registry, type RegistryOptions, startRegistry } from "../support/registry.js";
import { recordOf } from "./support.js";

const running: Registry[] = [];

async function start(options?: RegistryOptions): Promise<Registry> {
  const registry = await startRegistry(options);
  running.push(registry);
  return registry;
}

afterEach(async () => {
  for (const registry of running.splice(0)) await registry.close();
});

function schemaOf(type: string, more: object = {}): RegistrySchema {
  return { type: "AVRO", text: JSON.stringify(recordOf({ name: "value", type, ...more })) };
}

const order = schemaOf("string");

const subjectOf = (name: string) => ({ name, shown: "shown-value" });
const value = subjectOf("s-value");

interface TestAttempt extends Attempt {
  abort(reason: unknown): void;
}

function attempt(): TestAttempt {
  const controller = new AbortController();
  const { signal } = controller;
  return {
    tool: "order-events/announce-order",
    number: 1,
    directory: ".",
    hooks: {},
    signal,
    onAbort: (listener) => signal.addEventListener("abort", () => listener(signal.reason)),
    open: () => "",
    abort: (reason) => controller.abort(reason),
  };
}

/** The error of a call, as `Name: message`. */
async function faultOf(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.then(
    (value) => `resolved to ${String(value)}`,
    (reason: unknown) => reason,
  );
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

describe("id of a schema", () => {
  it("comes from registering the schema, once for each subject and schema", async () => {
    const registry = await start();
    const ask = (subject: string, schema = order) =>
      schemaId(registry.url, subjectOf(subject), schema, attempt());
    expect(await ask("orders.created-value")).toBe(1);
    expect(await ask("orders.created-value")).toBe(1);
    expect(await ask("a/b c-value")).toBe(1);
    expect(await ask("orders.created-value", schemaOf("string", { doc: "x" }))).toBe(2);
    expect(registry.asked.map((each) => `${each.method} ${each.path}`)).toEqual([
      "POST /subjects/orders.created-value/versions",
      "POST /subjects/a%2Fb%20c-value/versions",
      "POST /subjects/orders.created-value/versions",
    ]);
    expect(registry.schemaOf(1)).toBe(order.text);
  });

  it("belongs to one URL of a registry", async () => {
    const registry = await start();
    registry.answerNext({ body: '{"id":7}' }, { body: '{"id":8}' });
    const ask = (query: string) => schemaId(registry.url + query, value, order, attempt());
    expect([await ask(""), await ask("?register=true")]).toEqual([7, 8]);
    expect([await ask(""), await ask("?register=true")]).toEqual([7, 8]);
  });

  it("comes from a look-up if nothing may be registered", async () => {
    const registry = await start();
    const url = `${registry.url}?register=false`;
    expect(await faultOf(schemaId(url, value, order, attempt()))).toBe(
      "RejectedMessage: the schema registry has no such schema under the subject `shown-value`, and `register=false` forbids to register it (404)",
    );
    await schemaId(registry.url, value, order, attempt());
    expect(await schemaId(url, value, order, attempt())).toBe(1);
    expect(registry.asked.at(-1)?.path).toBe("/subjects/s-value");
  });

  it("the request carries the login and goes below the path of the URL", async () => {
    const registry = await start({ user: "desk@acme", password: "s3cret:/?#" });
    registry.answerNext({ body: '{"id":7}' });
    expect(await schemaId(`${registry.url}/api/registry/`, value, order, attempt())).toBe(7);
    expect(registry.asked[0]).toEqual({
      method: "POST",
      path: "/api/registry/subjects/s-value/versions",
      authorization: `Basic ${Buffer.from("desk@acme:s3cret:/?#").toString("base64")}`,
    });
    expect(await schemaId(registry.url, value, order, attempt())).toBe(1);
  });

  it("the request uses only connections that the call's hook accepted", async () => {
    const registry = await start();
    // The connection that another call left open is not this call's.
    await schemaId(registry.url, subjectOf("a-value"), order, attempt());
    const seen: string[] = [];
    const looking = { connecting: ({ address }: Connecting) => void seen.push(address) };
    await schemaId(registry.url, subjectOf("b-value"), order, { ...attempt(), hooks: looking });
    expect(seen).toEqual(["127.0.0.1"]);
    const refusing = {
      connecting: () => {
        throw new ToolError("a/b", { code: "PROVIDER.PROTOCOL", reason: "refused" }, "refused");
      },
    };
    const ask = (hooks: Attempt["hooks"]) =>
      faultOf(schemaId(registry.url, value, order, { ...attempt(), hooks }));
    // At the same time, and for the same schema.
    expect(await Promise.all([ask({}), ask(refusing)])).toEqual([
      "resolved to 1",
      "ToolError: refused",
    ]);
    expect(registry.asked).toHaveLength(3);
  });

  it("concurrent calls send one request", async () => {
    const registry = await start();
    registry.answerNext({ after: 50, body: '{"id":3}' });
    const calls = Array.from({ length: 20 }, () => schemaId(registry.url, value, order, attempt()));
    expect(new Set(await Promise.all(calls))).toEqual(new Set([3]));
    expect(registry.asked).toHaveLength(1);
  });

  it("a call that ends stops waiting, and the others go on", async () => {
    const registry = await start();
    registry.answerNext({ after: 100, body: '{"id":3}' });
    const [first, second] = [attempt(), attempt()];
    const calls = [first, second].map((each) => schemaId(registry.url, value, order, each));
    first.abort(new Error("over"));
    expect(await faultOf(calls[0] ?? Promise.resolve())).toBe(
      "LostBroker: schema registry: aborted",
    );
    expect(await calls[1]).toBe(3);
    expect(registry.asked).toHaveLength(1);
  });

  it("the request is given up before the attempt ends", async () => {
    const registry = await start();
    registry.answerNext({ after: "never" });
    const late = { ...attempt(), remainingMs: 100 };
    const call = schemaId(registry.url, value, order, late);
    expect(await faultOf(call)).toBe("LostBroker: schema registry: ETIMEDOUT");
    await expect(call).rejects.toMatchObject({ outcome: "not-done" });
    expect(await schemaId(registry.url, value, order, attempt())).toBe(1);
  });

  it("a shutdown's deadline ends the wait", async () => {
    const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
    const registry = await start();
    registry.answerNext({ after: "never" });
    const call = faultOf(schemaId(registry.url, value, order, attempt()));
    while (registry.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await shutdown({ deadlineMs: 50 });
    expect(await call).toBe("LostBroker: schema registry: connection lost");
    warned.mockRestore();
  });

  it("a call sends a new request after all others gave up", async () => {
    const registry = await start();
    registry.answerNext({ after: "never" });
    const first = attempt();
    const call = schemaId(registry.url, value, order, first);
    while (registry.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    first.abort(new Error("over"));
    const second = schemaId(registry.url, value, order, attempt());
    expect(await faultOf(call)).toBe("LostBroker: schema registry: aborted");
    expect(await second).toBe(1);
    expect(registry.asked).toHaveLength(2);
  });
});

describe("other answers of a registry", () => {
  it.each<[status: number, body: string, fault: string]>([
    [
      409,
      "{}",
      "RejectedMessage: the schema is not compatible with the registered schemas of the subject (409)",
    ],
    [422, "{}", "RejectedMessage: the schema registry rejects the schema as invalid (422)"],
    [401, "s3cret", "RejectedMessage: the schema registry refused the login (401)"],
    [403, "", "RejectedMessage: the schema registry denies the request (403)"],
    [404, "", "RejectedMessage: the schema registry refused the schema (404)"],
    [302, "", "RejectedMessage: the schema registry refused the schema (302)"],
    [500, "", "LostBroker: schema registry: 500"],
    [503, "", "LostBroker: schema registry: 503"],
    [429, "", "LostBroker: schema registry: 429"],
    [200, "{}", "RejectedMessage: the schema registry answered without an id"],
    [200, "<html>", "RejectedMessage: the schema registry answered without an id"],
    [200, '{"id":-1}', "RejectedMessage: the schema registry answered without an id"],
    [200, '{"id":9007199254740993}', "RejectedMessage: the schema registry answered without an id"],
    [200, '{"id":1e999}', "RejectedMessage: the schema registry answered without an id"],
    [200, " ".repeat(2_000_000), "LostBroker: schema registry: UND_ERR_RES_EXCEEDED_MAX_SIZE"],
  ])("fails the call by the status %i", async (status, body, fault) => {
    const registry = await start({ user: "desk", password: "s3cret" });
    registry.answerNext({ status, body });
    expect(await faultOf(schemaId(registry.url, value, order, attempt()))).toBe(fault);
    expect(await schemaId(registry.url, value, order, attempt())).toBe(1);
  });

  it("rejects an incompatible schema and an invalid schema with the registry's status", async () => {
    const registry = await start();
    await schemaId(registry.url, value, order, attempt());
    expect(await faultOf(schemaId(registry.url, value, schemaOf("int"), attempt()))).toMatch(
      /\(409\)$/,
    );
    const broken: RegistrySchema = { type: "AVRO", text: '"strin"' };
    expect(await faultOf(schemaId(registry.url, value, broken, attempt()))).toMatch(/\(422\)$/);
  });

  it("fails as unavailable if no registry listens", async () => {
    const registry = await start();
    await registry.close();
    const call = schemaId(registry.url, value, order, attempt());
    expect(await faultOf(call)).toBe("LostBroker: schema registry: ECONNREFUSED");
  });
});

const unreadable =
  "is not a valid URL; percent-encode user and password: `#` is `%23`, `/` is `%2F`, `?` is `%3F`";

it.each<[url: string, message: string]>([
  ["registry.example", "must be an http:// or https:// URL"],
  ["ftp://s3cret@registry.example", "must be an http:// or https:// URL"],
  ["http://", "is not a valid URL"],
  ["http://desk:s3#cret@registry.example", unreadable],
  ["http://desk:1/s3cret@registry.example", unreadable],
  ["http://registry.example/#s3cret", "has a `#`: write `%23`"],
  [
    "http://desk:%zz@registry.example",
    "has a `%` in its password that is not followed by two hexadecimal digits",
  ],
  [
    "http://registry.example?registr=s3cret",
    "has an unknown option; the known option is `register`",
  ],
  [
    "http://desk:1?s3cret&x@registry.example",
    "has an unknown option; the known option is `register`; in a user or a password, write `?` as `%3F`",
  ],
  [
    "http://registry.example?register=s3cret",
    "has an option `register` that is not `true` or `false`",
  ],
  ["http://registry.example?register=true&register=false", "has the option `register` twice"],
])("rejects the URL %s of a registry", async (url, message) => {
  expect(await faultOf(schemaId(url, value, order, attempt()))).toBe(`UnusableUrl: ${message}`);
});

it("frames a message with the id of its schema", () => {
  const framed = frame(0x01020304, new Uint8Array([9, 8]));
  expect([...framed]).toEqual([0, 1, 2, 3, 4, 9, 8]);
  expect([...frame(2 ** 32 - 1, new Uint8Array())]).toEqual([0, 255, 255, 255, 255]);
});
