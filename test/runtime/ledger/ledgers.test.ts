import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { entryOf } from "../../../src/runtime/ledger/store.js";

import { createGroupSync, type GroupSync } from "../../../src/runtime/ledger/files/group-sync.js";
import { createMemoryLedger } from "../../../src/runtime/ledger/memory-store.js";
import { noLedger } from "../../../src/runtime/ledger/store.js";
import { verifyLedger } from "../../../src/runtime/runtime.js";
import { loaderArgs } from "../../support/node-loader.js";
import { beginRecord, callsIn, endRecord, temporaryDirectory } from "./fixtures.js";

describe("a memory ledger", () => {
  it("keeps copies of what it was given", async () => {
    const ledger = createMemoryLedger();
    const parameters = { a: 1 };
    expect(ledger.append(entryOf(beginRecord({ id: "1", parameters })))).toBeUndefined();
    parameters.a = 2;
    expect(ledger.records).toMatchObject([{ type: "begin", id: "1", parameters: { a: 1 } }]);
    await ledger.close();
  });
});

describe("noLedger", () => {
  it("takes everything and keeps nothing", async () => {
    expect(noLedger.append(entryOf(endRecord()))).toBeUndefined();
    await noLedger.close();
  });
});

describe("a process that exits", () => {
  it.each([
    ["by itself", ""],
    ["by process.exit", "process.exit(0)"],
    ["by an uncaught error", "throw new Error('no one catches this')"],
  ])("%s has handed over everything", async (_name, ending) => {
    const directory = temporaryDirectory();
    const source = fileURLToPath(
      new URL("../../../src/runtime/ledger/files/file-store.ts", import.meta.url),
    );
    const program = `
      import { createFileLedger } from ${JSON.stringify(source)};
      import { entryOf } from ${JSON.stringify(source.replace("files/file-store", "store"))};
      const ledger = createFileLedger({ directory: ${JSON.stringify(directory)} });
      const read = ${JSON.stringify(endRecord({ effect: "read" }))};
      for (let n = 0; n < 10; n++) ledger.append(entryOf({ ...read, id: "read-" + n }));
      ${ending}`;
    const path = join(temporaryDirectory(), "program.ts");
    writeFileSync(path, program);
    try {
      execFileSync(process.execPath, [...loaderArgs, path], { stdio: "ignore" });
    } catch (error) {
      if (!ending.startsWith("throw")) throw error;
    }
    expect(await callsIn(directory)).toHaveLength(10);
    expect(await verifyLedger({ directory })).toMatchObject({
      problems: [],
      writers: [{ state: "closed" }],
    });
  });
});

interface ManualSync {
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** A sync that ends when told to. */
function manualSync(): { readonly running: readonly ManualSync[]; readonly group: GroupSync } {
  const running: ManualSync[] = [];
  const sync = () => new Promise<void>((resolve, reject) => running.push({ resolve, reject }));
  return { running, group: createGroupSync(sync, 1) };
}

function turn(): Promise<unknown> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe("a group sync", () => {
  it("serves all who wait together, and never one who came after it began", async () => {
    const { running, group } = manualSync();
    const done: string[] = [];
    const first = [group.wait(), group.wait()].map((each) => each.then(() => done.push("first")));
    await turn();
    const second = group.wait().then(() => done.push("second"));
    await turn();
    expect(running).toHaveLength(1);
    running[0]?.resolve();
    await Promise.all(first);
    expect(done).toEqual(["first", "first"]);
    await expect.poll(() => running.length).toBe(2);
    running[1]?.resolve();
    await second;
    expect(group.due).toBe(false);
  });

  it("reports its failure to those who wait, and goes on", async () => {
    const { running, group } = manualSync();
    const failing = group.wait();
    await turn();
    running[0]?.reject(new Error("EIO"));
    await expect(failing).rejects.toThrow("EIO");
    const next = group.wait();
    await turn();
    running[1]?.resolve();
    await next;
  });

  it("runs soon after a request that nobody waits for, also when one came while it ran", async () => {
    const { running, group } = manualSync();
    group.request();
    expect(group.due).toBe(true);
    await expect.poll(() => running.length).toBe(1);
    group.request();
    running[0]?.resolve();
    await expect.poll(() => running.length).toBe(2);
    running[1]?.resolve();
    await group.settled();
    expect(group.due).toBe(false);
  });
});
