/** Credentials from functions of the application. */
import { AsyncLocalStorage } from "node:async_hooks";
import { describe, expect, test } from "vitest";
import type {
  CredentialAnswer,
  CredentialFunction,
} from "../../../src/runtime/credentials/function-credential.js";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import type { CallOptions } from "../../../src/runtime/call/call-options.js";
import { offerTools } from "../../../src/runtime/model/offer-tools.js";
import { createCredentials } from "../../../src/runtime/credentials/credentials.js";
import { isToolError, type ToolError } from "../../../src/runtime/errors.js";
import { KnownValues } from "../../../src/runtime/credentials/known-values.js";
import { createMemoryLedger } from "../../../src/runtime/ledger/memory-store.js";
import { createRuntime } from "../../../src/runtime/runtime.js";
import { Secret } from "../../../src/runtime/credentials/secret.js";
import { unmetPrerequisites } from "../../../src/runtime/call/prerequisites.js";
import { type Contract, exampleTool, succeed } from "../example-tool.js";

const aDay = Date.UTC(2026, 6, 25);

/** Questions that a test answers, and a clock that it sets. */
function asking() {
  const questions: {
    readonly name: string;
    readonly signal: AbortSignal;
    readonly answer: (answer: CredentialAnswer) => void;
    readonly fail: (cause: unknown) => void;
  }[] = [];
  const clock = { now: aDay };
  const ask: CredentialFunction = ({ name, signal }) =>
    new Promise((answer, fail) => questions.push({ name, signal, answer, fail }));
  const credentials = createCredentials({ given: { TOKEN: ask }, now: () => clock.now });
  const find = async (signal?: AbortSignal) => {
    const secret = await credentials.find("TOKEN", signal);
    return secret && Secret.reveal(secret);
  };
  return { clock, credentials, find, questions };
}

describe("a function that gives a text", () => {
  test("gets asked once per call, even by concurrent calls", async () => {
    const { find, questions } = asking();
    const calls = [find(), find(), find()];
    expect(questions.map(({ name }) => name)).toEqual(["TOKEN"]);
    questions[0]?.answer("first");
    // The first answer tells that it is for one call alone.
    await expect.poll(() => questions.length).toBe(3);
    questions[1]?.answer("second");
    questions[2]?.answer("third");
    expect(await Promise.all(calls)).toEqual(["first", "second", "third"]);
    const more = [find(), find()];
    expect(questions).toHaveLength(5);
    questions[4]?.answer("fifth");
    questions[3]?.answer("fourth");
    expect(await Promise.all(more)).toEqual(["fourth", "fifth"]);
  });

  test("may depend on the call's context, so that no tenant gets another's value", async () => {
    const tenant = new AsyncLocalStorage<string>();
    const TOKEN = async () => `token of ${tenant.getStore()}`;
    const credentials = createCredentials({ given: { TOKEN } });
    const found = await Promise.all(
      ["a", "b", "a"].map((name) => tenant.run(name, () => credentials.find("TOKEN"))),
    );
    expect(found.map((each) => each && Secret.reveal(each))).toEqual([
      "token of a",
      "token of b",
      "token of a",
    ]);
  });
});

describe("a function that gives a value and its end", () => {
  test.each([
    ["milliseconds", aDay + 1000],
    ["a date", new Date(aDay + 1000)],
  ])("gets asked once until the end, given as %s, for all calls together", async (_, expiresAt) => {
    const { clock, credentials, find, questions } = asking();
    const calls = [find(), find(), find()];
    questions[0]?.answer({ value: "first", expiresAt });
    expect(await Promise.all(calls)).toEqual(["first", "first", "first"]);
    clock.now += 999;
    expect(await find()).toBe("first");
    expect(credentials.known("TOKEN")).toBeDefined();
    clock.now += 1;
    expect(credentials.known("TOKEN")).toBeUndefined();
    const later = [find(), find()];
    questions[1]?.answer({ value: "second", expiresAt: Number.POSITIVE_INFINITY });
    expect(await Promise.all(later)).toEqual(["second", "second"]);
    clock.now += 1e12;
    expect(await find()).toBe("second");
    expect(questions).toHaveLength(2);
  });

  test("gives an expired value to the waiting calls only", async () => {
    const { find, questions } = asking();
    const calls = [find(), find()];
    questions[0]?.answer({ value: "late", expiresAt: aDay - 1 });
    expect(await Promise.all(calls)).toEqual(["late", "late"]);
    void find();
    expect(questions).toHaveLength(2);
  });

  test("fails for all waiting calls, and gets asked again by the next call", async () => {
    const { find, questions } = asking();
    const calls = Promise.allSettled([find(), find()]);
    const cause = new Error("the vault is sealed");
    questions[0]?.fail(cause);
    expect(await calls).toEqual([
      { status: "rejected", reason: cause },
      { status: "rejected", reason: cause },
    ]);
    const next = find();
    questions[1]?.answer({ value: "opened", expiresAt: aDay + 1 });
    expect(await next).toBe("opened");
  });
});

describe("a call that no longer waits for a credential", () => {
  test("leaves the request to the other calls", async () => {
    const { find, questions } = asking();
    const giving = new AbortController();
    const left = find(giving.signal);
    const stays = find();
    giving.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    expect(questions[0]?.signal.aborted).toBe(false);
    questions[0]?.answer({ value: "here", expiresAt: aDay + 1 });
    expect(await stays).toBe("here");
  });

  test("aborts the request if it is the last, and ignores its answer", async () => {
    const { find, questions } = asking();
    const giving = new AbortController();
    const left = find(giving.signal);
    giving.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    expect(questions[0]?.signal.aborted).toBe(true);
    const next = find();
    questions[1]?.answer({ value: "new", expiresAt: aDay + 10 });
    expect(await next).toBe("new");
    questions[0]?.answer({ value: "old", expiresAt: aDay + 20 });
    await Promise.resolve();
    expect(await find()).toBe("new");
  });
});

const gives = (answer: unknown) => (() => answer) as CredentialFunction;

function calling(given: CredentialFunction | string, changes: Partial<Contract> = {}) {
  const ledger = createMemoryLedger();
  const runtime = createRuntime({ ledger, inherit: false, credentials: { TOKEN: given } });
  const opened: string[] = [];
  const tool = exampleTool(
    async (attempt) => {
      opened.push(attempt.open("TOKEN"));
      throw new Error(`refused ${opened.join(" ")}`);
    },
    { credentials: ["TOKEN"], effect: "read", ...changes },
  );
  const call = async (options: CallOptions = {}): Promise<ToolError> => {
    const thrown: unknown = await callTool(tool, { id: "a" }, { runtime, ...options }).catch(
      (error: unknown) => error,
    );
    if (!isToolError(thrown)) throw new Error(`not a ToolError: ${String(thrown)}`);
    return thrown;
  };
  return { call, ledger, opened, runtime };
}

describe("a call", () => {
  test.each([
    ["nothing", undefined, "returned no value for `desk/do-it`"],
    ["null", null, "returned no value for `desk/do-it`"],
    ["an empty text", "", "returned no value for `desk/do-it`"],
    ["an empty value", { value: "", expiresAt: aDay * 2 }, "returned no value for `desk/do-it`"],
    ["a number", 4711, "failed for `desk/do-it`"],
    ["a list", ["tok-4711"], "failed for `desk/do-it`"],
    ["no end", { value: "tok-4711" }, "failed for `desk/do-it`"],
    ["seconds", { value: "tok-4711", expiresAt: 3600 }, "failed for `desk/do-it`"],
    ["a text for the end", { value: "tok-4711", expiresAt: "2126-01-01" }, "failed for"],
    ["no date", { value: "tok-4711", expiresAt: new Date("?") }, "failed for `desk/do-it`"],
  ])("gets no credential if its function returns %s", async (_, answer, told) => {
    const { call, ledger } = calling(gives(answer));
    const error = await call();
    expect(error).toMatchObject({
      code: "CREDENTIAL.MISSING",
      failure: { names: ["TOKEN"] },
      message: expect.stringContaining(`the function for \`TOKEN\` ${told}`),
      outcome: "not-done",
      attempts: 0,
    });
    expect(String(error.cause)).not.toContain("4711");
    expect(ledger.records).toMatchObject([{ type: "end", status: "failed" }]);
  });

  test("fails with the function's error, without the credentials in it", async () => {
    let round = 0;
    const { call, ledger } = calling(() => {
      round += 1;
      if (round === 1) return "tok-4711-secret";
      throw new Error("tok-4711-secret is no more");
    });
    await call();
    const error = await call();
    expect(error).toMatchObject({ code: "CREDENTIAL.MISSING", attempts: 0 });
    expect(error.cause).toMatchObject({ message: "${TOKEN} is no more" });
    expect(JSON.stringify(ledger.records)).not.toContain("is no more");
  });

  test("shows no former value in errors and in the ledger", async () => {
    let round = 0;
    const { call, ledger, opened } = calling(() => `token-number-${(round += 1)}`);
    await call();
    await call();
    const error = await call();
    expect(opened).toEqual(["token-number-1", "token-number-2", "token-number-3"]);
    expect(String(error.cause)).toBe("Error: refused ${TOKEN} ${TOKEN} ${TOKEN}");
    expect(JSON.stringify(ledger.records)).not.toContain("token-number");
  });

  test("waits for no function after its caller aborts", async () => {
    const { call } = calling(() => new Promise(() => {}));
    const giving = new AbortController();
    const ended = call({ signal: giving.signal });
    await Promise.resolve();
    giving.abort();
    expect(await ended).toMatchObject({ failure: { reason: "aborted" }, outcome: "not-done" });
  });

  test.each(["read", "write"] as const)(
    "waits for no function after its time is up: a %s",
    async (effect) => {
      const { call, ledger } = calling(() => new Promise(() => {}), { effect, timeoutMs: 1 });
      expect(await call()).toMatchObject({
        code: "PROVIDER.TIMEOUT",
        failure: { timeoutMs: 1 },
        message: expect.stringContaining("was not sent"),
        attempts: 0,
        outcome: "not-done",
      });
      expect(ledger.records).toMatchObject([{ type: "end", status: "failed" }]);
    },
  );

  test("reaches the ledger in shadow mode even if its time is up, because it needs no credential", async () => {
    const changes = { effect: "write", mode: "shadow", timeoutMs: 1 } as const;
    const { call, ledger } = calling(() => new Promise(() => {}), changes);
    await call().catch(() => {});
    expect(ledger.records).toMatchObject([{ type: "end", status: "shadow" }]);
  });

  test("gets its credentials in shadow mode too, so that its record doesn't contain them", async () => {
    const { call, ledger } = calling(() => "a", { effect: "write", mode: "shadow" });
    await call().catch(() => {});
    expect(ledger.records).toMatchObject([{ status: "shadow" }]);
    const failing = calling(gives(1), { effect: "write", mode: "shadow" });
    await failing.call().catch(() => {});
    expect(failing.ledger.records).toMatchObject([{ status: "shadow" }]);
  });
});

test("offerTools and unmetPrerequisites call no credential function", async () => {
  const never = () => {
    throw new Error("asked");
  };
  const credentials = createCredentials({ given: { TOKEN: never } });
  const here = { credentials, config: {}, path: "", platform: "linux" };
  expect(await unmetPrerequisites({ env: ["TOKEN"] }, here)).toEqual([]);
  const runtime = createRuntime({ ledger: false, inherit: false, credentials: { TOKEN: never } });
  expect(await offerTools({ skills: [] }, runtime)).toEqual([]);
  expect(await runtime.credentials.has("TOKEN")).toBe(true);
  expect(await runtime.credentials.has("OTHER")).toBe(false);
});

test("the scrubber knows a function's last value and those that calls still use, and forgets the rest", async () => {
  let round = 0;
  const number = (each: number) => `token-number-${each}-of-many`;
  const runtime = createRuntime({
    ledger: false,
    inherit: false,
    credentials: { TOKEN: () => number((round += 1)), FIXED: "fixed-value" },
  });
  const knows = (each: number) => runtime.credentials.scrubber.scrub(number(each)) === "${TOKEN}";
  let fail: (error: Error) => void = () => {};
  const failing = new Promise<never>((_, reject) => (fail = reject));
  const slow = exampleTool(() => failing, { credentials: ["TOKEN"], timeoutMs: 60_000 });
  const quick = exampleTool(succeed, { credentials: ["TOKEN"] });
  const underWay = callTool(slow, { id: "a" }, { runtime }).catch((error: unknown) => error);
  await expect.poll(() => round).toBe(1);
  for (let each = 0; each < 50; each += 1) await callTool(quick, { id: "b" }, { runtime });
  expect([knows(1), knows(2), knows(round - 15), knows(round)]).toEqual([true, false, true, true]);
  fail(new Error(`the service said ${number(1)}`));
  expect(await underWay).toMatchObject({ cause: { message: "the service said ${TOKEN}" } });
  for (let each = 0; each < 50; each += 1) await callTool(quick, { id: "b" }, { runtime });
  expect(knows(1)).toBe(false);
  expect(runtime.credentials.scrubber.scrub("a fixed-value")).toBe("a ${FIXED}");
});

test("a value that was forgotten before its call could use it becomes known again", () => {
  const values = new KnownValues();
  const first = values.learnRotating("TOKEN", "the-first-value");
  for (let each = 0; each < 50; each += 1) values.learnRotating("TOKEN", `another-value-${each}`);
  expect(values.scrubber.scrub("the-first-value")).toBe("the-first-value");
  values.hold([["TOKEN", first]]);
  expect(values.scrubber.scrub("the-first-value")).toBe("${TOKEN}");
});
