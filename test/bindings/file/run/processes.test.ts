import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { whileLocked } from "../../../../src/runtime/files/change-lock.js";
import { lockNameOf } from "../../../../src/runtime/files/names-beside.js";
import { openParent } from "../../../../src/runtime/files/open-judged.js";
import { loaderArgs } from "../../../support/node-loader.js";
import { notesProject } from "./support.js";

function start(script: string, ...args: readonly string[]): ChildProcess {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [...loaderArgs, path, ...args], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** Lets all processes begin at the same time, and returns their exit codes. */
async function exitsOf(children: readonly ChildProcess[]): Promise<readonly unknown[]> {
  await Promise.all(children.map((each) => once(each, "message")));
  for (const each of children) each.send("go");
  const ends = await Promise.all(children.map((each) => once(each, "close")));
  return ends.map(([code]) => code as unknown);
}

/** Starts a process that holds the lock of a file. */
async function startHolder(path: string): Promise<ChildProcess> {
  const child = start("./holding-process.ts", path);
  const [line] = (await once(child.stdout ?? child, "data")) as [Buffer];
  expect(line.toString()).toBe("held\n");
  return child;
}

function linesOf(name: string): readonly string[] {
  return Array.from({ length: 150 }, (_, call) => `${name} ${call}`);
}

test("two processes that append to one file lose no line, also if they spell its path differently", async () => {
  const { directory, names, textOf } = notesProject();
  symlinkSync("notes", join(directory, "link"));
  const children = [
    start("./appending-process.ts", directory, "./notes", "one", "150"),
    start("./appending-process.ts", dirname(directory), join(directory, "link"), "two", "150"),
  ];
  expect(await exitsOf(children)).toEqual([0, 0]);
  const lines = textOf("notes/log").trimEnd().split("\n");
  expect(lines.filter((each) => each.startsWith("one"))).toEqual(linesOf("one"));
  expect(lines.filter((each) => each.startsWith("two"))).toEqual(linesOf("two"));
  expect(lines).toHaveLength(300);
  expect(names()).toEqual(["log"]);
});

describe("a file that another process has locked", () => {
  test("can be changed after `kill -9` of the process", async () => {
    const { call, names, put, textOf } = notesProject();
    const child = await startHolder(put("notes/log", "one\n"));
    child.kill("SIGKILL");
    await once(child, "close");
    const result = await call("append", { path: "notes/log", text: "two\n" });
    expect(result).toMatchObject({ status: "success" });
    expect(textOf("notes/log")).toBe("one\ntwo\n");
    expect(names()).toEqual(["log"]);
  });

  test("can be read and listed", async () => {
    const { call, put } = notesProject();
    await startHolder(put("notes/log", "one\n"));
    expect(await call("read", { path: "notes/log" })).toMatchObject({ data: { text: "one\n" } });
    expect(await call("list", { path: "notes" })).toMatchObject({ data: [{ path: "notes/log" }] });
  });

  test.each([
    ["write", { text: "two", overwrite: true }],
    ["append", { text: "two" }],
    ["patch", { patch: "@@ -1 +1 @@\n-one\n+two\n" }],
    ["move", { to: "notes/other" }],
    ["delete", {}],
  ] as const)("stays as it is if a waiting %s is aborted", async (operation, params) => {
    const { errorOf, put, textOf } = notesProject();
    await startHolder(put("notes/log", "one\n"));
    const caller = new AbortController();
    const ended = errorOf(operation, { ...params, path: "notes/log" }, { signal: caller.signal });
    setImmediate(() => caller.abort());
    expect(await ended).toMatchObject({
      failure: { code: "UNKNOWN.INTERNAL" },
      outcome: "not-done",
    });
    expect(textOf("notes/log")).toBe("one\n");
  });

  test("leads to an error that names the process and the lock when the time is over", async () => {
    const { directory, put } = notesProject();
    const child = await startHolder(put("notes/log", "one\n"));
    const path = join(directory, "notes/log");
    const parent = await openParent({ path, folder: { written: "", real: "" }, name: "" });
    onTestFinished(() => parent.close());
    const wait = { signal: new AbortController().signal, remainingMs: 0, begin: () => undefined };
    const held = whileLocked([parent], { wait }, () => Promise.resolve());
    await expect(held).rejects.toThrow(
      `the process ${child.pid} is changing the file: wait until it ends; if that process is something else, delete \`${lockNameOf("log")}\` beside the file`,
    );
  });

  test("leads to an error if the lock is somebody else's file", async () => {
    const { errorOf, names, put } = notesProject();
    put(`notes/${lockNameOf("log")}`, "a poem");
    const error = await errorOf("append", { path: "notes/log", text: "two" });
    expect(error).toMatchObject({
      failure: { code: "PROVIDER.UNAVAILABLE", reason: "LOCKED" },
      outcome: "not-done",
    });
    expect(error.message).toContain("names no process: delete it");
    expect(names()).toEqual([lockNameOf("log")]);
  });
});

test("moves in both directions at the same time end", async () => {
  const { call, names, put } = notesProject();
  put("notes/a", "a");
  put("notes/b", "b");
  const moves = Array.from({ length: 20 }, (_, at) =>
    call("move", {
      path: at % 2 === 0 ? "notes/a" : "notes/b",
      to: at % 2 === 0 ? "notes/b" : "notes/a",
      overwrite: true,
    }),
  );
  const all = await Promise.all(moves);
  expect(all.filter(({ status }) => status === "success").length).toBeGreaterThan(0);
  expect(names()).toHaveLength(1);
});

test("no call changes a lock or a file that another change is writing", async () => {
  const { call, names, put } = notesProject();
  put("notes/a", "a");
  for (const name of [lockNameOf("a"), ".skillc-AAAAAAAAAAAA.part"]) {
    const path = `notes/${name}`;
    expect(await call("write", { path, text: "x" })).toMatchObject({ status: "wrong_kind" });
    expect(await call("move", { path: "notes/a", to: path })).toMatchObject({
      status: "wrong_kind",
    });
  }
  expect(names()).toEqual(["a"]);
});

test("spellings of a name that some systems hold for one file share a lock", () => {
  expect(lockNameOf("Straße")).toBe(lockNameOf("STRASSE"));
  expect(lockNameOf("\u00e9")).toBe(lockNameOf("e\u0301"));
  expect(lockNameOf("a")).not.toBe(lockNameOf("b"));
});
