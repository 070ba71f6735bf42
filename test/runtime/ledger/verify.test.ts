import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { entryOf } from "../../../src/runtime/ledger/store.js";

import { createFileLedger } from "../../../src/runtime/ledger/files/file-store.js";
import { verifyLedger } from "../../../src/runtime/runtime.js";
import {
  appendWrite,
  beginRecord,
  callsIn,
  endRecord,
  fileIn,
  filesIn,
  linesIn,
  temporaryDirectory,
  writeLines,
} from "./fixtures.js";
import { runs } from "../../support/runs.js";

/** A closed ledger of `calls` writes. */
async function ledgerOf(calls: number, maxFileBytes?: number): Promise<string> {
  const directory = temporaryDirectory();
  const ledger = createFileLedger({
    directory,
    ...(maxFileBytes === undefined ? {} : { maxFileBytes }),
  });
  for (let n = 0; n < calls; n++) appendWrite(ledger, { id: `call-${n}` });
  await ledger.close();
  return directory;
}

async function kindsIn(directory: string): Promise<readonly string[]> {
  return (await verifyLedger({ directory })).problems.map((each) => each.kind);
}

describe("tampering", () => {
  it("tampering is found if any byte is changed", async () => {
    const directory = await ledgerOf(3);
    const path = fileIn(directory);
    const before = readFileSync(path);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(before.length - 1),
        fc.integer({ min: 1, max: 255 }),
        async (at, flip) => {
          const bytes = Buffer.from(before);
          bytes[at] = (bytes[at] ?? 0) ^ flip;
          writeFileSync(path, bytes);
          expect(await kindsIn(directory)).not.toEqual([]);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it("tampering is found if the line feed of the last line is changed", async () => {
    const directory = await ledgerOf(1);
    const path = fileIn(directory);
    const bytes = readFileSync(path);
    for (const byte of [0x20, 0x7d, 0x00, 0x0d, 0xff]) {
      bytes[bytes.length - 1] = byte;
      writeFileSync(path, bytes);
      expect(await kindsIn(directory)).toEqual(["unreadable-line"]);
    }
  });

  it("tampering is found if a file is deleted, renamed, emptied or cut", async () => {
    for (const index of [0, 2, -1]) {
      const directory = await ledgerOf(30, 4000);
      rmSync(fileIn(directory, index < 0 ? filesIn(directory).length - 1 : index));
      expect(await kindsIn(directory), `file ${index}`).toEqual(["missing-file"]);
    }
    for (const index of [0, 2]) {
      const directory = await ledgerOf(30, 4000);
      writeFileSync(fileIn(directory, index), "");
      expect(await kindsIn(directory)).toContain("broken-chain");
    }
    const directory = await ledgerOf(30, 4000);
    const [first = "", second = ""] = [fileIn(directory, 0), fileIn(directory, 1)];
    writeLines(first, linesIn(first).slice(0, -2));
    expect(await kindsIn(directory)).toEqual(["broken-chain"]);
    renameSync(second, second.replace(/-0002\.jsonl$/, "-0099.jsonl"));
    expect(await kindsIn(directory)).toContain("wrong-file");
    renameSync(first, join(directory, "other.jsonl"));
    expect(await kindsIn(directory)).toContain("wrong-file");
  });

  it("tampering is found if the end of a file is cut off that a later writer saw", async () => {
    const directory = temporaryDirectory();
    const killed = createFileLedger({ directory });
    appendWrite(killed);
    appendWrite(killed);
    // Never closed, as if it had been killed.
    const path = fileIn(directory);
    const later = createFileLedger({ directory });
    appendWrite(later);
    await later.close();
    expect(await kindsIn(directory)).toEqual([]);
    const before = linesIn(path);
    writeLines(path, before.slice(0, -1));
    expect(await kindsIn(directory)).toEqual(["missing-lines"]);
    rmSync(path);
    // The oldest file of all may have been removed to make room.
    expect(await kindsIn(directory)).toEqual([]);
  });

  it("tampering is found if lines follow the close record", async () => {
    const directory = await ledgerOf(1);
    const path = fileIn(directory);
    appendFileSync(path, `${linesIn(path)[1]}\n`);
    expect(await kindsIn(directory)).toEqual(["after-close", "broken-chain"]);
  });
});

describe("garbage in the directory", () => {
  it("garbage in the directory is reported and never crashes", async () => {
    const directory = await ledgerOf(2);
    const path = fileIn(directory);
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 300 }),
        fc.boolean(),
        async (bytes, ended) => {
          const before = readFileSync(path);
          appendFileSync(path, ended ? Buffer.concat([bytes, Buffer.from("\n")]) : bytes);
          const { problems, tornLines } = await verifyLedger({ directory });
          expect(problems.length + tornLines.length).toBeGreaterThan(0);
          expect(await callsIn(directory)).toHaveLength(2);
          writeFileSync(path, before);
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it("garbage in the directory is reported up to a maximum", async () => {
    const directory = await ledgerOf(1);
    appendFileSync(fileIn(directory), "x\n".repeat(5000));
    const { problems, problemsLeftOut } = await verifyLedger({ directory });
    expect([problems.length, problemsLeftOut]).toEqual([1000, 4000]);
  });

  it("may be a directory or a foreign file", async () => {
    const directory = await ledgerOf(1);
    mkdirSync(join(directory, (filesIn(directory)[0] ?? "").replace("-0001", "-0002")));
    writeFileSync(join(directory, "notes.txt"), "not ours");
    expect(await kindsIn(directory)).toEqual(["unreadable-file"]);
    expect(await callsIn(directory)).toHaveLength(1);
  });
});

describe("a killed writer", () => {
  it("leaves a torn line, which is no problem", async () => {
    const directory = temporaryDirectory();
    appendWrite(createFileLedger({ directory }));
    const path = fileIn(directory);
    const before = readFileSync(path);
    const lastStart = before.lastIndexOf("\n", before.length - 2) + 1;
    for (let length = lastStart + 1; length < before.length; length += 1) {
      writeFileSync(path, before.subarray(0, length));
      const { problems, tornLines, unknownOutcomes } = await verifyLedger({ directory });
      const whole = length === before.length - 1;
      expect(problems).toEqual([]);
      expect(tornLines.map((each) => each.line)).toEqual(whole ? [] : [3]);
      expect(unknownOutcomes).toHaveLength(whole ? 0 : 1);
      expect((await callsIn(directory)).map((call) => call.outcome)).toEqual([
        whole ? "ended" : "unknown",
      ]);
    }
    truncateSync(path, 0);
    expect(await verifyLedger({ directory })).toMatchObject({ problems: [], records: 0 });
  });

  it("leaves writes that failed after they may have been sent, across files", async () => {
    const directory = temporaryDirectory();
    const ledger = createFileLedger({ directory, maxFileBytes: 3000 });
    const error = { code: "PROVIDER.TIMEOUT", message: "no answer" } as const;
    ledger.append(entryOf(beginRecord({ id: "lost" })));
    for (let n = 0; n < 20; n++) appendWrite(ledger);
    ledger.append(entryOf(endRecord({ id: "lost", status: "unknown", result: null, error })));
    appendWrite(ledger, { status: "failed", result: null, error });
    await ledger.close();
    expect((await verifyLedger({ directory })).unknownOutcomes).toMatchObject([
      { id: "lost", error: "PROVIDER.TIMEOUT", writer: "closed" },
    ]);
  });
});
