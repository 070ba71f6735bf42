import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { entryOf } from "../../../src/runtime/ledger/store.js";

import { createFileLedger } from "../../../src/runtime/ledger/files/file-store.js";
import { parseRecord } from "../../../src/runtime/ledger/chain/chain-record.js";
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
} from "./fixtures.js";
import { unicodeText } from "../../support/unicode-text.js";

describe("a file ledger", () => {
  it("creates nothing before the first record", async () => {
    const directory = join(temporaryDirectory(), "a/ledger");
    const ledger = createFileLedger({ directory });
    expect(existsSync(directory)).toBe(false);
    await ledger.close();
    expect(existsSync(directory)).toBe(false);
    expect(await verifyLedger({ directory })).toMatchObject({ files: 0, records: 0, problems: [] });
  });

  it("writes each record of a write before `append` returns", () => {
    const directory = temporaryDirectory();
    const ledger = createFileLedger({ directory });
    const begin = beginRecord();
    expect(ledger.append(entryOf(begin))).toBeUndefined();
    expect(linesIn(fileIn(directory)).at(-1)).toContain(begin.id);
    expect(ledger.append(entryOf(endRecord({ id: begin.id })))).toBeUndefined();
    expect(linesIn(fileIn(directory)).at(-1)).toContain('"type":"end"');
  });

  it("writes held back reads soon, on flush, and before a write", async () => {
    const directory = temporaryDirectory();
    const ledger = createFileLedger({ directory });
    for (let n = 0; n < 5; n++) ledger.append(entryOf(endRecord({ effect: "read" })));
    ledger.flush();
    expect(linesIn(fileIn(directory))).toHaveLength(6);
    ledger.append(entryOf(endRecord({ effect: "read", id: "before" })));
    ledger.append(entryOf(beginRecord({ id: "after" })));
    expect(
      linesIn(fileIn(directory))
        .slice(-2)
        .map((line) => JSON.parse(line).id),
    ).toEqual(["before", "after"]);
    ledger.append(entryOf(endRecord({ effect: "read" })));
    await expect.poll(() => linesIn(fileIn(directory)).length).toBe(9);
  });

  it("a file ledger is readable only by its owner", () => {
    const directory = join(temporaryDirectory(), "ledger");
    appendWrite(createFileLedger({ directory }));
    expect(statSync(fileIn(directory)).mode & 0o777).toBe(0o600);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
  });

  it("waits for the disk if the option asks for it", async () => {
    const directory = temporaryDirectory();
    const ledger = createFileLedger({ directory, durability: "disk" });
    const begin = ledger.append(entryOf(beginRecord({ id: "1" })));
    expect(begin).toBeInstanceOf(Promise);
    await Promise.all([
      begin,
      ledger.append(entryOf(beginRecord({ id: "2" }))),
      ledger.append(entryOf(endRecord({ id: "1" }))),
    ]);
    expect(ledger.append(entryOf(endRecord({ effect: "read" })))).toBeUndefined();
    await ledger.close();
    expect(await verifyLedger({ directory })).toMatchObject({ records: 4, problems: [] });
  });

  it("rotates its files, and one chain runs through all of them", async () => {
    const directory = temporaryDirectory();
    const ledger = createFileLedger({ directory, maxFileBytes: 4000 });
    const ids = Array.from({ length: 60 }, () => appendWrite(ledger));
    await ledger.close();
    expect(filesIn(directory).length).toBeGreaterThan(5);
    expect(await verifyLedger({ directory })).toMatchObject({
      records: 120,
      problems: [],
      unknownOutcomes: [],
      writers: [{ state: "closed", files: filesIn(directory).length }],
    });
    expect((await callsIn(directory)).map((call) => call.id)).toEqual(ids.toReversed());
  });

  it("keeps nothing after it is closed, and throws", async () => {
    const directory = temporaryDirectory();
    const ledger = createFileLedger({ directory });
    appendWrite(ledger);
    await ledger.close();
    await ledger.close();
    expect(() => ledger.append(entryOf(beginRecord()))).toThrow(/can't be written: it is closed/);
  });

  it("returns any record as it was", () => {
    const directory = temporaryDirectory();
    const ledger = createFileLedger({ directory });
    const text = unicodeText();
    const arbitrary = fc.record({
      parameters: fc.jsonValue(),
      status: text,
      result: fc.option(text),
      tool: text,
      id: text,
    });
    fc.assert(
      fc.property(arbitrary, fc.boolean(), ({ parameters, ...rest }, isRead) => {
        // As JSON gives it back: `-0` is not kept.
        const copy = JSON.parse(JSON.stringify(parameters));
        const record = endRecord({ ...rest, parameters: copy, effect: isRead ? "read" : "write" });
        ledger.append(entryOf(record));
        ledger.flush();
        expect(parseRecord(linesIn(fileIn(directory)).at(-1) ?? "")).toMatchObject(
          JSON.parse(JSON.stringify(record)),
        );
      }),
      { numRuns: 100 },
    );
  });

  it("rejects a record that JSON can't represent, and goes on", async () => {
    const directory = temporaryDirectory();
    const ledger = createFileLedger({ directory });
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    // @ts-expect-error a cycle is no JSON
    expect(() => ledger.append(entryOf(beginRecord({ parameters: cyclic })))).toThrow(TypeError);
    expect(() =>
      ledger.append(entryOf(beginRecord({ parameters: "x".repeat(17 * 1024 * 1024) }))),
    ).toThrow(/too long/);
    appendWrite(ledger);
    await ledger.close();
    expect(await verifyLedger({ directory })).toMatchObject({ records: 2, problems: [] });
  });
});

describe("a ledger that can't be written", () => {
  it("throws, and recovers after it can be written again", async () => {
    const parent = temporaryDirectory();
    const directory = join(parent, "ledger");
    writeFileSync(directory, "a file stands where the directory should");
    const ledger = createFileLedger({ directory });
    expect(() => ledger.append(entryOf(beginRecord()))).toThrow(
      /^the ledger in .* can't be written: E/,
    );
    expect(() => ledger.append(entryOf(endRecord({ effect: "read" })))).toThrow(/can't be written/);
    rmSync(directory);
    appendWrite(ledger, { id: "kept" });
    await ledger.close();
    expect(await verifyLedger({ directory })).toMatchObject({
      records: 2,
      problems: [],
      unknownOutcomes: [],
    });
    expect((await callsIn(directory)).map((call) => call.id)).toEqual(["kept"]);
  });

  it.each([".skillc", ".skillc/ledger"])(
    "writes nothing behind a link on the way to its usual place, and says what to do: %s",
    (link) => {
      const project = temporaryDirectory();
      const elsewhere = temporaryDirectory();
      if (link.includes("/")) mkdirSync(join(project, ".skillc"));
      symlinkSync(elsewhere, join(project, link));
      const ledger = createFileLedger({}, project);
      expect(() => ledger.append(entryOf(beginRecord()))).toThrow(
        new RegExp(`\`${link}\` is a link, .*ledger: \\{ directory: … \\}`),
      );
      expect(readdirSync(elsewhere)).toEqual([]);
    },
  );

  it("writes to the folder of the application, even through links", async () => {
    const parent = temporaryDirectory();
    mkdirSync(join(parent, "real"));
    symlinkSync("real", join(parent, "link"));
    const ledger = createFileLedger({ directory: join(parent, "link/ledger") });
    appendWrite(ledger, { id: "kept" });
    await ledger.close();
    expect((await callsIn(join(parent, "real/ledger"))).map((call) => call.id)).toEqual(["kept"]);
  });

  it("doesn't record later what it refused", async () => {
    const directory = join(temporaryDirectory(), "ledger");
    const ledger = createFileLedger({ directory });
    writeFileSync(directory, "");
    expect(() => ledger.append(entryOf(endRecord({ mode: "shadow" })))).toThrow(/can't be written/);
    expect(() => ledger.append(entryOf(beginRecord()))).toThrow(/can't be written/);
    rmSync(directory);
    appendWrite(ledger, { id: "next" });
    await ledger.close();
    expect((await callsIn(directory)).map((call) => call.id)).toEqual(["next"]);
    expect(await verifyLedger({ directory })).toMatchObject({ problems: [], unknownOutcomes: [] });
  });

  it("starts a new file if its own is deleted, and verify shows what is gone", async () => {
    const directory = temporaryDirectory();
    const ledger = createFileLedger({ directory });
    appendWrite(ledger);
    rmSync(fileIn(directory));
    await expect
      .poll(() => (appendWrite(ledger), filesIn(directory).length), {
        timeout: 20_000,
        interval: 100,
      })
      .toBe(1);
    await ledger.close();
    const { problems } = await verifyLedger({ directory });
    expect(problems.map((each) => each.kind)).toEqual(["missing-file"]);
  });

  it.skipIf(!canMount())(
    "leaves no half line on a full disk, and later records the outcome that had no room",
    async () => {
      const mount = temporaryDirectory();
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", mount]);
      onTestFinished(() => void execFileSync("umount", ["-l", mount]));
      const directory = join(mount, "ledger");
      const ballast = join(mount, "ballast");
      writeFileSync(ballast, "x".repeat(20_000));
      const ledger = createFileLedger({ directory });
      let kept = 0;
      const fill = async () => {
        for (; ; kept += 1)
          await ledger.append(
            entryOf(beginRecord({ id: `${kept}`, parameters: "x".repeat(1500) })),
          );
      };
      await expect(fill()).rejects.toThrow(/ENOSPC/);
      await expect(fill()).rejects.toThrow(/ENOSPC/);
      await expect(
        ledger.append(entryOf(endRecord({ id: "0", parameters: "x".repeat(1500) }))),
      ).rejects.toThrow(/ENOSPC/);
      const before = kept;
      rmSync(ballast);
      await expect(fill()).rejects.toThrow(/ENOSPC/);
      expect(kept).toBeGreaterThan(before);
      const { problems, tornLines, unknownOutcomes } = await verifyLedger({ directory });
      expect({ problems, tornLines }).toEqual({ problems: [], tornLines: [] });
      expect(unknownOutcomes.map((each) => each.id)).toEqual(
        Array.from({ length: kept - 1 }, (_, n) => `${n + 1}`),
      );
    },
  );
});

/** Mounting a tiny file system takes root and a machine that allows it. */
function canMount(): boolean {
  const probe =
    "d=$(mktemp -d) && mount -t tmpfs -o size=64k tmpfs $d && umount $d; s=$?; rmdir $d; exit $s";
  try {
    execFileSync("sh", ["-c", probe], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
