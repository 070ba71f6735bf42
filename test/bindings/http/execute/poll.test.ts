import { describe, expect, it, vi } from "vitest";
import type { HttpContract } from "../../../../src/bindings/http/contract.js";
import { createFileLedger } from "../../../../src/runtime/ledger/files/file-store.js";
import type { LedgerCall } from "../../../../src/runtime/ledger/ledger-call.js";
import type { EndRecord } from "../../../../src/runtime/ledger/record.js";
import type { LedgerStore } from "../../../../src/runtime/ledger/store.js";
import { createMemoryLedger, createRuntime } from "../../../../src/runtime/index.js";
import { callsIn, temporaryDirectory } from "../../../runtime/ledger/fixtures.js";
import { stopClock } from "../../../support/stopped-clock.js";
import { callWith, json } from "./auth/token-server.js";
import { failure, type Received, serve, type TestServer } from "./support.js";

type Contract = Partial<HttpContract<object, unknown>>;
type Respond = NonNullable<Parameters<typeof serve>[0]>;

const accepted =
  (location: string): Respond =>
  (response) =>
    response.writeHead(202, { location }).end();

/** A server that answers `POST /reports` by the first function, and each poll by the next; the last one repeats. */
async function reports(first: Respond, ...polls: readonly Respond[]): Promise<TestServer> {
  let count = 0;
  return serve((...asked) => {
    if (asked[1].method === "POST") return first(...asked);
    const answer = polls[Math.min(count, polls.length - 1)];
    count += 1;
    answer?.(...asked);
  });
}

function start(
  server: TestServer,
  contract: Contract = {},
  { ledger: kept, ...options }: { signal?: AbortSignal; ledger?: LedgerStore } = {},
) {
  const ledger = createMemoryLedger();
  const runtime = createRuntime({ inherit: false, ledger: kept ?? ledger });
  const poll = { intervalMs: 1, ...contract.poll };
  const result = callWith(
    runtime,
    {
      method: "POST",
      idempotencyHeader: "Idempotency-Key",
      request: () => ({
        url: [`${server.url}/reports`],
        headers: [
          ["X-Version", "7"],
          ["If-Match", '"a"'],
        ],
        body: { day: 1 },
      }),
      ...contract,
      poll,
    },
    { effect: "write", timeoutMs: 5000, ...options },
  );
  const record = () => ledger.records.at(-1) as EndRecord;
  return { result, record };
}

const paths = ({ received }: { readonly received: readonly Received[] }) =>
  received.map(({ method, path }) => `${method} ${path}`);

const done: Respond = (response) => json(response, 200, { url: "/files/1" });

describe("accepted work", () => {
  it("polls the address of the 202 until there is an answer, without the condition and key headers of the write", async () => {
    const server = await reports(accepted("operations/7?page=a"), accepted("/operations/7"), done);
    const { record, result } = start(server);
    expect(await result).toEqual({ status: "success", data: { url: "/files/1" } });
    expect(paths(server)).toEqual([
      "POST /reports",
      "GET /operations/7?page=a",
      "GET /operations/7",
    ]);
    const [write, poll] = server.received;
    expect(write?.headers).toMatchObject({
      "x-version": "7",
      "if-match": '"a"',
      "idempotency-key": expect.any(String),
    });
    expect(poll?.headers).toMatchObject({ "x-version": "7", accept: expect.any(String) });
    for (const name of ["if-match", "idempotency-key", "content-type", "content-length"])
      expect(poll?.headers).not.toHaveProperty(name);
    expect(record()).toMatchObject({
      status: "success",
      attempts: 1,
      accepted: { at: "/operations/7", polls: 2 },
    });
  });

  it("ends as done or failed by a state in the body, whose values the skill declares", async () => {
    const state =
      (value: unknown): Respond =>
      (response) =>
        json(response, 200, { status: value, result: 4, why: "no" });
    const poll = {
      location: "operation-location",
      state: (body: unknown) => (body as { status: unknown }).status,
      done: ["ok"],
      failed: ["bad"],
    };
    const first: Respond = (response) =>
      response.writeHead(202, { "operation-location": "/op" }).end();
    const mapped = {
      poll,
      data: (body: unknown) => (body as { result: unknown }).result,
      error: (body: unknown) => (body as { why: unknown }).why,
    };
    const good = await reports(first, state("waiting"), state(undefined), state("ok"));
    expect(await start(good, mapped).result).toEqual({ status: "success", data: 4 });
    expect(good.received).toHaveLength(4);
    const bad = await reports(first, state("bad"));
    expect(await start(bad, mapped).result).toEqual({
      status: "error",
      error: "no",
      status_code: 200,
    });
  });

  it("ends polling by a state of digits only if each digit is the same", async () => {
    const state =
      (digits: string): Respond =>
      (response) =>
        response.end(`{"state":${digits},"url":"/files/1"}`);
    const poll = {
      state: (body: unknown) => (body as { state: unknown }).state,
      done: ["653247040368672800"],
    };
    const server = await reports(
      accepted("/op"),
      state("653247040368672768"),
      state("653247040368672800"),
    );
    const data = (body: unknown) => (body as { url: unknown }).url;
    expect(await start(server, { poll, data }).result).toMatchObject({ data: "/files/1" });
    expect(server.received).toHaveLength(3);
  });

  it("polls the address in the body of the 202", async () => {
    const first: Respond = (response) => json(response, 202, { links: { self: "/jobs/3" } });
    const server = await reports(first, done);
    const at = (body: unknown) => (body as { links: { self: string } }).links.self;
    expect(await start(server, { poll: { at } }).result).toMatchObject({ status: "success" });
    expect(paths(server)).toEqual(["POST /reports", "GET /jobs/3"]);
  });

  it("follows a redirect of a poll within the origin", async () => {
    const moved: Respond = (response, { path }) =>
      path === "/op"
        ? response.writeHead(303, { location: "/files/1" }).end()
        : json(response, 200, { path });
    const server = await reports(accepted("/op"), moved);
    expect(await start(server).result).toEqual({ status: "success", data: { path: "/files/1" } });
  });

  it("polls again after a temporary failure, and never repeats the write", async () => {
    const refuses: Respond = (response) => response.writeHead(503).end();
    const breaks: Respond = (_response, _request, raw) => void raw.socket.destroy();
    const server = await reports(accepted("/op"), breaks, refuses, done);
    expect(await start(server).result).toMatchObject({ status: "success" });
    expect(server.received.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  it("the ledger holds the address before the first poll, also if the process dies", async () => {
    const directory = temporaryDirectory();
    const left: (readonly LedgerCall[])[] = [];
    const look =
      (respond: Respond): Respond =>
      async (...asked) => {
        // As another process reads it, or this one when it is started again.
        left.push(await callsIn(directory));
        return respond(...asked);
      };
    const server = await reports(
      accepted("/op?sig=s3cret"),
      look(accepted("/op?sig=s3cret")),
      look(accepted("/op/7")),
      look(done),
    );
    const ledger = createFileLedger({ directory });
    expect(await start(server, {}, { ledger }).result).toMatchObject({ status: "success" });
    await ledger.close();
    const unknown = (at: string, polls: number) => [
      { outcome: "unknown", accepted: { at, polls } },
    ];
    expect(left).toMatchObject([unknown("/op?…", 0), unknown("/op?…", 0), unknown("/op/7", 2)]);
    expect(await callsIn(directory)).toMatchObject([
      { outcome: "ended", accepted: { at: "/op/7", polls: 3 } },
    ]);
  });

  it("polls even if the ledger can't record the address", async () => {
    const server = await reports(accepted("/op"), done);
    const ledger = createMemoryLedger();
    const full: LedgerStore = {
      ...ledger,
      append: (entry) =>
        entry.json().includes('"accepted"') && entry.type === "begin"
          ? Promise.reject(new Error("full"))
          : ledger.append(entry),
    };
    const { result } = start(server, {}, { ledger: full });
    expect(await result).toMatchObject({ status: "success" });
    expect(ledger.records.at(-1)).toMatchObject({ accepted: { at: "/op", polls: 1 } });
  });

  it("waits as long as each answer asks before the next poll", async () => {
    stopClock();
    const first: Respond = (response) =>
      response.writeHead(202, { location: "/op", "retry-after": "20" }).end();
    const server = await reports(first, done);
    const { result } = start(server);
    await vi.waitFor(() => expect(server.received).toHaveLength(1), { interval: 1 });
    await vi.advanceTimersByTimeAsync(19_999);
    expect(server.received).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await result).toMatchObject({ status: "success" });
  });
});

describe("accepted write with an unseen end", () => {
  it.each([
    "http://169.254.169.254/latest/meta-data",
    "//elsewhere.example/op",
    "https://127.0.0.1/op",
    "http://user@127.0.0.1/op",
    "http:\\\\elsewhere.example",
    "http://[",
  ])("fails with an unknown outcome and sends no poll if the address is %s", async (location) => {
    const server = await reports(accepted(location), done);
    const { record, result } = start(server);
    const error = await failure(result);
    expect(error).toMatchObject({ code: "PROVIDER.PROTOCOL", outcome: "unknown" });
    expect(error.message).toContain("is at another origin or is not a URL");
    expect(server.received).toHaveLength(1);
    expect(record().status).toBe("unknown");
  });

  it("fails with an unknown outcome if the answer has no address to poll", async () => {
    const server = await reports((response) => response.writeHead(202).end(), done);
    const error = await failure(start(server).result);
    expect(error).toMatchObject({ code: "PROVIDER.PROTOCOL", outcome: "unknown" });
  });

  it("fails with an unknown outcome after the most polls, and the ledger has the address", async () => {
    const server = await reports(accepted("/op?sig=s3cret"), accepted("/op?sig=s3cret"));
    const { record, result } = start(server, { poll: { intervalMs: 0, mostPolls: 5 } });
    const error = await failure(result);
    expect(error).toMatchObject({ code: "PROVIDER.TIMEOUT", outcome: "unknown" });
    expect(server.received).toHaveLength(6);
    expect(record()).toMatchObject({ status: "unknown", accepted: { at: "/op?…", polls: 5 } });
    expect(JSON.stringify(record())).not.toContain("s3cret");
  });

  it("fails before the last wait if the wait would exceed the time limit", async () => {
    const first: Respond = (response) =>
      response.writeHead(202, { location: "/op", "retry-after": "3600" }).end();
    const server = await reports(first, done);
    const error = await failure(start(server, { poll: { timeoutMs: 60_000 } }).result);
    expect(error).toMatchObject({
      outcome: "unknown",
      failure: { code: "PROVIDER.TIMEOUT", timeoutMs: 60_000 },
    });
    expect(server.received).toHaveLength(1);
  });

  it("fails with an unknown outcome if a poll outlasts its time limit, though the tool's limit is longer", async () => {
    stopClock();
    const server = await reports(accepted("/op"), () => {});
    const error = failure(start(server, { poll: { timeoutMs: 1000 } }).result);
    await vi.waitFor(() => expect(server.received).toHaveLength(1), { interval: 1 });
    await vi.advanceTimersByTimeAsync(1);
    await vi.waitFor(() => expect(server.received).toHaveLength(2), { interval: 1 });
    await vi.advanceTimersByTimeAsync(1000);
    expect(await error).toMatchObject({
      outcome: "unknown",
      failure: { code: "PROVIDER.TIMEOUT", timeoutMs: 1000 },
    });
    expect(server.received).toHaveLength(2);
  });

  it("gives the result of a poll with an error status", async () => {
    const server = await reports(accepted("/op"), (response) =>
      response.writeHead(404).end("gone"),
    );
    const { result } = start(server, { statuses: { "404": "not_found" } });
    expect(await result).toEqual({ status: "not_found", error: "gone", status_code: 404 });
  });

  it("fails with an unknown outcome if its caller aborts between two polls", async () => {
    const server = await reports(accepted("/op"), accepted("/op"));
    const aborted = new AbortController();
    const { record, result } = start(
      server,
      { poll: { intervalMs: 60_000, timeoutMs: 600_000 } },
      { signal: aborted.signal },
    );
    const failed = failure(result);
    await vi.waitFor(() => expect(server.received).toHaveLength(1), { interval: 1 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    aborted.abort();
    expect(await failed).toMatchObject({ failure: { reason: "aborted" }, outcome: "unknown" });
    expect(record()).toMatchObject({ status: "unknown", accepted: { at: "/op", polls: 0 } });
  });
});
