import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { callTool } from "../../../../src/runtime/call/call-tool.js";
import { configure, verifyLedger } from "../../../../src/runtime/runtime.js";
import { shutdown } from "../../../../src/runtime/shutdown.js";
import { contractOf } from "./call-tool.js";
import { onServer, type Tool } from "./support.js";

const insert: Tool = {
  text: "INSERT INTO events DEFAULT VALUES",
  effect: "write",
  rows: "none",
};

onServer("CREATE TABLE events (id serial)", (database) => {
  test("shutdown waits for writes under way, and the ledger has their ends", async () => {
    const directory = mkdtempSync(join(tmpdir(), "skillc-shutdown-"));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const url = `${database().url}?pool_max=2`;
    configure({ credentials: { TEST_URL: url }, ledger: { directory }, inherit: false });
    const contract = contractOf(insert);
    const calls = Array.from({ length: 200 }, () => callTool(contract, {}));
    await shutdown();
    // As it stands when the process exits right after.
    expect(await verifyLedger({ directory })).toMatchObject({
      records: 400,
      unknownOutcomes: [],
      writers: [{ state: "closed" }],
    });
    const answers = await Promise.all(calls);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(["success"]));
    expect(await database().rows("SELECT count(*)::int4 AS n FROM events")).toEqual([{ n: 200 }]);
  });
});
