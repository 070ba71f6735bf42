import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { whileLocked } from "../../../src/runtime/files/change-lock.js";
import { lockFolders } from "../../../src/runtime/files/folder-lock.js";
import { takeLock } from "../../../src/runtime/files/lock-file.js";
import { folderLockName, lockNameOf } from "../../../src/runtime/files/names-beside.js";
import { openParent } from "../../../src/runtime/files/open-judged.js";
import { emptyFolder } from "../rollback/backups/trees.js";

const patient = { timeoutMs: 60_000 };

/** Folders `one` and `two`, each with a file `log`. */
function twoFolders() {
  const directory = emptyFolder();
  const at = (path: string): string => join(directory, path);
  for (const each of ["one", "two"]) {
    fs.mkdirSync(at(each));
    fs.writeFileSync(at(`${each}/log`), "");
  }
  return { at, names: () => ["one", "two"].flatMap((each) => fs.readdirSync(at(each)).toSorted()) };
}

/** Changes files, and adds `change` to the events. */
async function changing(paths: readonly string[], events: string[], remainingMs?: number) {
  const parents = await Promise.all(paths.map((path) => openParent({ path })));
  const wait = { signal: new AbortController().signal, remainingMs, begin: () => undefined };
  try {
    await whileLocked(parents, { wait }, () => Promise.resolve(events.push("change")));
  } finally {
    for (const each of parents) await each.close();
  }
}

function held(path: string) {
  const lock = takeLock(path);
  if (lock.kind !== "held") throw new Error("somebody has the lock");
  return lock;
}

test("a change of a file waits until nobody has locked its folder", async () => {
  const { at, names } = twoFolders();
  const events: string[] = [];
  const unlock = await lockFolders([at("one"), at("two")], patient);
  const change = changing([at("one/log"), at("two/log")], events);
  await new Promise((resolve) => setTimeout(resolve, 100));
  // It keeps no lock of its own meanwhile, for which the holder of the folder may wait.
  expect(names()).toEqual([folderLockName, "log", folderLockName, "log"]);
  events.push("unlock");
  await unlock();
  await change;
  expect(events).toEqual(["unlock", "change"]);
  expect(names()).toEqual(["log", "log"]);
});

test("a lock of a folder waits for the files that are locked, and for no later ones", async () => {
  const { at } = twoFolders();
  const events: string[] = [];
  const file = held(at(`one/${lockNameOf("log")}`));
  const locking = lockFolders([at("one"), at("two")], patient);
  await expect.poll(() => fs.existsSync(at(`one/${folderLockName}`))).toBe(true);
  const change = changing([at("one/other")], events);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(events).toEqual([]);
  file.release();
  const unlock = await locking;
  expect(events).toEqual([]);
  await unlock();
  await change;
});

test("waiting ends at its time limit, and leaves no lock", async () => {
  const { at, names } = twoFolders();
  const file = held(at(`two/${lockNameOf("log")}`));
  await expect(lockFolders([at("one"), at("two")], { timeoutMs: 50 })).rejects.toMatchObject({
    name: "FolderLocked",
    path: at(`two/${lockNameOf("log")}`),
    message: expect.stringContaining(`the process ${process.pid} is changing a file`),
  });
  expect(names()).toEqual(["log", lockNameOf("log"), "log"]);
  file.release();

  const unlock = await lockFolders([at("one")], patient);
  await expect(changing([at("one/log")], [], 50)).rejects.toMatchObject({ name: "FileLocked" });
  await unlock();
});

test("waiting ends if its signal aborts", async () => {
  const { at } = twoFolders();
  const file = held(at(`one/${lockNameOf("log")}`));
  const aborting = new AbortController();
  const locking = lockFolders([at("one")], { ...patient, signal: aborting.signal });
  const reason = new Error("the caller waits no longer");
  aborting.abort(reason);
  await expect(locking).rejects.toBe(reason);
  file.release();
});

test("a process that exits releases the locks of its folders", async () => {
  const { at, names } = twoFolders();
  await lockFolders([at("one"), at("two")], patient);
  for (const each of process.listeners("exit")) if (each.name === "runAll") each(0);
  expect(names()).toEqual(["log", "log"]);
});

test("a lock of a folder needs no folder, and waits for no file of its own call", async () => {
  const { at } = twoFolders();
  fs.symlinkSync("one", at("link"));
  const file = held(at(`one/${lockNameOf("log")}`));
  const paths = [at("one"), at("missing/folder"), at("link"), at("one/log")];
  const unlock = await lockFolders(paths, { ...patient, ignoresOwnFiles: true });
  fs.renameSync(at("one"), at("moved"));
  await unlock();
  file.release();
  expect(fs.readdirSync(at("moved"))).toContain(folderLockName);
  expect(held(at(`moved/${folderLockName}`)).kind).toBe("held");
});
