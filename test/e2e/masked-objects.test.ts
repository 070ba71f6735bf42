/** Objects, maps and lists that are `x-sensitive` as a whole: their property names are as secret as their values. */
import { describe, expect, it, test } from "vitest";
import { createMemoryLedger, createRuntime, isToolError } from "../../src/runtime/index.js";
import { failure } from "../bindings/http/execute/support.js";
import {
  askKeys,
  findKeys,
  putKeys,
  saveKeys,
  sendKeys,
  tellKeys,
} from "../cases/masked-objects/generated/vault/index.js";

const keys = { "john@x.org": "k-4111-0001", tok_9f8e7d: "k-4111-0002" };
const short = { name: "main", keys };
const given = { ...short, password: "hunter-2", owners: [{ "ada@x.org": "k-4111-0003" }] };
const secret = /john|x\.org|x%2[eE]org|tok_9f|k-4111|hunter/;

const nowhere = "http://127.0.0.1:1";
const setUp = (options: Parameters<typeof createRuntime>[0] = {}) => {
  const ledger = createMemoryLedger();
  const runtime = createRuntime({
    inherit: false,
    ledger,
    credentials: { VAULT_URL: nowhere, VAULT_DB: "postgres://127.0.0.1:1/none" },
    handlers: { "vault/ask-keys": () => Promise.resolve(null) },
    mode: "shadow",
    ...options,
  });
  return { ledger, runtime };
};

describe("a record of shadow mode", () => {
  const { ledger, runtime } = setUp();
  const masked = { keys: "***", owners: "***", password: "***" };

  test.each([
    ["the body of a request", () => putKeys(given, { runtime }), { body: masked }],
    ["a form", () => sendKeys(given, { runtime }), {}],
    ["a path and a query", () => findKeys(short, { runtime }), {}],
    ["a message", () => tellKeys(given, { runtime }), { message: { name: "main", ...masked } }],
    [
      "the parameters of a statement",
      () => saveKeys(short, { runtime }),
      { parameters: ["main", "***"] },
    ],
    [
      "what a handler is given",
      () => askKeys(given, { runtime }),
      { parameters: { name: "main", ...masked } },
    ],
  ])("contains neither names nor values of a masked object in %s", async (_, call, request) => {
    const result = await call();
    expect(result).toMatchObject({ status: "shadow", request });
    expect(JSON.stringify(result)).toContain("***");
    expect(JSON.stringify(result)).not.toMatch(secret);
    expect(ledger.records.at(-1)).toMatchObject({ parameters: { name: "main", keys: "***" } });
    expect(JSON.stringify(ledger.records)).not.toMatch(secret);
  });

  it("keeps the position of the masked part in an address", async () => {
    expect(await findKeys(short, { runtime })).toMatchObject({
      request: { url: "${VAULT_URL}/vaults/main/;***=***?deep%5B***%5D=***" },
    });
  });
});

describe("an error about parameters", () => {
  const refused = async (params: object) => {
    const { ledger, runtime } = setUp();
    // Callers in JavaScript may pass anything.
    const error = await failure(putKeys(params as typeof given, { runtime }));
    const told = isToolError(error)
      ? JSON.stringify([error.message, error.stack, error.failure])
      : "";
    return { told, record: ledger.records.at(-1), records: JSON.stringify(ledger.records) };
  };

  it("contains no name from inside a masked object", async () => {
    const { records, told } = await refused({ ...given, keys: { "john@x.org": 1 } });
    expect(told).toContain("/keys/*** must be a string, not a number");
    expect(told).not.toMatch(secret);
    expect(records).toContain("/keys/*** must be a string, not a number");
    expect(records).not.toMatch(secret);
  });

  it("contains no name from inside the items of a masked list", async () => {
    const { records, told } = await refused({ ...given, owners: [{ "ada@x.org": null }] });
    expect(told).toContain("/owners/*** must be a string, not null");
    expect(records + told).not.toMatch(secret);
  });

  it("contains the name of a misspelt parameter and not its value", async () => {
    const { record, records, told } = await refused({ name: "main", keys, pasword: "hunter-2" });
    expect(told).toContain("/pasword is not known here; did you mean `password`?");
    expect(record).toMatchObject({ parameters: { name: "main", keys: "***", pasword: "***" } });
    expect(records).not.toMatch(secret);
  });

  it("contains no value of thousands of unknown parameters", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, at) => [`p${at}`, "hunter-2"]),
    );
    const { record, records } = await refused({ ...given, ...many });
    expect(record).toMatchObject({ parameters: { p0: "***", p2999: "***" } });
    expect(records).not.toMatch(secret);
  });

  it("contains no value of an unknown parameter if the call ends before validation", async () => {
    const { ledger, runtime } = setUp();
    const given = { name: "main", keys, pasword: "hunter-2" };
    await failure(putKeys(given, { runtime, idempotencyKey: "k" }));
    expect(ledger.records.at(-1)).toMatchObject({ parameters: { pasword: "***" } });
    expect(JSON.stringify(ledger.records)).not.toMatch(secret);
  });
});
