import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { realFolder } from "../../../src/bindings/sql/send/embedded.js";
import { makeFolder } from "../../../src/runtime/files/own-place.js";
import { createFileLedger } from "../../../src/runtime/ledger/files/file-store.js";
import { entryOf } from "../../../src/runtime/ledger/store.js";
import { beginRecord } from "../ledger/fixtures.js";

function folder(): string {
  const root = mkdtempSync(join(tmpdir(), "skillc-folder-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  return root;
}

test("creates missing folders, and returns the first new one", () => {
  const root = folder();
  expect(makeFolder(join(root, "a/b/c"), 0o700)).toBe(join(root, "a"));
  expect(makeFolder(join(root, "a/b/c"))).toBeUndefined();
  expect(statSync(join(root, "a/b")).mode & 0o777).toBe(0o700);
  writeFileSync(join(root, "file"), "");
  expect(() => makeFolder(join(root, "file"))).toThrow("EEXIST");
  // The first where Node.js tells what stands in the way when it looks for the folder, as version 20 does.
  expect(() => makeFolder(join(root, "file/below"))).toThrow(/ENOTDIR|EEXIST/);
});

test.skipIf(!existsSync("/proc/self"))(
  "ends where the system makes no folders: a database's, a ledger's",
  async () => {
    expect(() => makeFolder("/proc/skillc/data")).toThrow("ENOENT");
    await expect(realFolder("/proc/skillc/data")).rejects.toBeInstanceOf(Error);
    const ledger = createFileLedger({ directory: "/proc/skillc/ledger" });
    expect(() => ledger.append(entryOf(beginRecord()))).toThrow("can't be written: ENOENT");
    await ledger.close();
  },
);
