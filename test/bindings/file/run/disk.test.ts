import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { loaderArgs } from "../../../support/node-loader.js";
import { describeWithService, type Service } from "../../../support/service.js";
import type { Step } from "./calling-process.js";
import { notesProject } from "./support.js";

/** Own mounts, for a disk that is full and for a second file system. */
const ownMounts: Service = {
  name: "own mounts",
  start: "allow user namespaces, and install unshare (util-linux)",
  probe: () =>
    Promise.resolve().then(() =>
      execFileSync("unshare", ["-Urm", "sh", "-c", "mount -t tmpfs tmpfs /mnt"], { stdio: "pipe" }),
    ),
};

const script = fileURLToPath(new URL("./calling-process.ts", import.meta.url));

function start(argv: readonly [string, ...string[]]): ChildProcess {
  const [program, ...args] = argv;
  const child = spawn(program, args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** Makes calls in a process for which a folder is a small disk of its own. */
async function callsOn(
  disk: string,
  directory: string,
  steps: readonly Step[],
): Promise<readonly unknown[]> {
  const mount = 'mount -t tmpfs -o size=256k tmpfs "$1" && shift && exec "$@"';
  const node = [process.execPath, ...loaderArgs, script, directory, JSON.stringify(steps)];
  const child = start(["unshare", "-Urm", "sh", "-c", mount, "sh", disk, ...node]);
  const answers: unknown[] = [];
  child.on("message", (each) => answers.push(each));
  const [code] = (await once(child, "close")) as [number | null];
  expect(code).toBe(0);
  return answers;
}

const success = { status: "success" };
const failure = (reason: string) => ({
  failure: { code: "PROVIDER.UNAVAILABLE", reason },
  outcome: "not-done",
});

await describeWithService(ownMounts, () => {
  test("a write and an append on a full disk leave the old file, and a deletion makes room", async () => {
    const { directory } = notesProject();
    const path = "notes/a";
    const answers = await callsOn(join(directory, "notes"), directory, [
      ["write", { path, text: "old" }],
      ["fill", { path: "notes/big" }],
      ["write", { path, text: "new", times: "9000" }],
      ["append", { path, text: "more", times: "9000" }],
      ["read", { path }],
      ["list", { path: "notes" }],
      ["delete", { path: "notes/big" }],
      ["append", { path, text: "er" }],
      ["read", { path }],
    ]);
    expect(answers).toMatchObject([
      success,
      failure("ENOSPC"),
      failure("ENOSPC"),
      { data: { text: "old" } },
      { data: [{ path }, { path: "notes/big" }] },
      success,
      success,
      { data: { text: "older" } },
    ]);
  });

  test("no temporary folder is made that is larger than the free space", async () => {
    const { directory } = notesProject();
    const answers = await callsOn(join(directory, "notes"), directory, [
      ["temporary", { size: "300000" }],
      ["temporary", { size: "100000" }],
      ["fill", { path: "notes/big" }],
      ["temporary", { size: "4096" }],
    ]);
    expect(answers).toMatchObject([
      failure("NO_SPACE"),
      { data: { size_bytes: 100_000 } },
      failure("NO_SPACE"),
    ]);
  });

  test("a move to another file system fails, and the file stays", async () => {
    const { directory, put, textOf } = notesProject();
    put("notes/a", "text");
    mkdirSync(join(directory, "notes/disk"));
    const answers = await callsOn(join(directory, "notes/disk"), directory, [
      ["move", { path: "notes/a", to: "notes/disk/a" }],
      ["list", { path: "notes/disk" }],
    ]);
    expect(answers).toMatchObject([failure("EXDEV"), { data: [] }]);
    expect(textOf("notes/a")).toBe("text");
  });
});

test("a file has the old or the new content after `kill -9` in a write", async () => {
  const { call, directory, names, put, textOf } = notesProject();
  const times = 900_000;
  const path = "notes/a";
  const texts = ["a", "b"].map((each) => "x".repeat(times) + each);
  put(path, texts[0] ?? "");
  const steps: readonly Step[] = ["b", "a"].map((text) => [
    "write",
    { path, text, times: String(times) },
  ]);
  for (let round = 1; round <= 3; round += 1) {
    const child = start([
      process.execPath,
      ...loaderArgs,
      script,
      directory,
      JSON.stringify(steps),
      "again",
    ]);
    let left = round * 3;
    child.on("message", () => {
      left -= 1;
      if (left === 0) child.kill("SIGKILL");
    });
    await once(child, "close");
    expect(texts).toContain(textOf(path));
  }
  expect(await call("write", { path, text: "next", overwrite: true })).toMatchObject(success);
  expect(await call("list", { path: "notes" })).toMatchObject({ data: [{ path }] });
  expect(names().filter((each) => each.endsWith(".lock"))).toEqual([]);
});
