/** The fixture's tools and files, behind an MCP server with the names of the suite's scenarios. */
import { governance } from "@skillc/runtime/governance";
import { createMcpServer, modelClient } from "@skillc/runtime/mcp";
import { onTestFinished, vi } from "vitest";
import { catalog, createRuntime, tools } from "../../../cases/mcp-conformance/generated/index.js";
import { policy } from "../../../cases/mcp-conformance/generated/policy.js";
import type { Handlers } from "../../../cases/mcp-conformance/generated/handlers.js";
import { connectClient, listen } from "../clients.js";
import { publishedData } from "../published-data.js";
import { withScenarioNames } from "./scenario-names.js";

/** The client that may ask its user for approvals. */
const client = {
  ...modelClient({ tenant: "acme", subject: "ada" }, "http"),
  clientId: "conformance",
};

/** Time in which the server tells of progress, and looks for changes of tools, in milliseconds. */
const everyMs = 5000;

/** Serves the fixture until the test ends, and returns the URL. */
export async function serveFixture(): Promise<string> {
  // Handlers move this clock, so that no scenario waits for the server.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const server = createMcpServer({
    mcp: await publishedData("test/cases/mcp-conformance"),
    catalog,
    tools,
    runtime: fixtureRuntime(),
    auth: { authenticate: async () => client, hosts: ["localhost", "127.0.0.1"] },
    maxResultChars: 10_000,
    progressMs: everyMs,
  });
  onTestFinished(() => server.close({ deadlineMs: 0 }));
  const uris = new Map([
    ["test://static-text", "skill://test/static-text.txt"],
    ["test://static-binary", "skill://test/static-binary.png"],
    ["test://template/123/data", await keptResult(server)],
  ]);
  return listen(withScenarioNames(server, uris));
}

/** Makes a call whose result is too long, and returns the URI of the whole. */
async function keptResult(server: Parameters<typeof connectClient>[0]): Promise<string> {
  const caller = await connectClient(server, { era: "2026-07-28", way: "http" });
  const { structuredContent } = await caller.callTool({ name: "test__template-data" });
  // Every result of this tool is too long.
  return (structuredContent as { readonly uri: string }).uri;
}

function fixtureRuntime() {
  const governed = governance({ policy, key: Buffer.alloc(32, 7) });
  return createRuntime({
    inherit: false,
    ledger: false,
    env: {},
    governance: governed,
    handlers: fixtureHandlers(async () => {
      const { state } = (await governed.store.states())[0] ?? {};
      const next = state === "paused" ? "enabled" : "paused";
      await governed.setToolState("test/changing", next, { by: "ada", because: "the scenario" });
    }),
  });
}

function fixtureHandlers(changeTools: () => Promise<void>): Handlers {
  const answer = async () => ({ text: "This is a simple text response for testing." });
  return {
    "test/simple-text": answer,
    "test/logging-tool": answer,
    "test/changing": answer,
    "test/json-schema-2020-12-tool": answer,
    "test/elicitation": answer,
    "test/streaming-elicitation": answer,
    "test/missing-capability": answer,
    "test/input-required-result-elicitation": answer,
    "test/input-required-result-tampered-state": answer,
    "test/input-required-result-multi-round": answer,
    "test/input-required-result-capabilities": answer,
    "test/input-required-result-request-state": async () => ({ text: "state-ok" }),
    "test/template-data": async () => ({ text: "123 ".repeat(10_000) }),
    "test/error-handling": async () => {
      throw new Error("This tool intentionally returns an error for testing");
    },
    "test/tool-with-progress": async () => {
      await vi.advanceTimersByTimeAsync(3 * everyMs);
      return answer();
    },
    "test/trigger-tool-change": async () => {
      await changeTools();
      await vi.advanceTimersByTimeAsync(everyMs);
      return answer();
    },
  };
}
