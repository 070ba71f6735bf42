import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { verifyLedger } from "../../src/runtime/runtime.js";
import { loaderArgs } from "../support/node-loader.js";

const program = fileURLToPath(new URL("./programs/one-call.ts", import.meta.url));

const order = { id: "ord_1001", customer_id: "cus_ada", status: "open", lines: [], total: 0 };
const body = JSON.stringify({ data: { ...order, created_at: "2026-01-01T00:00:00Z" } });

/** A service that never closes a connection: whoever waits for that waits forever. */
async function patientService(): Promise<string> {
  const server = createServer((request, response) => {
    response.writeHead(request.method === "POST" ? 201 : 200, {
      "content-type": "application/json",
      "keep-alive": "timeout=600",
    });
    response.end(body);
  });
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  // A TCP server that listens has an address of this form.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each(["read", "write"])(
  "a process that makes one %s, and closes nothing, ends by itself with all of it in the ledger",
  async (effect) => {
    const url = await patientService();
    const folder = mkdtempSync(join(tmpdir(), "skillc-exits-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const args = [...loaderArgs, program, folder, url, effect];
    // Killed, and so rejected, when it seems to have no end.
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 });
    expect(stdout).toBe("success\n");
    expect(await verifyLedger({ directory: join(folder, ".skillc/ledger") })).toMatchObject({
      records: effect === "read" ? 1 : 2,
      problems: [],
      unknownOutcomes: [],
      writers: [{ state: "closed" }],
    });
  },
);
