import { describe, expect, test } from "vitest";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import type { CallOptions } from "../../../src/runtime/call/call-options.js";
import { type Caller, currentCaller, withCaller } from "../../../src/runtime/caller.js";
import { dispatchTool } from "../../../src/runtime/model/dispatch.js";
import { governance } from "../../../src/runtime/governance/index.js";
import { createMemoryLedger } from "../../../src/runtime/ledger/memory-store.js";
import { createRuntime, type Runtime } from "../../../src/runtime/runtime.js";
import { exampleTool, type Params, succeed } from "../example-tool.js";
import { govern, governedTool, policyOf } from "./governed.js";

const inner = exampleTool(succeed, { name: "inner" });
const outer = exampleTool(succeed);

/** The handler of `desk/do-it` calls `desk/inner`, and tells on whose behalf it ran. */
function nested(
  ofInner: Partial<typeof governedTool> = {},
  ofOuter: Partial<typeof governedTool> = {},
) {
  const seen: (Caller | undefined)[] = [];
  const ledger = createMemoryLedger();
  const policy = policyOf(
    {},
    {
      tools: {
        "desk/do-it": { ...governedTool, ...ofOuter },
        "desk/inner": { ...governedTool, ...ofInner },
      },
    },
  );
  const runtime: Runtime = createRuntime({
    ledger,
    env: {},
    inherit: false,
    governance: governance({ policy }),
    handlers: {
      "desk/do-it": () => {
        seen.push(currentCaller());
        return callTool(inner, { id: "a" }, { runtime });
      },
    },
  });
  const tools = {
    desk__do_it: async () => (params: Params, options?: CallOptions) =>
      callTool(outer, params, options),
  };
  const dispatch = (options: CallOptions = {}) =>
    dispatchTool(tools, "desk__do_it", { id: "a" }, { runtime, ...options });
  return { dispatch, ledger, runtime, seen };
}

describe("a call that a model asked for", () => {
  test("a model's call has the origin llm, whatever caller the application gives", async () => {
    const { dispatch, ledger } = nested();
    await withCaller({ tenant: "acme", subject: "ada", origin: "api" }, () => dispatch());
    await dispatch({ caller: { tenant: "other", origin: "system" } });
    await dispatch();
    const callers = ledger.records
      .filter(({ tool, type }) => tool === "do-it" && type === "end")
      .map(({ caller }) => caller);
    expect(callers).toEqual([
      { tenant: "acme", subject: "ada", origin: "llm" },
      { tenant: "other", origin: "llm" },
      { origin: "llm" },
    ]);
  });

  test("leaves the caller of the surrounding code unchanged", async () => {
    const { dispatch } = nested();
    const caller = { tenant: "acme", origin: "api" } as const;
    const after = await withCaller(caller, async () => {
      await dispatch();
      return currentCaller();
    });
    expect(after).toEqual(caller);
  });

  test("hands its origin on to calls that its handler makes", async () => {
    const { dispatch, ledger, seen } = nested();
    await withCaller({ subject: "ada", origin: "api" }, () => dispatch());
    expect(seen).toEqual([{ subject: "ada", origin: "llm" }]);
    expect(ledger.records.find(({ tool }) => tool === "inner")).toMatchObject({
      caller: { subject: "ada", origin: "llm" },
    });
  });
});

describe("the caller that an application gives for a model's call", () => {
  const callersOf = ({ ledger }: ReturnType<typeof nested>) =>
    ledger.records.flatMap(({ caller, tool, type }) =>
      tool === "do-it" && type === "end" ? [caller] : [],
    );

  test.each(["api", "llm"] as const)(
    "the caller is read anew for each call, even if the application reuses the object (%s)",
    async (origin) => {
      const governed = nested();
      const caller = { tenant: "acme", subject: "ada", origin };
      await governed.dispatch({ caller });
      Object.assign(caller, { tenant: "other", subject: "bob" });
      await governed.dispatch({ caller });
      expect(callersOf(governed)).toEqual([
        { tenant: "acme", subject: "ada", origin: "llm" },
        { tenant: "other", subject: "bob", origin: "llm" },
      ]);
    },
  );

  test.each(["api", "llm"] as const)(
    "the caller is copied when the call is made, so later changes of the object have no effect (%s)",
    async (origin) => {
      const governed = nested();
      const caller = { tenant: "acme", origin };
      const made = governed.dispatch({ caller });
      caller.tenant = "other";
      await made;
      expect(callersOf(governed)).toEqual([{ tenant: "acme", origin: "llm" }]);
    },
  );
});

describe("a caller that looks like another or is too large", () => {
  const manyScopes = Array.from({ length: 1001 }, (_, at) => `scope-${at}`);
  const megabytes = (count: number) => "s".repeat(count * 1024 * 1024);

  test.each<[string, Caller, string]>([
    [
      "with more than 1000 scopes",
      { scopes: manyScopes },
      "`scopes` of a caller must be a list of at most 1000 texts",
    ],
    [
      "with more than 1000 roles",
      { roles: manyScopes },
      "`roles` of a caller must be a list of at most 1000 texts",
    ],
    [
      "with a scope of 10 MB",
      { scopes: [megabytes(10)] },
      "`scopes` of a caller must be text of 1 to 256 characters",
    ],
    [
      "with 10 MB of scopes",
      { scopes: Array.from({ length: 1000 }, () => "s".repeat(10_486)) },
      "`scopes` of a caller must be text of 1 to 256 characters",
    ],
    [
      "with 10 MB of short scopes",
      { scopes: Array.from({ length: 41_000 }, (_, at) => `${at}`.padStart(256, "s")) },
      "at most 1000 texts",
    ],
    [
      "with `__proto__` as tenant",
      { tenant: "__proto__" },
      "`tenant` of a caller can't be `__proto__`, which every JavaScript object has: use another name",
    ],
    [
      "with `__proto__` among its roles",
      { roles: ["__proto__"] },
      "`roles` of a caller can't be `__proto__`",
    ],
    [
      "with a subject in form NFD",
      { subject: "ade\u0300le" },
      "`subject` of a caller is not in Unicode form NFC",
    ],
    [
      "with a tenant in form NFD",
      { tenant: "caf\u0065\u0301" },
      "`tenant` of a caller is not in Unicode form NFC",
    ],
    [
      "with a role in form NFD",
      { roles: ["re\u0301viseur"] },
      "`roles` of a caller is not in Unicode form NFC",
    ],
    [
      "with a letter that is spelt as a sign",
      { subject: "\u212Bsa" },
      "`subject` of a caller is not in Unicode form NFC",
    ],
    ["with a character that doesn't show", { subject: "ada\u200B" }, "an invisible one"],
    ["with a variation selector", { subject: "ada\uFE0F" }, "an invisible one"],
    ["with a filler of Hangul", { subject: "ada\u3164" }, "an invisible one"],
    ["with a grapheme joiner", { tenant: "ac\u034Fme" }, "an invisible one"],
    ["with an empty Braille pattern", { roles: ["ada\u2800"] }, "an invisible one"],
    ["with a note without a head", { subject: "ada\u{1D159}" }, "an invisible one"],
    ["with Khitan's filler", { tenant: "acme\u{16FE4}" }, "an invisible one"],
    ["with a blank hieroglyph", { tenant: "acme\u{13441}" }, "an invisible one"],
    ["with half a blank hieroglyph", { roles: ["ada\u{13442}"] }, "an invisible one"],
    ["with a tag", { subject: "ada\u{E0041}" }, "an invisible one"],
    ["with an unassigned character", { subject: "ada\u0378" }, "without a fixed meaning"],
    ["with a private character", { scopes: ["a\uE000b"] }, "without a fixed meaning"],
    ["with one of a private plane", { tenant: "acme\u{10FFFD}" }, "without a fixed meaning"],
    ["with a noncharacter", { tenant: "acme\uFFFE" }, "without a fixed meaning"],
    ["with a noncharacter of Arabic", { roles: ["a\uFDD0"] }, "without a fixed meaning"],
    ["with a stand-in for an object", { subject: "ada\uFFFC" }, "without a fixed meaning"],
    ["with a replacement character", { subject: "ad\uFFFD" }, "without a fixed meaning"],
    ["with a C1 control", { tenant: "acme\u0085" }, "has a control character"],
    ["with a line separator", { tenant: "ac\u2028me" }, "an invisible one"],
    ["with a no-break space", { subject: "ada\u00A0l" }, "a space other than U+0020"],
    ["with a wide space", { scopes: ["orders\u3000read"] }, "a space other than U+0020"],
    ["with a space behind it", { subject: "ada " }, "begins or ends with a space"],
    ["with a space before it", { tenant: " acme" }, "begins or ends with a space"],
    ["with a space alone", { roles: [" "] }, "begins or ends with a space"],
    [
      "with a control character",
      { tenant: "acme\n" },
      "`tenant` of a caller has a control character",
    ],
    ["with half a surrogate pair", { tenant: "acme\ud800" }, "half of a surrogate pair"],
  ])("rejects a caller %s before anything is decided", async (_, caller, message) => {
    const { ledger, runtime } = nested();
    expect(() => withCaller(caller, () => undefined)).toThrow(message);
    const error: unknown = await callTool(outer, { id: "a" }, { runtime, caller }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain(message);
    // Nothing of what was passed, which may be of any size.
    expect(String(error).length).toBeLessThan(200);
    expect(ledger.records).toEqual([]);
  });

  test.each(["Zoë", "李小龙", "עדה", "अदा", "👩🏽 7", "𝒜-1", "🇨🇭", "a b/c@d:e", "№ 5 ½"])(
    "takes letters, digits, signs and emoji of any script: %s",
    (name) => {
      const caller = { tenant: name, subject: name, roles: [name], scopes: [name], trace: name };
      expect(withCaller(caller, () => currentCaller())).toEqual(caller);
    },
  );

  test("accepts exactly 1000 scopes of 256 characters", () => {
    const scopes = Array.from({ length: 1000 }, (_, at) => `${at}`.padStart(256, "s"));
    expect(withCaller({ scopes }, () => currentCaller()?.scopes)).toEqual(scopes);
  });

  const lookalikes = [
    ["subject", { subject: "ada" }, { subject: "\uFF41\uFF44\uFF41" }],
    ["tenant", { tenant: "acme" }, { tenant: "\uFF41\uFF43\uFF4D\uFF45" }],
    ["role", { role: "clerk" }, { roles: ["\uFF43lerk"] }],
    ["subject in another alphabet", { subject: "ada" }, { subject: "\u0430d\u0430" }],
    ["subject with a ligature", { subject: "fin" }, { subject: "\uFB01n" }],
    ["tenant in capitals", { tenant: "acme" }, { tenant: "ACME" }],
  ] as const;

  test.each(lookalikes)(
    "does not get the grants of a caller with a look-alike %s",
    async (_, to, caller) => {
      const scopes = ["orders.write"];
      const { call } = govern(policyOf({ scopes }, { grants: [{ to, scopes }] }));
      await expect(call(outer, { caller: { ...caller, scopes } })).rejects.toMatchObject({
        failure: { code: "AUTH.FORBIDDEN", reason: "scopes" },
      });
      const known = "role" in to ? { roles: [to.role] } : to;
      expect(await call(outer, { caller: { ...known, scopes } })).toMatchObject({
        status: "success",
      });
    },
  );

  test("spends no budget of the other, and has no key of it", async () => {
    const policy = policyOf(
      { idempotency: "keyed" },
      { quotas: [{ name: "q", per: ["tenant", "caller"], callsPerMinute: 1 }] },
    );
    const { call, ledger } = govern(policy);
    const ada = { tenant: "acme", subject: "ada" };
    for (const caller of [ada, { ...ada, subject: "\uFF41da" }, { ...ada, tenant: "\uFF41cme" }])
      await call(outer, { caller, idempotencyKey: "k" });
    expect(ledger.records.filter(({ type }) => type === "begin")).toHaveLength(3);
    await expect(call(outer, { caller: ada, idempotencyKey: "k" })).rejects.toMatchObject({
      code: "QUOTA.RATE_LIMITED",
    });
  });
});

describe("a call that a handler makes", () => {
  test("a nested call has the caller that was given for the outer call alone", async () => {
    const { runtime, seen } = nested();
    await callTool(outer, { id: "a" }, { runtime, caller: { tenant: "acme" } });
    expect(seen).toEqual([{ tenant: "acme" }]);
  });

  test("a nested call gets neither the approval nor the key of the outer call", async () => {
    const ofInner = {
      approval: { conditional: false, ttlMs: 1000 },
      idempotency: "keyed",
    } as const;
    const { ledger, runtime } = nested(ofInner, { idempotency: "keyed" });
    const caller = { subject: "ada" };
    const options = { runtime, caller };
    const needed = await callTool(inner, { id: "b" }, options).catch((error: unknown) => error);
    // The failure is that of `desk/inner`, which needs an approval.
    const { request } = (needed as { failure: { request: never } }).failure;
    const approval = await runtime.approve(request, { subject: "grace" });
    const served = callTool(outer, { id: "a" }, { ...options, approval, idempotencyKey: "k" });
    await expect(served).rejects.toMatchObject({
      tool: "desk/inner",
      failure: { code: "AUTH.APPROVAL_REQUIRED", reason: "none" },
    });
    // It is still there for the call that it was given for.
    expect(await callTool(inner, { id: "b" }, { ...options, approval })).toMatchObject({
      status: "success",
    });
    expect(ledger.records.at(-1)).toMatchObject({ decision: { approval } });
  });
});
