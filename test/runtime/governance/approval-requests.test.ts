import { describe, expect, test, vi } from "vitest";
import type { CallOptions } from "../../../src/runtime/call/call-options.js";
import { isToolError } from "../../../src/runtime/errors.js";
import {
  createMemoryStore,
  type GovernanceOptions,
  type ToolEvent,
} from "../../../src/runtime/governance/index.js";
import type { ApprovalBy, ProjectPolicy } from "../../../src/runtime/governance/policy.js";
import { preflight } from "../../../src/runtime/call/preflight.js";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import { queryStore } from "../../../src/runtime/ledger/query.js";
import { resultForModel } from "../../../src/runtime/model/model-result.js";
import { exampleTool, type Params, succeed } from "../example-tool.js";
import { govern, policyOf } from "./governed.js";

const caller = { tenant: "acme", subject: "ada" };
const grace = { subject: "grace" };

interface Setting {
  readonly by?: ApprovalBy;
  readonly policy?: Partial<ProjectPolicy>;
  readonly options?: Partial<GovernanceOptions>;
  readonly keyed?: true;
}

/** A tool whose every call needs an approval; the clock is the store's. */
function setUp({ by, keyed, options, policy }: Setting = {}) {
  let now = 0;
  const events: ToolEvent[] = [];
  const store = createMemoryStore({ now: () => now });
  const rule = { approval: { conditional: false, ttlMs: 60_000, ...(by && { by }) } };
  const governed = govern(policyOf({ ...rule, ...(keyed && { idempotency: "keyed" }) }, policy), {
    store,
    events: (event) => void events.push(event),
    ...options,
  });
  const send = vi.fn<Parameters<typeof exampleTool>[0]>(succeed);
  const tool = exampleTool(send);
  const make = (more: CallOptions = {}, params?: Params) =>
    governed.call(tool, { caller, ...more }, params);
  const refusal = async (more: CallOptions = {}, params?: Params) => {
    const thrown: unknown = await make(more, params).catch((error: unknown) => error);
    if (!isToolError(thrown, "AUTH.APPROVAL_REQUIRED")) throw thrown;
    return thrown.failure;
  };
  const decided = () => events.filter(({ type }) => type === "ApprovalDecided");
  const asked = () => events.filter(({ type }) => type === "ApprovalRequested");
  return {
    ...governed,
    asked,
    decided,
    make,
    pass: (ms: number) => (now += ms),
    refusal,
    send,
    store,
    tool,
  };
}

describe("a request for approval", () => {
  test("shows the approver the call, its caller and its prepared request", async () => {
    const { refusal, runtime } = setUp();
    const { request } = await refusal({ trace: "t-1", caller: { ...caller, origin: "llm" } });
    expect(await runtime.governance?.requests()).toEqual([
      {
        id: request.id,
        tool: "desk/do-it",
        manifest: "t1",
        digest: request.digest,
        ...caller,
        state: "pending",
        at: 0,
        expiresAt: 60_000,
        details: {
          call: expect.any(String),
          risk: "high",
          effect: "write",
          by: "other",
          origin: "llm",
          trace: "t-1",
          request: expect.anything(),
        },
      },
    ]);
  });

  test("the request of equal calls is stored and announced once", async () => {
    const { asked, refusal, runtime } = setUp();
    const first = await refusal();
    expect((await refusal()).request.id).toBe(first.request.id);
    await refusal({}, { id: "another" });
    expect(await runtime.governance?.requests()).toHaveLength(2);
    expect(asked()).toHaveLength(2);
    expect(asked()[0]).toMatchObject({ request_id: first.request.id, ...caller, risk: "high" });
  });

  test("a dry run, a shadowed call, and a call without a subject leave no request", async () => {
    const { refusal, runtime, tool } = setUp();
    await refusal({ mode: "shadow" });
    await refusal({ caller: { tenant: "acme" } });
    const call = (params: Params, options?: CallOptions) =>
      callTool(tool, params, { runtime, caller, ...options });
    await preflight(call, { id: "a" });
    expect(await runtime.governance?.requests()).toEqual([]);
  });

  test("lets an equal call find its approval, and no other", async () => {
    const { make, refusal, runtime, send } = setUp();
    const { request } = await refusal();
    await runtime.approve(request.id, grace);
    expect((await refusal({}, { id: "b" })).reason).toBe("none");
    expect((await refusal({ caller: { ...caller, subject: "eve" } })).reason).toBe("none");
    expect((await refusal({ caller: { ...caller, tenant: "x" } })).reason).toBe("none");
    expect(await make()).toMatchObject({ status: "success" });
    // The approval is used up.
    expect((await refusal()).reason).toBe("spent");
    expect(send).toHaveBeenCalledTimes(1);
  });

  test("becomes pending again once its approval was used", async () => {
    const { make, refusal, runtime } = setUp();
    const { request } = await refusal();
    await runtime.approve(request, grace);
    await make();
    await refusal();
    expect(await runtime.governance?.requests({ state: "pending" })).toHaveLength(1);
    await runtime.approve(request.id, grace);
    expect(await make()).toMatchObject({ status: "success" });
  });

  test("gives a repeated keyed call its stored answer, and leaves no request", async () => {
    const { make, refusal, runtime, send } = setUp({ keyed: true });
    const { request } = await refusal({ idempotencyKey: "k" });
    await runtime.approve(request, grace);
    const first = await make({ idempotencyKey: "k" });
    expect(await make({ idempotencyKey: "k" })).toEqual(first);
    expect(await runtime.governance?.requests({ state: "pending" })).toEqual([]);
    // Another key is another call.
    expect((await refusal({ idempotencyKey: "l" })).reason).toBe("spent");
    expect(await runtime.governance?.requests({ state: "pending" })).toHaveLength(1);
    expect(send).toHaveBeenCalledTimes(1);
  });

  test("refuses equal calls with the note after a denial, until it expires", async () => {
    const { decided, pass, refusal, runtime, send } = setUp();
    const { request } = await refusal();
    await runtime.deny(request.id, { ...grace, note: "not on a Friday" });
    expect(await refusal()).toMatchObject({ reason: "denied", note: "not on a Friday" });
    await expect(runtime.approve(request, grace)).rejects.toThrow("the denial still holds");
    await expect(runtime.approve(request.id, grace)).rejects.toThrow("the denial still holds");
    // A denial is about one request.
    expect((await refusal({}, { id: "b" })).reason).toBe("none");
    expect(decided()).toMatchObject([{ decision: "denied", by: "grace", request_id: request.id }]);
    pass(60_000);
    expect(await refusal()).toMatchObject({ reason: "none" });
    expect(send).not.toHaveBeenCalled();
  });

  test("can't be denied after an approval, or if nobody stored it", async () => {
    const { refusal, runtime } = setUp();
    const { request } = await refusal();
    await runtime.approve(request, grace);
    await expect(runtime.deny(request, grace)).rejects.toThrow("withdraw the approval instead");
    await expect(runtime.deny("x".repeat(43), grace)).rejects.toThrow("no such request");
    await expect(runtime.deny(request, {})).rejects.toThrow("needs a `subject`");
    await expect(runtime.deny(request, { ...grace, note: "x".repeat(501) })).rejects.toThrow(
      "note",
    );
  });

  test("tells a model the note of a denial", async () => {
    const { make, refusal, runtime } = setUp();
    const { request } = await refusal();
    expect((await resultForModel(make())).content).toContain("repeat the call unchanged");
    await runtime.deny(request, { ...grace, note: "too expensive" });
    const { content } = await resultForModel(make());
    expect(content).toContain("a person denied this call: too expensive");
  });

  test("records who approved, and on which channel, in the ledger", async () => {
    const { ledger, make, refusal, runtime } = setUp();
    const { request } = await refusal();
    const by = { ...grace, channel: "terminal", claimed: true } as const;
    const approval = await runtime.approve(request, by);
    await make();
    const calls = [];
    for await (const call of queryStore(ledger, { status: "success" })) calls.push(call);
    expect(calls[0]?.decision).toMatchObject({
      approval,
      approved: { by: "grace", channel: "terminal", claimed: true },
    });
  });
});

describe("a call that waits for its approval", () => {
  test("goes on once somebody approves it", async () => {
    const { make, runtime, send } = setUp({ options: {} });
    const call = make({ approval: { wait: true } });
    await vi.waitFor(async () => {
      const [request] = (await runtime.governance?.requests()) ?? [];
      await runtime.approve(request?.id ?? "", grace);
    });
    expect(await call).toMatchObject({ status: "success" });
    expect(send).toHaveBeenCalledTimes(1);
  });

  test("finds a decision that was made before it began to wait", async () => {
    const { make, refusal, runtime } = setUp();
    await runtime.approve((await refusal()).request, grace);
    expect(await make({ approval: { wait: true } })).toMatchObject({ status: "success" });
  });

  test("ends with the note if somebody denies it", async () => {
    const { refusal, runtime } = setUp();
    const call = refusal({ approval: { wait: true } });
    await vi.waitFor(async () => {
      const [request] = (await runtime.governance?.requests()) ?? [];
      await runtime.deny(request?.id ?? "", { ...grace, note: "no" });
    });
    expect(await call).toMatchObject({ reason: "denied", note: "no" });
  });

  test("ends if its time is over, its request expires, or its caller aborts", async () => {
    const { make, pass, refusal, runtime } = setUp();
    expect(await refusal({ approval: { wait: true, timeoutMs: 0 } })).toMatchObject({
      reason: "none",
    });
    const expiring = refusal({ approval: { wait: true } });
    await vi.waitFor(async () => expect(await runtime.governance?.requests()).toHaveLength(1));
    pass(60_000);
    expect(await expiring).toMatchObject({ reason: "expired" });
    const aborting = new AbortController();
    const aborted = make({ approval: { wait: true }, signal: aborting.signal });
    await vi.waitFor(async () => expect(await runtime.governance?.requests()).toHaveLength(1));
    aborting.abort();
    await expect(aborted).rejects.toMatchObject({ failure: { reason: "aborted" } });
  });

  test("rejects a wrong wait before it asks anybody", async () => {
    const { make } = setUp();
    // @ts-expect-error only `true` waits
    await expect(make({ approval: { wait: false } })).rejects.toThrow("{ wait: true }");
    await expect(make({ approval: { wait: true, timeoutMs: -1 } })).rejects.toThrow("timeoutMs");
  });
});

describe("a caller's own confirmation", () => {
  const own = { subject: "ada", channel: "terminal" };

  test("counts only if the tool says `by: person`, on a listed channel", async () => {
    const other = setUp();
    const refused = await other.refusal();
    await expect(other.runtime.approve(refused.request, own)).rejects.toThrow(
      "callers can't approve their own calls",
    );
    const { make, refusal, runtime } = setUp({ by: "person" });
    const { request } = await refusal();
    await expect(runtime.approve(request, { subject: "ada" })).rejects.toThrow("approval_channels");
    await expect(runtime.approve(request, { ...own, channel: "chat" })).rejects.toThrow(
      "on a channel of `approval_channels`: `terminal`, `elicitation`",
    );
    await runtime.approve(request, own);
    expect(await make()).toMatchObject({ status: "success" });
  });

  test("needs a channel that is still listed when the call is made", async () => {
    const listed = setUp({ by: "person", policy: { approvalChannels: ["web"] } });
    const { request } = await listed.refusal();
    await listed.runtime.approve(request, { subject: "ada", channel: "web" });
    const unlisted = setUp({ by: "person", options: { store: listed.store } });
    expect(await unlisted.refusal()).toMatchObject({ reason: "own" });
    expect(await listed.make()).toMatchObject({ status: "success" });
  });

  test("does not replace the approver of a call whose subject is somebody else", async () => {
    const { make, refusal, runtime } = setUp({ by: "person" });
    const { request } = await refusal();
    await runtime.approve(request, grace);
    expect(await make()).toMatchObject({ status: "success" });
  });
});
