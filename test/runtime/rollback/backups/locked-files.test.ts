/** Restores and applied changes, while others change the same files. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { takeLock } from "../../../../src/runtime/files/lock-file.js";
import { lockNameOf } from "../../../../src/runtime/files/names-beside.js";
import {
  applyChanges,
  openJournal,
} from "../../../../src/runtime/rollback/backups/apply-changes.js";
import { BackupFault } from "../../../../src/runtime/rollback/backups/backup-fault.js";
import { backupsOf } from "../../../../src/runtime/rollback/backups/backup-folder.js";
import { digestFile } from "../../../../src/runtime/rollback/backups/copy-file.js";
import { Breath } from "../../../../src/runtime/rollback/backups/breath.js";
import type { FileState } from "../../../../src/runtime/rollback/backups/entry-state.js";
import { loaderArgs } from "../../../support/node-loader.js";
import { keptProject } from "./kept.js";
import { describeTree, emptyFolder, statesOf } from "./trees.js";

test("a restore waits for a file that somebody changes, and keeps that change", async () => {
  const { at, change, directory, restore } = keptProject({ "notes/log": "one\n" });
  await change("call", ["notes"], () => fs.writeFileSync(at("notes/log"), "two\n"));
  const lock = takeLock(at(`notes/${lockNameOf("log")}`));
  if (lock.kind !== "held") throw new Error("somebody has the lock");
  const restored = restore({ call: "call", by: "back" });
  const journal = join(directory, ".skillc/backups/journals/call.json");
  await expect.poll(() => fs.existsSync(journal), { timeout: 20_000 }).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 100));
  fs.writeFileSync(at("notes/log"), "two and three\n");
  lock.release();
  expect(await restored).toMatchObject({
    status: "conflict",
    differences: [{ path: "notes/log" }],
  });
  expect(fs.readdirSync(at("notes"))).toEqual(["log"]);
  expect(fs.readFileSync(at("notes/log"), "utf8")).toBe("two and three\n");
});

test("a restore that is aborted while it waits changes nothing", async () => {
  const { at, change, restore } = keptProject({ "notes/log": "one\n" });
  await change("call", ["notes"], () => fs.writeFileSync(at("notes/log"), "two\n"));
  const before = describeTree(at("notes/log"));
  const lock = takeLock(at(`notes/${lockNameOf("log")}`));
  const aborting = new AbortController();
  const restored = restore({ call: "call", by: "back", signal: aborting.signal });
  setTimeout(() => aborting.abort(), 300);
  await expect(restored).rejects.toMatchObject({ name: "AbortError" });
  if (lock.kind === "held") lock.release();
  expect(describeTree(at("notes/log"))).toEqual(before);
  expect(await restore({ call: "call", by: "back" })).toMatchObject({ status: "restored" });
});

test("no line is lost that a process appends while changes are made", async () => {
  const directory = emptyFolder();
  const log = join(directory, "notes/log");
  fs.mkdirSync(join(directory, "notes"));
  fs.writeFileSync(log, "");
  const path = fileURLToPath(
    new URL("../../../bindings/file/run/appending-process.ts", import.meta.url),
  );
  const args = [...loaderArgs, path, directory, "./notes", "line", "50"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit", "ipc"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "message");
  const ended = once(child, "close");
  child.send("go");
  let marks = 0;
  while (child.exitCode === null) if (await isMarked(directory, log)) marks += 1;
  expect((await ended)[0]).toBe(0);
  const lines = fs.readFileSync(log, "utf8").trimEnd().split("\n");
  expect(lines.filter((each) => each !== "mark")).toEqual(
    Array.from({ length: 50 }, (_, at) => `line ${at}`),
  );
  expect(lines.filter((each) => each === "mark")).toHaveLength(marks);
});

/** Adds a mark to a file, as effects of a command do. Returns false if somebody changed the file. */
async function isMarked(directory: string, log: string): Promise<boolean> {
  const from = (await statesOf(log)).get(log);
  if (from?.kind !== "file") return false;
  const source = join(directory, "source");
  fs.writeFileSync(source, `${fs.readFileSync(log, "utf8")}mark\n`);
  const fd = fs.openSync(source, "r");
  const facts = await digestFile(fd, new Breath());
  fs.closeSync(fd);
  const to: FileState = { ...from, ...facts };
  const journal = await openJournal(backupsOf(directory), "call");
  try {
    await applyChanges(journal, [{ path: log, from, to, source }], {
      roots: [join(directory, "notes")],
    });
    return true;
  } catch (error) {
    if (!(error instanceof BackupFault) || error.problem !== "differs") throw error;
    return false;
  } finally {
    journal.release();
  }
}
