import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { withLock } from "../../../src/cli/output/lock.js";
import { filesIn, makeProject, put } from "../support/command-line.js";

const patient = { timeoutMs: 20_000 };

test("two holders never overlap, and the lock is gone afterwards", async () => {
  const root = makeProject();
  let inside = 0;
  let most = 0;
  const work = async (): Promise<void> => {
    inside += 1;
    most = Math.max(most, inside);
    await wait(5);
    inside -= 1;
  };
  await Promise.all(
    Array.from({ length: 6 }, () => withLock(root, ".lock/generate.lock", patient, work)),
  );
  expect(most).toBe(1);
  expect(filesIn(root)).toEqual({});
});

test("a process that waits too long gets an error that names the holder and what to do", async () => {
  const root = makeProject();
  const path = "generate.lock";
  await withLock(root, path, patient, async () => {
    const waiting: (number | undefined)[] = [];
    const second = withLock(
      root,
      path,
      { timeoutMs: 0, onWait: (holder) => waiting.push(holder) },
      async () => {},
    );
    await expect(second).rejects.toThrow(`(process ${process.pid})`);
    expect(waiting).toEqual([process.pid]);
  });
});

test("the lock of a dead process, or a damaged lock, is taken over", async () => {
  const root = makeProject();
  const dead = spawnSync(process.execPath, ["-e", ""]).pid;
  for (const content of [
    JSON.stringify({ pid: dead, host: hostname(), id: "x" }),
    "",
    "\0\0\0",
    '{"pid":12',
  ]) {
    put(root, "generate.lock", content);
    await expect(
      withLock(root, "generate.lock", { timeoutMs: 0 }, async () => "done"),
    ).resolves.toBe("done");
  }
  expect(filesIn(root)).toEqual({});
});

test("the lock of another machine is respected", async () => {
  const root = makeProject({
    "generate.lock": JSON.stringify({ pid: 1, host: "elsewhere.example", id: "x" }),
  });
  await expect(
    withLock(root, "generate.lock", { timeoutMs: 0 }, async () => {}),
  ).rejects.toMatchObject({
    message:
      "another `skillc generate` (process 1 on `elsewhere.example`) is running in this project",
    help: `wait for it to end; if that machine no longer exists, or has another name now, delete \`${join(root, "generate.lock")}\``,
  });
});

test("a foreign file in place of a lock causes an error at once, and stays", async () => {
  const lock = (root: string) => withLock(root, ".skillc/generate.lock", patient, async () => {});
  const foreign = makeProject({ ".skillc/generate.lock": "mine" });
  await expect(lock(foreign)).rejects.toThrow("should be skillc's lock");
  expect(readFileSync(join(foreign, ".skillc/generate.lock"), "utf8")).toBe("mine");

  const folder = makeProject();
  mkdirSync(join(folder, ".skillc/generate.lock"), { recursive: true });
  await expect(lock(folder)).rejects.toThrow(
    "`.skillc/generate.lock` is a folder, but must be a file",
  );

  const pipe = makeProject({ ".skillc/x": "" });
  execFileSync("mkfifo", [join(pipe, ".skillc/generate.lock")]);
  await expect(lock(pipe)).rejects.toThrow("`.skillc/generate.lock` is a special file");

  const link = makeProject({ "elsewhere/x": "" });
  symlinkSync("elsewhere", join(link, ".skillc"));
  await expect(lock(link)).rejects.toThrow("`.skillc` is a link");
  expect(readdirSync(join(link, "elsewhere"))).toEqual(["x"]);
});

test("a failure inside lets go of the lock", async () => {
  const root = makeProject();
  const path = join(root, "generate.lock");
  const failing = withLock(root, "generate.lock", patient, async () => {
    throw new Error("inside");
  });
  await expect(failing).rejects.toThrow("inside");
  expect(existsSync(path)).toBe(false);
});
