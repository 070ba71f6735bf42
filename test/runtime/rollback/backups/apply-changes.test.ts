import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  applyChanges,
  openJournal,
} from "../../../../src/runtime/rollback/backups/apply-changes.js";
import { backupsOf } from "../../../../src/runtime/rollback/backups/backup-folder.js";
import { changesBetween, describeTree, emptyFolder, type Entries } from "./trees.js";

const now: Entries = {
  "same.txt": "same",
  "changed.txt": "now",
  "mode.txt": { text: "mode", mode: 0o600 },
  "gone.txt": "gone",
  "gone/deep/a.txt": "a",
  "gone/link": { target: "deep" },
  "file-to-folder": "file",
  "folder-to-file/b.txt": "b",
  link: { target: "same.txt" },
  "locked/c.txt": "c",
};
const wanted: Entries = {
  "same.txt": { text: "same", seconds: 1000.5 },
  "changed.txt": { text: "wanted", mode: 0o4755, seconds: 2000 },
  "mode.txt": { text: "mode", mode: 0o640 },
  "file-to-folder/x.txt": "x",
  "file-to-folder/empty": { folder: true, mode: 0o500, seconds: 3000 },
  "folder-to-file": "file",
  link: { target: "changed.txt" },
  "new/y.txt": "y",
  "new-z.txt": "z",
  locked: { folder: true, mode: 0o555, seconds: 4000 },
  "locked/c.txt": "c, and more",
};

test("makes a tree equal to another, and leaves nothing else behind", async () => {
  const { changes, directory, other, root } = await changesBetween(now, wanted);
  const journal = await openJournal(backupsOf(directory), "call-1");
  expect(journal.recovered).toBeUndefined();
  await expect(applyChanges(journal, changes, { roots: [root] })).resolves.toEqual({
    ownersLeft: 0,
  });
  journal.release();
  expect(describeTree(root)).toEqual(describeTree(other));
  expect(fs.readdirSync(join(directory, ".skillc/backups/journals"))).toEqual([]);
});

test("changes nothing if an entry is not in the expected state", async () => {
  for (const path of ["changed.txt", "gone/deep/a.txt", "locked/c.txt", "gone/deep/new.txt"]) {
    const { changes, directory, root } = await changesBetween(now, wanted);
    fs.writeFileSync(join(root, path), "somebody's work");
    const before = describeTree(root);
    const journal = await openJournal(backupsOf(directory), "call-1");
    await expect(applyChanges(journal, changes, { roots: [root] })).rejects.toMatchObject({
      problem: "differs",
      paths: [join(root, path)],
    });
    journal.release();
    expect(describeTree(root).map((line) => line.replace(/^(\S+ \d+) \d+/, "$1"))).toEqual(
      before.map((line) => line.replace(/^(\S+ \d+) \d+/, "$1")),
    );
  }
});

test("changes nothing if a content is not the expected one", async () => {
  const { changes, directory, other, root } = await changesBetween(now, wanted);
  fs.writeFileSync(join(other, "new/y.txt"), "edited");
  const before = describeTree(root);
  const journal = await openJournal(backupsOf(directory), "call-1");
  await expect(applyChanges(journal, changes, { roots: [root] })).rejects.toMatchObject({
    problem: "damaged",
    paths: [join(root, "new/y.txt")],
  });
  journal.release();
  expect(describeTree(root)).toEqual(before);
});

test("a journal is open once at a time", async () => {
  const backups = backupsOf(emptyFolder());
  const journal = await openJournal(backups, "call-1");
  await expect(openJournal(backups, "call-1")).rejects.toMatchObject({ problem: "busy" });
  journal.release();
  (await openJournal(backups, "call-1")).release();
});
