import { describe, expect, test, vi } from "vitest";
import { governance } from "@skillc/runtime/governance";
import { policy } from "../../../generated/policy.js";
import { connectClient, ways } from "./clients.js";
import { serveDesk } from "./order-desk.js";

const secret = "connect ECONNREFUSED db.internal:5432";

/** Serves the example skills with parts that fail. */
async function serveBroken() {
  const own = governance({ policy });
  vi.spyOn(own, "offersTo").mockRejectedValue(new Error(secret));
  const fail = () => Promise.reject(new Error(secret));
  const results = { kind: "broken", keep: fail, read: fail, close: async () => {} };
  const onError = vi.fn<(error: unknown) => void>();
  const { server } = await serveDesk({ governance: own, results, onError });
  return { server, onError };
}

describe.each(ways)("a server over $way in $era whose parts fail", (how) => {
  test("tells its operator why, and its client nothing", async () => {
    const { onError, server } = await serveBroken();
    const client = await connectClient(server, how);
    expect(client.getInstructions()).toContain("skillc__skill");
    for (const ask of [
      () => client.listTools(),
      () => client.callTool({ name: "order-desk__get-order", arguments: {} }),
      () => client.readResource({ uri: "skillc://results/x" }),
      () => client.listResources(),
    ]) {
      const error = await ask().catch((thrown: unknown) => thrown);
      expect(String(error)).toContain("the server failed");
      expect(JSON.stringify(error)).not.toContain("ECONNREFUSED");
      expect(String(error)).not.toContain("ECONNREFUSED");
    }
    expect(onError.mock.calls.flat().map(String)).toContain(`Error: ${secret}`);
  });
});
