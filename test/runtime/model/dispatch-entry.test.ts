import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test, vi } from "vitest";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import type { CallOptions } from "../../../src/runtime/call/call-options.js";
import { dispatchEntry } from "../../../src/runtime/model/dispatch.js";
import {
  type EntryOptions,
  type OfferedEntry,
  offerOne,
} from "../../../src/runtime/model/offer-entries.js";
import { readOffer } from "../../../src/runtime/model/offer-options.js";
import { createRuntime, type Runtime } from "../../../src/runtime/runtime.js";
import {
  catalog as fileCatalog,
  tools as fileTools,
} from "../../cases/http-files/generated/index.js";
import { exampleTool, type Params, succeed } from "../example-tool.js";
import { govern, policyOf } from "../governance/governed.js";
import { skill, tool } from "./example-catalog.js";

const keyed = { idempotency: "keyed" } as const;

/** Offers the example tool, and counts its requests. */
async function setUp(
  changes: Parameters<typeof tool>[1] = {},
  runtime: Runtime = govern(policyOf(keyed)).runtime,
  inputParameter?: string,
) {
  const send = vi.fn<Parameters<typeof exampleTool>[0]>(succeed);
  const contract = exampleTool(send);
  const call = (params: Params, options?: CallOptions) => callTool(contract, params, options);
  const tools = {
    "desk_do-it": async () => Object.assign(call, inputParameter && { inputParameter }),
  };
  const input_schema = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };
  const offered = tool("do-it", { input_schema, governance: keyed, capabilities: [], ...changes });
  const catalog = { skills: [skill("desk", { tools: [offered] })] };
  const options = { ...readOffer("offerTools", catalog, runtime), keys: "required" } as const;
  const entry = entryOf(await offerOne(catalog, "desk_do-it", options));
  const make = (args: unknown) =>
    dispatchEntry(tools, entry, args, { runtime, caller: { origin: "llm" } });
  return { entry, make, send };
}

function entryOf(entry: OfferedEntry | undefined): OfferedEntry {
  if (entry === undefined) throw new Error("the tool is not offered");
  return entry;
}

test("a keyed tool requires a key, and two calls with one key are made once", async () => {
  const { entry, make, send } = await setUp();
  expect(entry.offered.input_schema).toMatchObject({
    properties: { id: {}, idempotency_key: { type: "string", minLength: 1, maxLength: 1024 } },
    required: ["id", "idempotency_key"],
  });
  const first = await make({ id: "a", idempotency_key: "k" });
  expect(await make({ id: "a", idempotency_key: "k" })).toEqual(first);
  expect(send).toHaveBeenCalledTimes(1);
  expect(send.mock.lastCall?.[1]).toEqual({ id: "a" });
  await make({ id: "a", idempotency_key: "other" });
  expect(send).toHaveBeenCalledTimes(2);
});

test.each<[string, unknown, string]>([
  ["no key", { id: "a" }, "/idempotency_key is missing"],
  [
    "null as the key",
    { id: "a", idempotency_key: null },
    "/idempotency_key must be text, not null",
  ],
  ["an empty key", { id: "a", idempotency_key: "" }, "/idempotency_key must not be empty"],
  [
    "a long key",
    { id: "a", idempotency_key: "k".repeat(1025) },
    "/idempotency_key must have at most 1024 characters",
  ],
  ["a list", [], "the value must be an object, not an array"],
])("arguments with %s are rejected before the tool is called", async (_, args, problem) => {
  const { make, send } = await setUp();
  await expect(make(args)).rejects.toMatchObject({
    failure: { code: "SCHEMA.VALIDATION_FAILED", subject: "parameters" },
    message: `parameters of \`desk_do-it\` don't fit their schema: ${problem}`,
  });
  expect(send).not.toHaveBeenCalled();
});

test("a parameter that has the key's name keeps it, and the key gets another", async () => {
  const text = { type: "string" };
  const properties = { id: text, idempotency_key: text, idempotency_key_2: text };
  const { entry, make, send } = await setUp({ input_schema: { type: "object", properties } });
  expect(entry.keyParameter).toBe("idempotency_key_3");
  await make({ id: "a", idempotency_key: "own", idempotency_key_3: "k" });
  expect(send.mock.lastCall?.[1]).toEqual({ id: "a", idempotency_key: "own" });
});

test("a wrapped tool has its key beside the wrapper", async () => {
  const input_schema = { anyOf: [{ properties: { idempotency_key: { type: "string" } } }] };
  const changes = { input_schema, input_parameter: "input" };
  const { entry, make, send } = await setUp(changes, undefined, "input");
  expect(entry.offered.input_schema["required"]).toEqual(["input", "idempotency_key"]);
  await make({ input: { id: "a", idempotency_key: "own" }, idempotency_key: "k" });
  expect(send.mock.lastCall?.[1]).toEqual({ id: "a", idempotency_key: "own" });
});

test.each([
  ["is not keyed", { governance: {} }],
  ["makes its own keys", { has_own_key: true } as const],
])("a tool that %s is offered without a key", async (_, changes) => {
  const { entry } = await setUp(changes);
  expect(entry).not.toHaveProperty("keyParameter");
  expect(entry.offered.input_schema["properties"]).not.toHaveProperty("idempotency_key");
});

test("a runtime without governance asks for no key, because it could not keep the key", async () => {
  const runtime = createRuntime({ ledger: false, inherit: false });
  const { entry, make } = await setUp({}, runtime);
  expect(entry).not.toHaveProperty("keyParameter");
  expect(await make({ id: "a" })).toMatchObject({ status: "success" });
});

test("the arguments of a wrapped tool are unwrapped, also if its function doesn't say so", async () => {
  const input_schema = { anyOf: [{ properties: { id: { type: "string" } } }] };
  const { make, send } = await setUp({ input_schema, input_parameter: "input" });
  await make({ input: { id: "a" }, idempotency_key: "k" });
  expect(send.mock.lastCall?.[1]).toEqual({ id: "a" });
});

/** Offers a tool with a file in each of its forms of the schema. */
async function offerScan(files: EntryOptions["files"]) {
  const runtime = createRuntime({
    ledger: false,
    inherit: false,
    credentials: { LISTINGS_URL: "http://127.0.0.1:1" },
    mode: "shadow",
  });
  const read = readOffer("offerTools", fileCatalog, runtime);
  const options = { ...read, ...(files && { files }) };
  const entry = entryOf(await offerOne(fileCatalog, "desk__send-scan", options));
  const make = (scan: unknown) =>
    dispatchEntry(fileTools, entry, { scan }, { runtime, caller: {}, ...(files && { files }) });
  const ajv = new Ajv2020({ strict: false });
  const fits = (scan: unknown) => ajv.validate(entry.offered.input_schema, { scan });
  return { fits, make };
}

test("a caller that gives only content can't name a file of this machine", async () => {
  const { fits, make } = await offerScan("content-only");
  const content = { base64: "aGk=", name: "a.txt" };
  const path = { path: "uploads/a.txt" };
  expect([fits(content), fits(path), fits({ name: "a" })]).toEqual([true, false, false]);
  expect(await make(content)).toMatchObject({ status: "shadow" });
  await expect(make(path)).rejects.toMatchObject({
    failure: {
      code: "SCHEMA.VALIDATION_FAILED",
      problems: [{ pointer: "/scan", keyword: "file" }],
    },
    message: expect.stringContaining("this caller must not name a path"),
  });
  await expect(make({ ...path, base64: "aGk=" })).rejects.toThrow("must have `base64`");
  await expect(make({})).rejects.toThrow("must have `base64`");
});

test("other callers may name a file by its path", async () => {
  const { fits, make } = await offerScan(undefined);
  expect([fits({ base64: "aGk=" }), fits({ path: "uploads/a.txt" })]).toEqual([true, true]);
  await expect(make({ path: "uploads/none" })).rejects.toThrow("the file does not exist");
});
