import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { withLock } from "../../../src/cli/output/lock.js";
import { filesIn, makeProject, put } from "../support/command-line.js";

const patient = { patience: 20_000 };

test("two holders never overlap, and the lock is gone afterwards", async () => {
  const root = makeProject();
  const path = join(root, ".lock/generate.lock");
  let inside = 0;
  let most = 0;
  const work = async (): Promise<void> => {
    inside += 1;
    most = Math.max(most, inside);
    await wait(5);
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 6 }, () => withLock(path, patient, work)));
  expect(most).toBe(1);
  expect(filesIn(root)).toEqual({});
});

test("who waits too long is told by whom, and what to do", async () => {
  const root = makeProject();
  const path = join(root, "generate.lock");
  await withLock(path, patient, async () => {
    const waiting: number[] = [];
    const second = withLock(
      path,
      { patience: 0, onWait: (holder) => waiting.push(holder) },
      async () => {},
    );
    await expect(second).rejects.toThrow(`(process ${process.pid})`);
    expect(waiting).toEqual([process.pid]);
  });
});

test("the lock of a process that is no more, or a damaged one, is taken over", async () => {
  const root = makeProject();
  const dead = spawnSync(process.execPath, ["-e", ""]).pid;
  for (const content of [
    JSON.stringify({ pid: dead, host: hostname(), id: "x" }),
    "",
    "{nonsense",
  ]) {
    put(root, "generate.lock", content);
    await expect(
      withLock(join(root, "generate.lock"), { patience: 0 }, async () => "done"),
    ).resolves.toBe("done");
  }
  expect(filesIn(root)).toEqual({});
});

test("the lock of another machine is respected", async () => {
  const root = makeProject({
    "generate.lock": JSON.stringify({ pid: 1, host: "elsewhere.example", id: "x" }),
  });
  await expect(
    withLock(join(root, "generate.lock"), { patience: 0 }, async () => {}),
  ).rejects.toThrow("at work on this project");
});

test("a failure inside lets go of the lock", async () => {
  const root = makeProject();
  const path = join(root, "generate.lock");
  const failing = withLock(path, patient, async () => {
    throw new Error("inside");
  });
  await expect(failing).rejects.toThrow("inside");
  expect(existsSync(path)).toBe(false);
});
