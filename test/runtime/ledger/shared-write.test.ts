import { execFileSync } from "node:child_process";
import fs, { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createFileLedger } from "../../../src/runtime/ledger/files/file-store.js";
import { entryOf } from "../../../src/runtime/ledger/store.js";
import { verifyLedger } from "../../../src/runtime/runtime.js";
import { loaderArgs } from "../../support/node-loader.js";
import {
  beginRecord,
  callsIn,
  endRecord,
  fileIn,
  linesIn,
  temporaryDirectory,
} from "./fixtures.js";

const callers = Array.from({ length: 64 }, (_, at) => `call-${at}`);

function openLedger() {
  const directory = temporaryDirectory();
  const ledger = createFileLedger({ directory });
  const writes = vi.spyOn(fs, "writeSync");
  onTestFinished(() => {
    writes.mockRestore();
    return ledger.close();
  });
  const begin = (id: string) => ledger.append(entryOf(beginRecord({ id })));
  const end = (id: string) => ledger.append(entryOf(endRecord({ id })));
  return { directory, ledger, writes, begin, end };
}

describe("records of one turn of the event loop", () => {
  it("share one write, and their chain holds", async () => {
    const { begin, directory, end, writes } = openLedger();
    begin("first");
    writes.mockClear();
    await Promise.all(callers.map(begin));
    expect(writes).toHaveBeenCalledTimes(1);
    await Promise.all(callers.map(end));
    expect(writes).toHaveBeenCalledTimes(2);
    expect(await verifyLedger({ directory })).toMatchObject({
      records: 129,
      problems: [],
      unknownOutcomes: [{ id: "first" }],
    });
  });

  it("reach the operating system before their callers go on, and not earlier", async () => {
    const { begin, directory } = openLedger();
    begin("first");
    const second = begin("second");
    expect(linesIn(fileIn(directory)).join()).not.toContain('"second"');
    await second;
    expect(linesIn(fileIn(directory)).join()).toContain('"second"');
  });

  it("records are written if someone reads before the turn ends", async () => {
    const { begin, directory, ledger } = openLedger();
    begin("first");
    const second = begin("second");
    ledger.flush();
    expect(linesIn(fileIn(directory)).join()).toContain('"second"');
    await second;
  });

  it("fail together if the write fails, and those of calls that were not sent are not written later", async () => {
    const { begin, directory, end, ledger, writes } = openLedger();
    begin("left");
    writes.mockImplementation(() => {
      throw Object.assign(new Error("no space"), { code: "ENOSPC", syscall: "write" });
    });
    const results = await Promise.allSettled([begin("a"), begin("b"), end("left")]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    writes.mockRestore();
    await begin("c");
    await ledger.close();
    const { problems, unknownOutcomes } = await verifyLedger({ directory });
    expect({ problems, unknown: unknownOutcomes.map(({ id }) => id) }).toEqual({
      problems: [],
      unknown: ["c"],
    });
  });

  it("records are not written at once if they exceed the size of a file", async () => {
    const directory = temporaryDirectory();
    const ledger = createFileLedger({ directory, maxFileBytes: 5_000 });
    await Promise.all(callers.map((id) => ledger.append(entryOf(beginRecord({ id })))));
    await ledger.close();
    const { files, problems, unknownOutcomes } = await verifyLedger({ directory });
    expect({ problems, calls: unknownOutcomes.length }).toEqual({ problems: [], calls: 64 });
    expect(files).toBeGreaterThan(3);
  });
});

describe("the record of a call alone", () => {
  it("a single record is written at once", () => {
    const { begin, directory, end, writes } = openLedger();
    begin("warm-up");
    end("warm-up");
    writes.mockClear();
    expect(begin("alone")).toBeUndefined();
    expect(writes).toHaveBeenCalledTimes(1);
    expect(end("alone")).toBeUndefined();
    expect(writes).toHaveBeenCalledTimes(2);
    expect(linesIn(fileIn(directory))).toHaveLength(5);
  });

  it("a single record is written at once in shadow mode if it is the first of its turn", async () => {
    const { directory, ledger, writes } = openLedger();
    const shadow = (id: string) => ledger.append(entryOf(endRecord({ id, mode: "shadow" })));
    expect(shadow("first")).toBeUndefined();
    await Promise.all(callers.map(shadow));
    expect(writes).toHaveBeenCalledTimes(2);
    expect(await callsIn(directory)).toHaveLength(65);
  });
});

it("a process that exits in the middle of a turn records the calls that happened, and no write that was never sent", async () => {
  const directory = temporaryDirectory();
  const source = fileURLToPath(
    new URL("../../../src/runtime/ledger/files/file-store.ts", import.meta.url),
  );
  const path = join(temporaryDirectory(), "program.ts");
  writeFileSync(
    path,
    `
    import { createFileLedger } from ${JSON.stringify(source)};
    import { entryOf } from ${JSON.stringify(source.replace("files/file-store", "store"))};
    const ledger = createFileLedger({ directory: ${JSON.stringify(directory)} });
    const append = (record) => ledger.append(entryOf(record));
    append(${JSON.stringify(beginRecord({ id: "one" }))});
    await append(${JSON.stringify(beginRecord({ id: "two" }))});
    append(${JSON.stringify(endRecord({ id: "one" }))});
    append(${JSON.stringify(beginRecord({ id: "never-left" }))});
    process.exit(0);`,
  );
  execFileSync(process.execPath, [...loaderArgs, path], { stdio: "ignore" });
  const calls = await callsIn(directory);
  expect(calls.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual(["one ended", "two unknown"]);
  expect(await verifyLedger({ directory })).toMatchObject({ problems: [] });
});
