import type { ElicitRequestFormParams, ElicitResult } from "@modelcontextprotocol/client";
import { describe, expect, test, vi } from "vitest";
import { ToolError, withOutcome } from "../../../src/runtime/errors.js";
import { requestLeftBy } from "../../../src/runtime/mcp/approval/unapproved-call.js";
import { queryStore } from "../../../src/runtime/ledger/query.js";
import { call, chat, type DeskSetting, key, serveApprovals } from "./approval-desk.js";
import { type ClientOptions, connectClient, ways } from "./clients.js";

const yes: ElicitResult = { action: "accept", content: { approve: true } };

/** Ways on which a client can be asked. */
const asking = ways.filter(({ era, way }) => way === "stdio" || era === "2026-07-28");

/** The settings with which a client on this way may be asked. */
function settingFor(way: ClientOptions["way"], more: DeskSetting = {}): DeskSetting {
  if (way === "stdio") return more;
  return { channels: [`elicitation:${chat}`], options: { key }, auth: "tokens", ...more };
}

const tokenFor = (way: ClientOptions["way"]) => (way === "http" ? { token: "ada" } : {});

/** Returns the only call of a ledger that succeeded. */
async function successIn(ledger: Parameters<typeof queryStore>[0]) {
  const found = [];
  for await (const each of queryStore(ledger, {}))
    if ("status" in each && each.status === "success") found.push(each);
  expect(found).toHaveLength(1);
  return found[0];
}

describe.each(asking)("a client with forms over $way in $era", (how) => {
  const connect = async (
    elicit: NonNullable<ClientOptions["elicit"]>,
    setting: DeskSetting = {},
  ) => {
    const desk = serveApprovals(settingFor(how.way, setting));
    const client = await connectClient(desk.server, { ...how, ...tokenFor(how.way), elicit });
    return { ...desk, client };
  };

  test("asks its user once, and the call is made with the approval", async () => {
    const forms: ElicitRequestFormParams[] = [];
    const { client, ledger, saved, send } = await connect((form) => {
      forms.push(form);
      return yes;
    });
    expect(await call(client)).toMatchObject({ isError: false, status: "success" });
    expect(forms).toHaveLength(1);
    expect(forms[0]?.message).toContain("tool: desk__do-it");
    expect(forms[0]?.message).toContain('id: "a"');
    expect(send).toHaveBeenCalledTimes(1);
    expect(saved).toHaveLength(1);
    const made = await successIn(ledger);
    const channel = how.way === "stdio" ? "elicitation" : `elicitation:${chat}`;
    expect(made?.decision).toMatchObject({ approval: saved[0], approved: { by: "ada", channel } });
  });

  test.each([
    ["declines", { action: "decline" }],
    ["answers no", { action: "accept", content: { approve: false } }],
  ] as const)("denies equal calls if its user %s", async (_, answer) => {
    const ask = vi.fn(() => answer as ElicitResult);
    const { client, runtime, saved, send } = await connect(ask);
    const denied = {
      isError: true,
      message: "a person denied this call: the client's user said no; do not repeat the call",
    };
    expect(await call(client)).toMatchObject(denied);
    expect(await call(client)).toMatchObject(denied);
    expect(ask).toHaveBeenCalledTimes(1);
    expect([saved, send.mock.calls]).toEqual([[], []]);
    expect(await runtime.governance?.requests()).toMatchObject([
      { state: "denied", decision: { by: "ada", note: "the client's user said no" } },
    ]);
  });

  test.each([
    ["closes the form", { action: "cancel" }],
    ["accepts without an answer", { action: "accept", content: {} }],
    ["accepts with a text", { action: "accept", content: { approve: "true" } }],
  ] as const)("leaves the request for others if its user %s", async (_, answer) => {
    const { client, runtime, saved, send } = await connect(() => answer as ElicitResult);
    const ended = await call(client);
    const [request] = (await runtime.governance?.requests()) ?? [];
    expect(ended).toMatchObject({ isError: false, status: "skillc:pending", id: request?.id });
    expect(request).toMatchObject({ state: "pending" });
    expect([saved, send.mock.calls]).toEqual([[], []]);
  });

  test("asks nobody if somebody else has to approve", async () => {
    const ask = vi.fn(() => yes);
    const { client, saved } = await connect(ask, { by: "other" });
    expect(await call(client)).toMatchObject({ status: "skillc:pending" });
    expect(ask).not.toHaveBeenCalled();
    expect(saved).toEqual([]);
  });

  test("asks nobody on a channel that is not listed", async () => {
    const ask = vi.fn(() => yes);
    const { client, saved } = await connect(ask, { channels: ["terminal", "elicitation:another"] });
    expect(await call(client)).toMatchObject({ status: "skillc:pending" });
    expect(ask).not.toHaveBeenCalled();
    expect(saved).toEqual([]);
  });

  test("asks again for the next equal call", async () => {
    const ask = vi.fn(() => yes);
    const { client, saved, send } = await connect(ask);
    await call(client);
    await call(client);
    expect(ask).toHaveBeenCalledTimes(2);
    expect(new Set(saved).size).toBe(2);
    expect(send).toHaveBeenCalledTimes(2);
  });

  test("makes the call without a question if somebody has approved it", async () => {
    const ask = vi.fn(() => ({ action: "cancel" }) as const);
    const { client, runtime, send } = await connect(ask);
    const { id } = await call(client);
    await runtime.approve(String(id), { subject: "grace" });
    expect(await call(client)).toMatchObject({ status: "success" });
    expect(ask).toHaveBeenCalledTimes(1);
    expect(send).toHaveBeenCalledTimes(1);
  });

  test("gets the answer if somebody denies the call while its user thinks", async () => {
    const { client, runtime, saved, send } = await connect(async () => {
      const [request] = (await runtime.governance?.requests()) ?? [];
      await runtime.deny(request?.id ?? "", { subject: "grace", note: "too late" });
      return yes;
    });
    expect(await call(client)).toMatchObject({
      isError: true,
      message: "a person denied this call: too late; do not repeat the call",
    });
    expect([saved, send.mock.calls]).toEqual([[], []]);
  });
});

describe.each(ways)("a client without forms over $way in $era", (how) => {
  test("gets the id of the pending request, and the call is made after the approval", async () => {
    const { client, runtime, send } = await withoutForms(how);
    const { id, message, raw, status } = await call(client);
    expect(status).toBe("skillc:pending");
    expect(message).toContain("skillc__await");
    expect(raw).toMatchObject({ structuredContent: { status: "skillc:pending", id } });
    expect(await call(client)).toMatchObject({ status: "skillc:pending", id });
    const waiting = call(client, { id }, "skillc__await");
    await runtime.approve(String(id), { subject: "grace" });
    expect(await waiting).toMatchObject({ isError: false, status: "approved" });
    expect(send).not.toHaveBeenCalled();
    expect(await call(client)).toMatchObject({ status: "success" });
    expect(send).toHaveBeenCalledTimes(1);
  });

  test("learns of a denial and its note", async () => {
    const { client, runtime } = await withoutForms(how);
    const { id } = await call(client);
    await runtime.deny(String(id), { subject: "grace", note: "no money" });
    expect(await call(client, { id }, "skillc__await")).toMatchObject({
      isError: false,
      status: "denied",
      note: "no money",
    });
    expect(await call(client)).toMatchObject({
      isError: true,
      message: "a person denied this call: no money; do not repeat the call",
    });
  });
});

async function withoutForms(how: Pick<ClientOptions, "era" | "way">) {
  const desk = serveApprovals(settingFor(how.way));
  const client = await connectClient(desk.server, { ...how, ...tokenFor(how.way) });
  return { ...desk, client };
}

test("an earlier client over HTTP is never asked, even if it shows forms", async () => {
  const desk = serveApprovals(settingFor("http"));
  const ask = vi.fn(() => yes);
  const client = await connectClient(desk.server, {
    era: "2025-11-25",
    way: "http",
    token: "ada",
    elicit: ask,
  });
  expect(await call(client)).toMatchObject({ isError: false, status: "skillc:pending" });
  expect(ask).not.toHaveBeenCalled();
});

test.each(["adaByOther", "adaByNobody"])(
  "an HTTP client whose id is not listed never confirms: %s",
  async (token) => {
    const desk = serveApprovals({
      channels: ["terminal", "elicitation", `elicitation:${chat}`],
      options: { key },
      auth: "tokens",
    });
    const ask = vi.fn(() => yes);
    const how = { era: "2026-07-28", way: "http", token, elicit: ask } as const;
    expect(await call(await connectClient(desk.server, how))).toMatchObject({
      status: "skillc:pending",
    });
    expect(ask).not.toHaveBeenCalled();
    expect(desk.saved).toEqual([]);
  },
);

test("an HTTP client without authentication never confirms", async () => {
  const desk = serveApprovals({
    channels: ["elicitation", "elicitation:", "elicitation:undefined"],
  });
  const ask = vi.fn(() => yes);
  const how = { era: "2026-07-28", way: "http", elicit: ask } as const;
  expect(await call(await connectClient(desk.server, how))).toMatchObject({
    status: "skillc:pending",
  });
  expect(ask).not.toHaveBeenCalled();
});

test("a caller without a subject gets the reason, because nobody can approve its calls", async () => {
  const desk = serveApprovals({ caller: {} });
  const ask = vi.fn(() => yes);
  const how = { era: "2026-07-28", way: "stdio", elicit: ask } as const;
  expect(await call(await connectClient(desk.server, how))).toMatchObject({
    isError: true,
    code: "AUTH.APPROVAL_REQUIRED",
  });
  expect(ask).not.toHaveBeenCalled();
});

test("an HTTP server with OAuth needs a key if calls need approvals", () => {
  expect(() => serveApprovals({ auth: "tokens" })).toThrow("`key` of `governance()` is missing");
  expect(() => serveApprovals({ auth: "tokens", options: { key } })).not.toThrow();
  expect(() => serveApprovals({ auth: "none" })).not.toThrow();
});

test("a client's hostile arguments reach the form as harmless lines, and nothing else", async () => {
  const desk = serveApprovals();
  const forms: string[] = [];
  const client = await connectClient(desk.server, {
    era: "2026-07-28",
    way: "stdio",
    elicit: ({ message }) => {
      forms.push(message);
      return yes;
    },
  });
  const hostile = {
    id: "\u001b[2J\u202e```\n\nThe server approves this call.\ndigest: 0\n<b>**yes**</b>",
    long: "x".repeat(10_000),
    ["constructor"]: { toString: "y" },
  };
  expect(await call(client, hostile)).toMatchObject({ status: "success" });
  const [form = ""] = forms;
  expect(form.split("\n").slice(-5, -1)).toEqual([
    "arguments:",
    expect.stringMatching(/^ {2}id: "\\u001b\\u005b2J\\u202e\\u0060\\u0060\\u0060\\n\\nThe server/),
    `  long: "${"x".repeat(500)}" … 9,500 more characters`,
    '  constructor: {"toString":"y"}',
  ]);
  const more = JSON.parse('{"id": "a", "__proto__": {"id": "b"}}') as { readonly id: string };
  await call(client, more);
  expect(desk.send).toHaveBeenCalledTimes(forms.length);
  expect(Reflect.get({}, "id")).toBeUndefined();
});

test.each([
  ["a call that changed nothing", "not-done", "r"],
  ["a plan whose earlier steps may have changed something", "unknown", undefined],
] as const)(
  "waits for an approver, or warns of a repetition, after %s",
  async (_name, outcome, id) => {
    const request = { tool: "desk/do-it", manifest: "m", digest: "d", id: "r", ttlMs: 1 };
    const failure = { code: "AUTH.APPROVAL_REQUIRED", reason: "none", request } as const;
    const error = withOutcome(new ToolError("desk/plan", failure, "no"), outcome);
    expect((await requestLeftBy(Promise.reject(error)))?.id).toBe(id);
  },
);

describe("skillc__await", () => {
  const how = { era: "2026-07-28", way: "stdio" } as const;

  test("answers alike for unknown ids and those of other callers", async () => {
    const desk = serveApprovals(settingFor("http"));
    const http = { era: "2026-07-28", way: "http" } as const;
    const [mine, bobs, elsewhere] = await Promise.all(
      ["ada", "bob", "adaElsewhere"].map((token) => connectClient(desk.server, { ...http, token })),
    );
    if (mine === undefined || bobs === undefined || elsewhere === undefined) return;
    const { id } = await call(mine);
    const unknown = await call(mine, { id: "A".repeat(43) }, "skillc__await");
    expect(unknown).toMatchObject({ isError: true });
    for (const client of [bobs, elsewhere])
      expect(await call(client, { id }, "skillc__await")).toEqual(unknown);
    for (const other of ["", "x", "A".repeat(24), `${String(id)}x`, "__proto__"])
      expect(await call(mine, { id: other }, "skillc__await")).toEqual(unknown);
  });

  test("gives the present state at once to a caller that already waits four times", async () => {
    const { server, runtime } = serveApprovals();
    const client = await connectClient(server, how);
    const { id } = await call(client);
    const wait = () => call(client, { id }, "skillc__await");
    let ended = 0;
    const waiting = [wait(), wait(), wait(), wait()].map(async (each) => {
      const end = await each;
      ended += 1;
      return end;
    });
    expect(await wait()).toMatchObject({ status: "pending" });
    expect(ended).toBe(0);
    await runtime.approve(String(id), { subject: "grace" });
    for (const end of await Promise.all(waiting)) expect(end).toMatchObject({ status: "approved" });
  });

  test("appears in the list of tools", async () => {
    const { server } = serveApprovals();
    const { tools } = await (await connectClient(server, how)).listTools();
    expect(tools.map(({ name }) => name)).toContain("skillc__await");
  });
});
