import { expect, test, vi } from "vitest";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import { createRuntime } from "../../../src/runtime/runtime.js";
import { exampleTool, succeed } from "../example-tool.js";

test("a tool whose answers obligations change is not called by a runtime that can't meet them", async () => {
  const send = vi.fn(succeed);
  const runtime = createRuntime({ inherit: false, ledger: false });
  const call = callTool(exampleTool(send, { obliged: true }), { id: "7" }, { runtime });
  await expect(call).rejects.toMatchObject({
    failure: {
      code: "POLICY.DENY_TOOL",
      missing: [{ kind: "governance", name: "desk/do-it" }],
    },
  });
  expect(send).not.toHaveBeenCalled();
  const other = await callTool(exampleTool(send), { id: "7" }, { runtime });
  expect(other).toMatchObject({ status: "success" });
});
