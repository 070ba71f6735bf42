/** A write whose record the file ledger can't take: it is told what is too long, and by how much. */
import { describe, expect, it } from "vitest";
import { callTool } from "../../../src/runtime/call.js";
import type { Mode } from "../../../src/runtime/tool.js";
import { createRuntime } from "../../../src/runtime/runtime.js";
import { exampleTool, succeed } from "../example-tool.js";
import { callsIn, temporaryDirectory } from "./fixtures.js";

const limit = 16_777_216;

describe("parameters that are too long for the ledger", () => {
  it.each<Mode>(["active", "shadow"])("are the caller's fault, and named so (%s)", async (mode) => {
    const directory = temporaryDirectory();
    let sent = 0;
    const tool = exampleTool(() => {
      sent += 1;
      return succeed();
    });
    const runtime = createRuntime({ inherit: false, ledger: { directory }, mode });
    const call = callTool(tool, { id: "x".repeat(limit) }, { runtime });
    const message = expect.stringMatching(
      new RegExp(`^make a record of \\d+ characters, and the ledger takes ${limit} at most$`),
    ) as string;
    await expect(call).rejects.toMatchObject({
      failure: {
        code: "SCHEMA.VALIDATION_FAILED",
        subject: "parameters",
        problems: [{ pointer: "", keyword: "ledger", message }],
      },
      message: expect.stringMatching(
        /^parameters of `desk\/do-it` can't be sent: make a record of \d+ characters, and the ledger takes 16777216 at most$/,
      ) as string,
      attempts: 0,
      outcome: "not-done",
    });
    expect(sent).toBe(0);
    await callTool(tool, { id: "short" }, { runtime });
    await runtime.close();
    expect(await callsIn(directory)).toHaveLength(1);
  });
});
