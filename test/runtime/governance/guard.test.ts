/** Requests that the guard allows, counted by a server that receives them. */
import { execFile } from "node:child_process";
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import { isIP } from "node:net";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { UrlPart } from "../../../src/bindings/http/contract.js";
import { credential, http } from "../../../src/bindings/http/execute.js";
import type { GovernedTool, ProjectPolicy } from "../../../src/runtime/governance/policy.js";
import { failure, serve } from "../../bindings/http/execute/support.js";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import { createRuntime } from "../../../src/runtime/runtime.js";
import { exampleTool, type Result, succeed } from "../example-tool.js";
import { govern, policyOf } from "./governed.js";

/** A read that is tried twice, so that nothing gets out with the second attempt either. */
function readOf(...url: readonly UrlPart[]) {
  return exampleTool(succeed, {
    effect: "read",
    retry: { maxAttempts: 2, backoffMs: 1, backoffMultiplier: 1 },
    binding: http<unknown, unknown, Result>({ method: "GET", request: () => ({ url }) }),
  });
}

function guarded(
  capabilities: GovernedTool["capabilities"],
  setting = "",
  deployment: Partial<ProjectPolicy> = {},
) {
  const policy = policyOf({ effect: "read", capabilities }, deployment);
  return govern(policy, {}, { U: setting }).call;
}

const received = ({ received: all }: Awaited<ReturnType<typeof serve>>) =>
  all.map(({ path }) => path);

/**
 * Stands in for the names that the system knows: `answers` in turn, the last one from then on.
 */
function resolveTo(...answers: readonly (readonly string[])[]) {
  let asked = 0;
  const lookup = (
    _host: string,
    options: { readonly all?: boolean },
    callback: (error: null, found: unknown, family?: number) => void,
  ): void => {
    const addresses = answers[Math.min(asked, answers.length - 1)] ?? [];
    asked += 1;
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    if (options.all === true) callback(null, found);
    else callback(null, found[0]?.address, found[0]?.family);
  };
  // One of its overloads, the one that connections use.
  const spy = vi.spyOn(dns, "lookup").mockImplementation(lookup as typeof dns.lookup);
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
}

const byAddress = { code: "SANDBOX.CAPABILITY_BLOCKED", by: "address" };

describe("a call that goes to this machine", () => {
  test("a call to this machine is allowed to an address from a setting, which the operator chose", async () => {
    const server = await serve();
    const call = guarded(["net.http:get ${U}/a"], server.url);
    expect(await call(readOf(credential("U"), "/a"))).toMatchObject({ status: "success" });
    expect(received(server)).toEqual(["/a"]);
  });

  test("a call to this machine is allowed to an address that the deployment lists", async () => {
    const server = await serve();
    const capabilities = [`net.http:get ${server.url}/a`];
    const call = guarded(capabilities, "", { capabilities });
    expect(await call(readOf(server.url, "/a"))).toMatchObject({ status: "success" });
    expect(received(server)).toEqual(["/a"]);
  });

  test.each(["127.0.0.1", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "2130706433", "0x7f.1", "0"])(
    "sends nothing when its skill has written http://%s",
    async (host) => {
      const server = await serve();
      const url = `http://${host}:${server.port}`;
      // However the address is written, and once the URL is parsed.
      const call = guarded([url, new URL(url).origin].map((each) => `net.http:get ${each}/a`));
      const refused = await failure(call(readOf(url, "/a")));
      expect(refused.failure).toMatchObject(byAddress);
      expect(refused.outcome).toBe("not-done");
      expect(received(server)).toEqual([]);
    },
  );
});

describe("a name that its skill has written", () => {
  test("a host name is allowed to a public address, and sends nothing if the name resolves to a private one on connecting", async () => {
    const server = await serve();
    resolveTo(["93.184.216.34"], ["127.0.0.1"]);
    const before = await promisify(dns.lookup)("orders.example", { all: true });
    expect(before).toMatchObject([{ address: "93.184.216.34" }]);
    const url = `http://orders.example:${server.port}`;
    const refused = await failure(guarded([`net.http:get ${url}/a`])(readOf(url, "/a")));
    expect(refused.failure).toMatchObject(byAddress);
    expect(received(server)).toEqual([]);
  });

  test("sends nothing if any one of its addresses is private, at any position", async () => {
    const server = await serve();
    const url = `http://orders.example:${server.port}`;
    for (const addresses of [
      ["127.0.0.1", "93.184.216.34"],
      ["93.184.216.34", "::ffff:127.0.0.1"],
    ]) {
      resolveTo(addresses);
      const refused = await failure(guarded([`net.http:get ${url}/a`])(readOf(url, "/a")));
      expect(refused.failure).toMatchObject(byAddress);
    }
    expect(received(server)).toEqual([]);
  });

  test("a host name is checked for each connection, even if an earlier one went to a public address", async () => {
    const server = await serve((response) => response.setHeader("connection", "close").end("{}"));
    // Of a setting, so that the first may be made.
    resolveTo(["127.0.0.1"], ["169.254.169.254"]);
    const call = guarded(["net.http:get ${U}/a"], `http://orders.example:${server.port}`);
    expect(await call(readOf(credential("U"), "/a"))).toMatchObject({ status: "success" });
    const refused = await failure(call(readOf(credential("U"), "/a")));
    expect(refused.failure).toMatchObject(byAddress);
    expect(received(server)).toEqual(["/a"]);
  });
});

describe("a call that an address is refused to", () => {
  test("names its tool and `address` as the reason, in the error and in the ledger", async () => {
    const server = await serve();
    resolveTo(["127.0.0.1"], ["127.0.0.1"], ["169.254.169.254"]);
    const url = `http://orders.example:${server.port}`;
    const capabilities = [`net.http:get ${url}/a`];
    const { call, ledger } = govern(policyOf({ effect: "read", capabilities }));
    // Two at once share what they are refused by.
    const both = await Promise.all([
      failure(call(readOf(url, "/a"))),
      failure(call(readOf(url, "/a"))),
    ]);
    for (const refused of both)
      expect(refused).toMatchObject({
        tool: "desk/do-it",
        attempts: 1,
        outcome: "not-done",
        message: "`desk/do-it` must not reach this address: the host resolves to a private address",
      });
    expect(await failure(call(readOf(url, "/a")))).toMatchObject({
      tool: "desk/do-it",
      failure: { ...byAddress, capability: "address local" },
    });
    expect(ledger.records).toHaveLength(3);
    for (const record of ledger.records)
      expect(record).toMatchObject({ status: "denied", decision: { decidedBy: ["address"] } });
  });
});

describe("a call that its binding takes elsewhere", () => {
  test.each(["manifest", "deployment"])(
    "sends nothing beyond the capabilities of the %s",
    async (by) => {
      const server = await serve();
      const capabilities = ["net.http:get ${U}/orders"];
      const call =
        by === "manifest"
          ? guarded(capabilities, server.url)
          : guarded(["net.http:get ${U}"], server.url, { capabilities });
      const refused = await failure(call(readOf(credential("U"), "/orders-of-others")));
      expect(refused.failure).toMatchObject({ code: "SANDBOX.CAPABILITY_BLOCKED", by });
      expect(received(server)).toEqual([]);
      expect(await call(readOf(credential("U"), "/orders"))).toMatchObject({ status: "success" });
      expect(received(server)).toEqual(["/orders"]);
    },
  );
});

describe("a process", () => {
  const { execPath } = process;
  const succeedIn = promisify(execFile);

  /** A tool of a kind that starts a process, and tells what was started. */
  function starting(program: string, credentials: readonly string[] = []) {
    const started: string[] = [];
    const tool = exampleTool(
      async ({ hooks }) => {
        const args = ["-e", ""];
        hooks.starting?.({ program, args });
        started.push(program);
        await succeedIn(program, args);
        return succeed();
      },
      { effect: "read", credentials },
    );
    return { started, tool };
  }

  test("starts if the capabilities list its program, by path or by setting", async () => {
    for (const capability of [`proc.exec ${execPath}`, "proc.exec ${U}"]) {
      const { started, tool } = starting(execPath, ["U"]);
      const call = guarded([capability], execPath);
      expect(await call(tool)).toMatchObject({ status: "success" });
      expect(started).toEqual([execPath]);
    }
  });

  test.each(["manifest", "deployment"])(
    "does not start if the capabilities of the %s do not list it",
    async (by) => {
      const { started, tool } = starting(execPath);
      const [narrow, wide] = [["proc.exec git"], ["proc.exec *"]];
      const call =
        by === "manifest" ? guarded(narrow) : guarded(wide, "", { capabilities: narrow });
      const refused = await failure(call(tool));
      const capability = `proc.exec ${execPath}`;
      const blocked = { code: "SANDBOX.CAPABILITY_BLOCKED", by, capability };
      expect(refused.failure).toMatchObject(blocked);
      expect(refused.outcome).toBe("not-done");
      expect(started).toEqual([]);
    },
  );

  test("starts unchecked in a runtime without governance", async () => {
    const { started, tool } = starting(execPath);
    const runtime = createRuntime({ ledger: false });
    expect(await callTool(tool, { id: "a" }, { runtime })).toMatchObject({ status: "success" });
    expect(started).toEqual([execPath]);
  });

  test("the start of a process is refused with an error that hides a credential in the path of its program", async () => {
    const { started, tool } = starting("/srv/s3cr3t-value/bin", ["U"]);
    const call = guarded(["proc.exec git"], "s3cr3t-value");
    const { failure: why, message } = await failure(call(tool));
    expect(JSON.stringify(why) + message).not.toContain("s3cr3t");
    expect(started).toEqual([]);
  });
});

describe("a redirect", () => {
  async function redirecting(location: (url: string) => string) {
    const server = await serve((response, { path }) =>
      path === "/go"
        ? response.writeHead(302, { location: location(server.url) }).end()
        : response.end("{}"),
    );
    return server;
  }

  test("a redirect is followed if its target is within the capabilities", async () => {
    const server = await redirecting((url) => `${url}/go/on`);
    const call = guarded(["net.http:get ${U}/go"], server.url);
    expect(await call(readOf(credential("U"), "/go"))).toMatchObject({ status: "success" });
    expect(received(server)).toEqual(["/go", "/go/on"]);
  });

  test("a redirect is refused if its path is beyond the capabilities, and nothing is sent there", async () => {
    const server = await redirecting((url) => `${url}/admin`);
    const call = guarded(["net.http:get ${U}/go"], server.url);
    const refused = await failure(call(readOf(credential("U"), "/go")));
    expect(refused.failure).toMatchObject({ code: "SANDBOX.CAPABILITY_BLOCKED", by: "manifest" });
    expect(received(server)).toEqual(["/go"]);
  });

  test.each([
    ["a metadata service", () => "http://169.254.169.254/latest"],
    ["this machine by another name", (url: string) => url.replace("127.0.0.1", "localhost")],
    ["another port of this machine", () => "http://127.0.0.1:9/"],
  ])(
    "a redirect is returned as the answer, and not followed, if it leads to %s",
    async (_where, location) => {
      const server = await redirecting(location);
      // That it is within the capabilities changes nothing.
      const capabilities = ["net.http:get ${U}", `net.http:get ${location(server.url)}`];
      const call = guarded(capabilities, server.url, { capabilities });
      expect(await call(readOf(credential("U"), "/go"))).toMatchObject({
        status: "error",
        status_code: 302,
      });
      expect(received(server)).toEqual(["/go"]);
    },
  );
});

describe("a poll of accepted work", () => {
  const capabilities = ["net.http:post ${U}/reports", "net.http:get ${U}/operations"];

  /** A write that is accepted at `/reports`, and whose polls lead through `places` to an answer. */
  async function polled(...places: readonly string[]) {
    const server = await serve((response, { path }) => {
      const location = places[places.indexOf(path) + 1];
      if (location === undefined) response.end('{"done":true}');
      else response.writeHead(202, { location }).end();
    });
    const { call, ledger } = govern(
      policyOf({ capabilities }, { capabilities: ["net.http:* ${U}"] }),
      {},
      { U: server.url },
    );
    const tool = exampleTool(succeed, {
      effect: "write",
      binding: http<unknown, unknown, Result>({
        method: "POST",
        request: () => ({ url: [credential("U"), "/reports"] }),
        poll: { intervalMs: 1 },
      }),
    });
    return { result: call(tool), ledger, server };
  }

  test("goes to each address within the capabilities", async () => {
    const { ledger, result, server } = await polled("/operations/1", "/operations/2?page=3");
    expect(await result).toMatchObject({ status: "success" });
    expect(received(server)).toEqual(["/reports", "/operations/1", "/operations/2?page=3"]);
    expect(ledger.records.at(-1)).toMatchObject({ accepted: { polls: 2 } });
  });

  test.each([
    ["the first address", ["/admin"]],
    ["an address that a poll names", ["/operations/1", "/operations-of-others"]],
  ])(
    "a poll is not sent to %s beyond the capabilities, and the outcome of the write is unknown",
    async (_which, places) => {
      const { ledger, result, server } = await polled(...places);
      const refused = await failure(result);
      expect(refused.failure).toMatchObject({ code: "SANDBOX.CAPABILITY_BLOCKED", by: "manifest" });
      expect(refused.outcome).toBe("unknown");
      expect(received(server)).toEqual(["/reports", ...places.slice(0, -1)]);
      expect(ledger.records.at(-1)).toMatchObject({
        status: "unknown",
        accepted: { at: places.at(-1) },
      });
    },
  );
});
