/** Answers that were not given to the question: forged, replayed, changed, or somebody else's. */
import { createHmac } from "node:crypto";
import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { chat, doIt, key, resultIn, serveApprovals, type DeskSetting } from "./approval-desk.js";
import { connectClient } from "./clients.js";

const channels = [`elicitation:${chat}`, "elicitation:other", "elicitation"];
const yes = { approval: { action: "accept", content: { approve: true } } };
const no = { approval: { action: "decline" } };

interface Sent {
  readonly name?: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly state?: string | undefined;
  readonly inputs?: object;
}

/** Sends a call as a client does that keeps and changes all that it sends. */
async function send(client: Client, { args = { id: "a" }, inputs, name = doIt, state }: Sent = {}) {
  const answer = await client.callTool(
    {
      name,
      arguments: args,
      ...(state !== undefined && { requestState: state }),
      ...(inputs !== undefined && { inputResponses: inputs }),
    } as Parameters<Client["callTool"]>[0],
    { allowInputRequired: true },
  );
  // A result may be a question.
  const { content, inputRequests, isError, requestState } = answer as {
    readonly [field: string]: unknown;
  };
  if (typeof requestState === "string")
    return { kind: "question", state: requestState, inputRequests };
  return { kind: "result", isError: isError === true, ...resultIn(content) };
}

async function stateFor(client: Client, sent: Sent = {}): Promise<string> {
  const question = await send(client, sent);
  if (!("state" in question) || typeof question.state !== "string") throw new Error("no question");
  return question.state;
}

function serve(setting: DeskSetting = {}) {
  const desk = serveApprovals({ channels, auth: "tokens", options: { key }, ...setting });
  const connect = (token: string) =>
    connectClient(desk.server, { era: "2026-07-28", way: "http", token, isManual: true });
  return { ...desk, connect };
}

const invalid = "Invalid or expired requestState";
const refused = { kind: "result", isError: true, code: "AUTH.APPROVAL_REQUIRED" };

describe("an answer to a question about a call", () => {
  test("makes the call", async () => {
    const { connect, saved, send: made } = serve();
    const ada = await connect("ada");
    const state = await stateFor(ada);
    expect(await send(ada, { state, inputs: yes })).toMatchObject({ status: "success" });
    expect([saved.length, made.mock.calls.length]).toEqual([1, 1]);
  });

  test("approves nothing when it is sent again, and leaves no request", async () => {
    const { connect, events, runtime, saved, send: made, store } = serve();
    const ada = await connect("ada");
    const state = await stateFor(ada);
    await send(ada, { state, inputs: yes });
    for (let times = 0; times < 3; times += 1)
      expect(await send(ada, { state, inputs: yes })).toMatchObject(refused);
    expect([saved.length, made.mock.calls.length]).toEqual([1, 1]);
    expect(await store.requests({ state: "pending" })).toEqual([]);
    expect(events.filter(({ type }) => type === "ApprovalDecided")).toHaveLength(1);
    expect(await runtime.governance?.requests()).toHaveLength(1);
  });

  test("approves nothing when it is sent again while an equal call waits", async () => {
    const { connect, saved, send: made, store } = serve();
    const ada = await connect("ada");
    const state = await stateFor(ada);
    await send(ada, { state, inputs: yes });
    await stateFor(ada);
    expect(await send(ada, { state, inputs: yes })).toMatchObject(refused);
    expect([saved.length, made.mock.calls.length]).toEqual([1, 1]);
    expect(await store.requests({ state: "pending" })).toHaveLength(1);
  });

  test("makes one call when it is sent many times at once", async () => {
    const { connect, saved, send: made } = serve();
    const ada = await connect("ada");
    const state = await stateFor(ada);
    const ends = await Promise.all(
      Array.from({ length: 10 }, () => send(ada, { state, inputs: yes })),
    );
    expect(ends.filter((each) => "status" in each && each["status"] === "success")).toHaveLength(1);
    expect([saved.length, made.mock.calls.length]).toEqual([1, 1]);
  });

  test("does nothing for other arguments", async () => {
    const { connect, saved, send: made, store } = serve();
    const ada = await connect("ada");
    const state = await stateFor(ada);
    const other = await send(ada, { state, inputs: yes, args: { id: "b" } });
    expect(other).toMatchObject(refused);
    expect([saved, made.mock.calls]).toEqual([[], []]);
    expect(await store.requests({ state: "pending" })).toHaveLength(1);
    // The question stays good for its call.
    expect(await send(ada, { state, inputs: yes })).toMatchObject({ status: "success" });
  });

  test.each([
    ["another caller", { token: "bob" }],
    ["the same subject of another tenant", { token: "adaElsewhere" }],
    ["another client", { token: "adaByOther" }],
    ["another tool", { name: "desk__masked" }],
    ["a tool that needs no approval", { name: "desk__free" }],
  ] as const)("does nothing for %s", async (_, changes) => {
    const { connect, saved, send: made } = serve();
    const state = await stateFor(await connect("ada"));
    const client = await connect("token" in changes ? changes.token : "ada");
    const sent = { state, inputs: yes, ...("name" in changes && { name: changes.name }) };
    await expect(send(client, sent)).rejects.toThrow(invalid);
    expect([saved, made.mock.calls]).toEqual([[], []]);
  });

  test("does nothing over another way", async () => {
    const { connect, saved, server } = serve();
    const state = await stateFor(await connect("ada"));
    const client = await connectClient(server, { era: "2026-07-28", way: "stdio", isManual: true });
    await expect(send(client, { state, inputs: yes })).rejects.toThrow(invalid);
    expect(saved).toEqual([]);
  });

  test("does nothing once the question is too old", async () => {
    const { connect, saved, send: made } = serve();
    const ada = await connect("ada");
    const state = await stateFor(ada);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 602_000 });
    onTestFinished(() => void vi.useRealTimers());
    await expect(send(ada, { state, inputs: yes })).rejects.toThrow(invalid);
    expect([saved, made.mock.calls]).toEqual([[], []]);
  });

  test("does nothing for a question that another server asked with another key", async () => {
    const other = serve({ options: { key: Buffer.alloc(32, 8).toString("base64") } });
    const state = await stateFor(await other.connect("ada"));
    const { connect, saved } = serve();
    await expect(send(await connect("ada"), { state, inputs: yes })).rejects.toThrow(invalid);
    expect(saved).toEqual([]);
  });

  test("makes the call on every server with the same key and store", async () => {
    const first = serve();
    const state = await stateFor(await first.connect("ada"));
    const second = serve({ options: { key, store: first.store } });
    const answer = await send(await second.connect("ada"), { state, inputs: yes });
    expect(answer).toMatchObject({ status: "success" });
  });

  test("does nothing for a forged question", async () => {
    const { connect, saved, send: made } = serve();
    const ada = await connect("ada");
    const state = await stateFor(ada);
    const [version = "", body = "", mac = ""] = state.split(".");
    const content = Buffer.from(body, "base64url").toString();
    const changed = Buffer.from(content.replace(/"exp":\d+/, '"exp":9999999999')).toString(
      "base64url",
    );
    const signed = createHmac("sha256", Buffer.from(key, "base64")).update(`v1.${body}`).digest();
    const forged = [
      "",
      "x",
      "v1..",
      `${version}.${changed}.${mac}`,
      `${version}.${body}.${"A".repeat(43)}`,
      `${version}.${body}.${signed.toString("base64url")}`,
      `${version}.${body}`,
      `v1.${body}.${mac}x`,
      "__proto__",
    ];
    for (const each of forged)
      await expect(send(ada, { state: each, inputs: yes })).rejects.toThrow(invalid);
    expect([saved, made.mock.calls]).toEqual([[], []]);
  });

  test("does nothing without a question", async () => {
    const { connect, saved, send: made } = serve();
    expect(await send(await connect("ada"), { inputs: yes })).toMatchObject({ kind: "question" });
    expect([saved, made.mock.calls]).toEqual([[], []]);
  });

  test.each([
    ["none", {}],
    ["one with another name", { other: yes.approval }],
    ["a list of roots", { approval: { roots: [] } }],
    ["an inherited name", JSON.parse('{"__proto__": {"action": "accept"}}') as object],
  ])("asks again for %s", async (_, inputs) => {
    const { connect, saved } = serve();
    const ada = await connect("ada");
    const state = await stateFor(ada);
    const again = await send(ada, { state, inputs });
    expect(again).toMatchObject({ kind: "question" });
    expect(again).not.toMatchObject({ state });
    expect(saved).toEqual([]);
  });

  test("leaves the request pending if the form was closed, whatever else the answer has", async () => {
    const { connect, saved, send: made } = serve();
    const ada = await connect("ada");
    const state = await stateFor(ada);
    const closed = { approval: { action: "cancel", content: { approve: true } } };
    const pending = { status: "skillc:pending" };
    expect(await send(ada, { state, inputs: closed })).toMatchObject(pending);
    expect([saved, made.mock.calls]).toEqual([[], []]);
  });

  test("denies nothing that was approved and made before", async () => {
    const { connect, runtime, send: made } = serve();
    const ada = await connect("ada");
    const state = await stateFor(ada);
    await send(ada, { state, inputs: yes });
    expect(await send(ada, { state, inputs: no })).toMatchObject(refused);
    expect(await runtime.governance?.requests()).toMatchObject([{ state: "approved" }]);
    expect(made).toHaveBeenCalledTimes(1);
  });

  test("does nothing after a no", async () => {
    const { connect, saved, send: made } = serve();
    const ada = await connect("ada");
    const state = await stateFor(ada);
    expect(await send(ada, { state, inputs: no })).toMatchObject(refused);
    expect(await send(ada, { state, inputs: yes })).toMatchObject({
      ...refused,
      message: "a person denied this call: the client's user said no; do not repeat the call",
    });
    expect([saved, made.mock.calls]).toEqual([[], []]);
  });

  test("does nothing once a list without the channel is in force", async () => {
    const first = serve();
    const state = await stateFor(await first.connect("ada"));
    const second = serve({ channels: ["terminal"], options: { key, store: first.store } });
    const answer = await send(await second.connect("ada"), { state, inputs: yes });
    expect(answer).toMatchObject({ status: "skillc:pending" });
    expect([first.saved, second.saved]).toEqual([[], []]);
  });
});

test("a question has no argument of the call, and no name of its caller", async () => {
  const { connect } = serve();
  const ada = await connect("ada");
  const args = { id: "visible-id", secret: "hunter2-hunter2" };
  const { inputRequests, state = "" } = (await send(ada, { name: "desk__masked", args })) as {
    readonly inputRequests?: unknown;
    readonly state?: string;
  };
  const form = JSON.stringify(inputRequests);
  expect(form).toContain("visible-id");
  expect(form).toContain("***");
  expect(form).not.toContain("hunter2");
  const [, body = ""] = state.split(".");
  const content = Buffer.from(body, "base64url").toString();
  for (const word of ["visible-id", "hunter2", "ada", "acme", "masked"])
    expect(content).not.toContain(word);
  expect(Object.keys((JSON.parse(content) as { p: object }).p).toSorted()).toEqual([
    "digest",
    "nonce",
  ]);
});

test.each(["2026-07-28", "2025-11-25"] as const)(
  "a client that goes away before it answers approves nothing, in %s",
  async (era) => {
    const { runtime, saved, send: made, server } = serveApprovals();
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => (answer = resolve));
    const client = await connectClient(server, {
      era,
      way: "stdio",
      elicit: () => {
        answer();
        return new Promise(() => undefined);
      },
    });
    // A client of the stateless protocol waits for its own form, and its call never ends.
    client.callTool({ name: doIt, arguments: { id: "a" } }).catch(() => undefined);
    await asked;
    await client.close();
    await server.close();
    expect([saved, made.mock.calls]).toEqual([[], []]);
    expect(await runtime.governance?.requests()).toMatchObject([{ state: "pending" }]);
  },
);
