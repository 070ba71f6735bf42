/** Calls that end the changes of a killed process, and change nothing themselves. */
import fs from "node:fs";
import { expect, test } from "vitest";
import type { LedgerCall } from "../../../../src/runtime/ledger/ledger-call.js";
import { backupsOf } from "../../../../src/runtime/rollback/backups/backup-folder.js";
import { absent } from "../../../../src/runtime/rollback/backups/entry-state.js";
import { writeJournal } from "../../../../src/runtime/rollback/backups/journal-file.js";
import { openKeeper } from "../../../../src/runtime/rollback/backups/keeper.js";
import { obstacleOf } from "../../../../src/runtime/rollback/find-undoable.js";
import type { WayBack } from "../../../../src/runtime/rollback/way-back.js";
import { keptProject } from "./kept.js";
import { statesOf } from "./trees.js";

const ended: WayBack = {
  strategy: "unchanged",
  recovered: [{ call: "killed-1", end: "undone" }],
};

/** A project in which a process was killed before its first change. */
async function killedProject() {
  const project = keptProject({ "notes/a": "a", "notes/b": "b" });
  const { at, directory } = project;
  const path = at("notes/a");
  const from = (await statesOf(path)).get(path) ?? absent;
  await writeJournal(backupsOf(directory), "killed-1", {
    phase: "staging",
    changes: [{ path, from, to: absent }],
    roots: [at("notes")],
    stageName: ".skillc-AAAAAAAAAAAA.part",
  });
  const notes: (WayBack | undefined)[] = [];
  const keeper = openKeeper({
    directory,
    call: "call-1",
    strategy: "backup",
    maxBytes: 1,
    note: (wayBack) => notes.push(wayBack),
  });
  return { ...project, keeper, notes };
}

test("a call whose first copy fails notes the changes that it ended", async () => {
  const { at, keeper, notes } = await killedProject();
  await expect(keeper.copy([at("notes")])).rejects.toMatchObject({ problem: "too-large" });
  expect(notes).toEqual([ended]);
});

test("a call that changes nothing after its copies notes the changes that it ended", async () => {
  const { at, keeper, notes } = await killedProject();
  await keeper.copy([at("notes/b")]);
  keeper.discard();
  expect(notes.at(-1)).toEqual(ended);
});

test("a call notes the changes that it ended if it is stopped by others that it can't end", async () => {
  const { at, directory, keeper, notes } = await killedProject();
  const path = at("notes/b");
  await writeJournal(backupsOf(directory), "stuck-1", {
    phase: "changing",
    changes: [{ path, from: { kind: "other", why: "is a pipe" }, to: absent }],
    roots: [at("notes")],
    stageName: ".skillc-BBBBBBBBBBBB.part",
  });
  fs.writeFileSync(at("notes/.skillc-BBBBBBBBBBBB.part"), "no folder");
  await expect(keeper.copy([at("notes")])).rejects.toMatchObject({ problem: "unavailable" });
  expect(notes).toEqual([ended]);
});

test("nothing has to be undone for a call that only ended changes of others", () => {
  const record = { attempts: 1, effect: "write", mode: "live", outcome: "ended", status: "failed" };
  // Only these fields are read.
  const call = { ...record, rollback: ended } as unknown as LedgerCall;
  expect(obstacleOf(call)).toMatchObject({ reason: "not-made" });
});
