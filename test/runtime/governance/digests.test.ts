/** Digests of calls that others may read: nobody can find a masked parameter by trying all values. */
import { hash } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import { isToolError } from "../../../src/runtime/errors.js";
import type { ToolEvent } from "../../../src/runtime/governance/events.js";
import {
  createMemoryStore,
  type GovernanceOptions,
} from "../../../src/runtime/governance/index.js";
import { sharedText } from "../../../src/runtime/equal.js";
import { type Contract, exampleTool, succeed } from "../example-tool.js";
import { govern, policyOf } from "./governed.js";

const caller = { tenant: "acme", subject: "ada" };
const rule = { approval: { conditional: false, ttlMs: 60_000 } };
const pin = { id: "1234" };

/** A tool that goes where its parameter says, with a key of it. */
function pinTool(ofTool: Partial<Contract> = { maskedParams: [["id"]] }): Contract {
  const { binding } = exampleTool(succeed);
  return exampleTool(succeed, {
    binding: {
      kind: "example",
      prepare: (args, call) => ({
        ...binding.prepare(args, call),
        idempotencyKey: args.id,
        reach: () => [{ kind: "http", capabilities: [`net.http:post http://desk/${args.id}`] }],
      }),
    },
    ...ofTool,
  });
}

/** What whoever guesses the PIN would look for. */
const guesses = [
  sharedText(["desk/do-it", "t1", { id: "1234", limit: null }]),
  JSON.stringify(["net.http:post http://desk/1234"]),
  JSON.stringify([null, null, "desk/do-it", "1234"]),
  "1234",
].flatMap((text) => [hash("sha256", text, "base64url"), hash("sha256", text, "hex")]);

async function digestFor(tool: Contract, options: Partial<GovernanceOptions> = {}) {
  const { call, ledger } = govern(policyOf(rule), options);
  const thrown: unknown = await call(tool, { caller }, pin).catch((error: unknown) => error);
  if (!isToolError(thrown, "AUTH.APPROVAL_REQUIRED")) throw thrown;
  return { request: thrown.failure.request, ledger: JSON.stringify(ledger.records) };
}

describe("a masked parameter", () => {
  test("can't be guessed from the digest of an approval, in an error or the ledger", async () => {
    const { ledger, request } = await digestFor(pinTool());
    expect(request.digest).toMatch(/^[\w-]{43}$/);
    for (const each of guesses) expect(ledger + JSON.stringify(request)).not.toContain(each);
    // The ledger shows what is not masked.
    expect(guesses).toContain((await digestFor(pinTool({}))).request.digest);
  });

  test("can't be guessed from the digest of the call's target in an event", async () => {
    const digestOf = async (id: string, tool = pinTool()) => {
      const events: ToolEvent[] = [];
      const capabilities = ["net.http:post http://desk"];
      const { call } = govern(policyOf({ capabilities }), {
        events: (event) => void events.push(event),
      });
      await call(tool, {}, { id });
      for (const each of tool.maskedParams === undefined ? [] : guesses)
        expect(JSON.stringify(events)).not.toContain(each);
      return events.flatMap((each) =>
        each.type === "ToolInvokeEnd" ? [each.side_effects_digest?.sha256] : [],
      );
    };
    expect(await digestOf("1234")).toEqual(await digestOf("9999"));
    expect(await digestOf("1234", pinTool({}))).not.toEqual(await digestOf("9999", pinTool({})));
  });

  test("can't be guessed from the key or the fingerprint of a keyed call", async () => {
    const store = createMemoryStore();
    const begin = vi.spyOn(store, "begin");
    const capabilities = ["net.http:post http://desk"];
    const { call } = govern(policyOf({ capabilities, idempotency: "keyed" }), { store });
    const first = await call(pinTool(), {}, pin);
    expect(await call(pinTool(), {}, pin)).toEqual(first);
    const [[begun] = [], [again] = []] = begin.mock.calls;
    expect({ ...again, callId: "" }).toEqual({ ...begun, callId: "" });
    const kept = `${begun?.fingerprint} ${begun?.key}`;
    for (const each of [...guesses, "1234"]) expect(kept).not.toContain(each);
    expect(guesses).not.toContain(hash("sha256", begun?.key ?? "", "base64url"));
  });
});

describe("an approval of a call with masked parameters", () => {
  const key = Buffer.alloc(32, 7);

  test("an approval has the same digest in each runtime with the same governance key, and another digest with another key", async () => {
    const digests = await Promise.all(
      [key, key.toString("base64"), Buffer.alloc(32, 8)].map(
        async (each) => (await digestFor(pinTool(), { key: each })).request.digest,
      ),
    );
    expect(digests[1]).toBe(digests[0]);
    expect(digests[2]).not.toBe(digests[0]);
    const own = await digestFor(pinTool());
    expect(digests).not.toContain(own.request.digest);
    expect((await digestFor(pinTool())).request.digest).toBe(own.request.digest);
  });

  test("an approval is accepted only by a runtime with the same governance key", async () => {
    const store = createMemoryStore();
    const capabilities = ["net.http:post http://desk"];
    const policy = policyOf({ ...rule, capabilities });
    const [asked, same, other] = [key, key, Buffer.alloc(32, 8)].map((each) =>
      govern(policy, { store, key: each }),
    );
    const { request } = await digestFor(pinTool(), { key });
    const approval = (await asked?.runtime.approve(request, { subject: "grace" })) ?? "";
    await expect(other?.call(pinTool(), { caller, approval }, pin)).rejects.toMatchObject({
      message: expect.stringContaining("governance has another `key` or none"),
      failure: { reason: "other-call" },
    });
    await expect(same?.call(pinTool(), { caller, approval }, { id: "4321" })).rejects.toMatchObject(
      { failure: { reason: "other-call" } },
    );
    expect(await same?.call(pinTool(), { caller, approval }, pin)).toMatchObject({
      status: "success",
    });
  });
});
