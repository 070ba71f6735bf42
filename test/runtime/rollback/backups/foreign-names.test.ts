/** Files of a call that have names like those that skillc puts beside files. */
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { takeLock } from "../../../../src/runtime/files/lock-file.js";
import { lockNameOf } from "../../../../src/runtime/files/names-beside.js";
import { backupsOf } from "../../../../src/runtime/rollback/backups/backup-folder.js";
import { stageNames, writeJournal } from "../../../../src/runtime/rollback/backups/journal-file.js";
import { keptProject } from "./kept.js";
import { describeTree } from "./trees.js";

const id = "8da25c99-aa06-49ee-b2f1-3bc6376b6053";

test("a rollback restores and removes files with any name", async () => {
  const lock = lockNameOf("a");
  const { at, change, restore } = keptProject({
    "notes/a": "a",
    "notes/.skillc-x.part": "mine",
    [`notes/${lock}`]: "mine",
  });
  const before = describeTree(at("notes"));
  const created = [
    ".skillc-y.part",
    ".skillc-AAAAAAAAAAAA.part",
    lockNameOf("b"),
    `${lock}.1.${id}`,
    `${lock}.tar`,
  ];
  await change("call", ["notes"], () => {
    for (const each of created) fs.writeFileSync(at(`notes/${each}`), "data");
    // A lock with data in it is none.
    const forged = { pid: 1, host: "h", thread: 0, id, data: "data" };
    fs.writeFileSync(at(`notes/${lockNameOf("c")}`), JSON.stringify(forged));
    fs.writeFileSync(at("notes/.skillc-x.part"), "changed");
    fs.rmSync(at(`notes/${lock}`));
    fs.mkdirSync(at("notes/.skillc-BBBBBBBBBBBB.part"));
    fs.writeFileSync(at("notes/.skillc-BBBBBBBBBBBB.part/c"), "data");
  });
  expect(await restore({ call: "call", by: "back" })).toMatchObject({ status: "restored" });
  const withoutTimes = (lines: readonly string[]) => lines.filter((each) => !each.startsWith(". "));
  expect(withoutTimes(describeTree(at("notes")))).toEqual(withoutTimes(before));
});

test("copies leave out locks and the staging folders of changes that are being made", async () => {
  const { at, change, directory, restore } = keptProject({ "notes/a": "a" });
  const backups = backupsOf(directory);
  const stageName = ".skillc-AAAAAAAAAAAA.part";
  const lock = takeLock(at(`notes/${lockNameOf("a")}`));
  await change("call", ["notes"], () => fs.writeFileSync(at("notes/a"), "changed"));
  if (lock.kind === "held") lock.release();
  await writeJournal(backups, "other", {
    phase: "changing",
    changes: [],
    roots: [at("notes")],
    stageName,
  });
  const held = takeLock(join(directory, ".skillc/backups/journals/other.json.lock"));
  fs.mkdirSync(at(`notes/${stageName}`));
  expect([held.kind, ...stageNames(backups)]).toEqual(["held", stageName]);
  expect(await restore({ call: "call", by: "back" })).toMatchObject({
    status: "restored",
    changes: [{ path: "notes/a" }],
  });
  expect(fs.readdirSync(at("notes"))).toEqual([stageName, "a"]);
});
