/** Records that are too long for the file ledger: the error names the part and its length. */
import { describe, expect, it, onTestFinished } from "vitest";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import type { Mode } from "../../../src/runtime/tool.js";
import { createRuntime } from "../../../src/runtime/runtime.js";
import { exampleTool, succeed } from "../example-tool.js";
import { createFileLedger } from "../../../src/runtime/ledger/files/file-store.js";
import { entryOf } from "../../../src/runtime/ledger/store.js";
import { callsIn, endRecord, temporaryDirectory } from "./fixtures.js";

const limit = 16_777_216;

describe("parameters that are too long for the ledger", () => {
  it.each<Mode>(["active", "shadow"])(
    "parameters that are too long for the ledger are reported as the caller's fault (%s)",
    async (mode) => {
      const directory = temporaryDirectory();
      let sent = 0;
      const tool = exampleTool(() => {
        sent += 1;
        return succeed();
      });
      const runtime = createRuntime({ inherit: false, ledger: { directory }, mode });
      const call = callTool(tool, { id: "x".repeat(limit) }, { runtime });
      const message = expect.stringMatching(
        new RegExp(`^make a record of \\d+ characters, but the ledger accepts at most ${limit}$`),
      ) as string;
      await expect(call).rejects.toMatchObject({
        failure: {
          code: "SCHEMA.VALIDATION_FAILED",
          subject: "parameters",
          problems: [{ pointer: "", keyword: "ledger", message }],
        },
        message: expect.stringMatching(
          /^parameters of `desk\/do-it` can't be sent: make a record of \d+ characters, but the ledger accepts at most 16777216$/,
        ) as string,
        attempts: 0,
        outcome: "not-done",
      });
      expect(sent).toBe(0);
      await callTool(tool, { id: "short" }, { runtime });
      await runtime.close();
      expect(await callsIn(directory)).toHaveLength(1);
    },
  );
});

describe("records of reads that are too long for the ledger", () => {
  it("cause a warning for the first, and one at the end with their number", async () => {
    const warnings: string[] = [];
    const listen = ({ message, name }: Error) => {
      if (name === "SkillcLedgerWarning") warnings.push(message);
    };
    process.on("warning", listen);
    onTestFinished(() => void process.off("warning", listen));
    const directory = temporaryDirectory();
    const ledger = createFileLedger({ directory });
    const read = (result: string) => {
      const record = endRecord({ effect: "read", result });
      void ledger.append(entryOf(record));
      return record.id;
    };
    const kept = [read("short")];
    const [first] = [0, 1, 2].map(() => read("x".repeat(limit)));
    kept.push(read("short"));
    ledger.flush();
    await ledger.close();
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([
      `the record of call ${first} is too long for the ledger`,
      "the records of 3 calls were too long for the ledger",
    ]);
    const found = await callsIn(directory);
    expect(found.map(({ id }) => id).toSorted()).toEqual(kept.toSorted());
  });
});
