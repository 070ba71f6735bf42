import { randomUUID } from "node:crypto";
import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import { describe, expect, onTestFinished, test } from "vitest";
import { removeLockDrafts, takeLock } from "../../../src/runtime/files/lock-file.js";

function lockPath(): string {
  const folder = mkdtempSync(join(tmpdir(), "skillc-lock-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "a.lock");
}

function held(path: string) {
  const attempt = takeLock(path);
  if (attempt.kind === "taken") throw new Error("it is taken");
  return attempt;
}

test("a lock has one holder, and is free after its release", () => {
  const path = lockPath();
  const first = held(path);
  const holder = { pid: process.pid, host: hostname(), isHere: true };
  expect(takeLock(path)).toMatchObject({ kind: "taken", isReadable: true, holder });
  first.release();
  expect(existsSync(path)).toBe(false);
  held(path).release();
  expect(readdirSync(join(path, ".."))).toEqual([]);
});

test("a lock of a dead process with this process's number is taken over", () => {
  const path = lockPath();
  const before = { pid: process.pid, host: hostname(), thread: threadId, id: "another" };
  writeFileSync(path, JSON.stringify(before));
  expect(takeLock(path)).toMatchObject({ kind: "held" });
});

test("a lock of another thread of this process is respected", () => {
  const path = lockPath();
  const other = { pid: process.pid, host: hostname(), thread: threadId + 1, id: "another" };
  writeFileSync(path, JSON.stringify(other));
  expect(takeLock(path)).toMatchObject({ kind: "taken", holder: { pid: process.pid } });
});

test.each([-1, 0, 1.5, 1.5e300])("a lock of the impossible process %d is taken over", (pid) => {
  const path = lockPath();
  const named = { pid, host: hostname(), thread: threadId, id: "another" };
  writeFileSync(path, JSON.stringify(named));
  expect(takeLock(path)).toMatchObject({ kind: "held" });
});

test("a lock that another process replaced is left alone on release", () => {
  const path = lockPath();
  const { release } = held(path);
  writeFileSync(path, "another");
  release();
  expect(existsSync(path)).toBe(true);
});

describe("an abandoned lock that several processes see", () => {
  const abandoned = JSON.stringify({ pid: 0, host: hostname(), thread: 0, id: "another" });

  /** Runs a step when the file is about to be removed or moved for the first time. */
  function beforeItGoes(path: string, step: () => void): void {
    const { renameSync, rmSync: remove } = fs;
    const restore = (): void => {
      Object.assign(fs, { renameSync, rmSync: remove });
      syncBuiltinESMExports();
    };
    const once =
      <Args extends readonly unknown[]>(real: (...args: Args) => void) =>
      (...args: Args): void => {
        if (args[0] === path) {
          restore();
          step();
        }
        real(...args);
      };
    onTestFinished(restore);
    Object.assign(fs, { renameSync: once(renameSync), rmSync: once(remove) });
    syncBuiltinESMExports();
  }

  test("one of them takes it over", () => {
    const path = lockPath();
    writeFileSync(path, abandoned);
    const others: string[] = [];
    beforeItGoes(path, () => others.push(takeLock(path).kind, takeLock(path).kind));
    expect(takeLock(path).kind).toBe("held");
    expect(others).toEqual(["taken", "taken"]);
    expect(readdirSync(join(path, ".."))).toEqual(["a.lock"]);
  });

  test("a process that was killed while it removed the lock keeps nobody out", () => {
    const path = lockPath();
    writeFileSync(path, abandoned);
    let left = "";
    beforeItGoes(path, () => {
      left = readdirSync(join(path, "..")).find((each) => each.includes(".over-")) ?? "";
    });
    held(path).release();
    writeFileSync(path, abandoned);
    writeFileSync(join(path, "..", left), abandoned);
    held(path).release();
    expect(readdirSync(join(path, ".."))).toEqual([]);
  });
});

test("drafts of locks are removed once their process has ended, and nothing else is", () => {
  const folder = join(lockPath(), "..");
  const ended = 2 ** 31 - 1;
  const left = [
    `a.lock.${ended}.${randomUUID()}`,
    `a.lock.over-0123456789abcdef.${ended}.${randomUUID()}`,
  ];
  const others = [
    `a.lock.${process.pid}.${randomUUID()}`,
    "a.lock",
    `a.lock.${ended}.txt`,
    `${randomUUID()}`,
  ];
  for (const each of [...left, ...others]) writeFileSync(join(folder, each), "");
  mkdirSync(join(folder, `b.lock.${ended}.${randomUUID()}`, "a"), { recursive: true });
  removeLockDrafts(folder);
  expect(readdirSync(folder).toSorted()).toEqual(others.toSorted());
});

test("a process that exits releases its locks", () => {
  const path = lockPath();
  held(path);
  for (const each of process.listeners("exit")) if (each.name === "runAll") each(0);
  expect(existsSync(path)).toBe(false);
});
