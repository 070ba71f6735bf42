/** Processes that keep copies, or restore them, are killed before each of their steps. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { journaledCalls } from "../../../../src/runtime/rollback/backups/journal-file.js";
import { backupsOf } from "../../../../src/runtime/rollback/backups/backup-folder.js";
import { loaderArgs } from "../../../support/node-loader.js";
import { keptProject } from "./kept.js";
import { describeTree } from "./trees.js";

const notes = { "notes/a.md": { text: "a", mode: 0o640, seconds: 1000 }, "notes/b.md": "b" };

/** Returns whether the process was killed: it ends by itself if it has fewer steps. */
function dieAfter(program: string, directory: string, steps: number): boolean {
  const script = fileURLToPath(new URL(program, import.meta.url));
  const args = [...loaderArgs, script, directory, `${steps}`];
  const { signal, status, stderr } = spawnSync(process.execPath, args);
  expect([signal ?? status, stderr.toString("utf8")]).toBeOneOf([
    ["SIGKILL", ""],
    [0, ""],
  ]);
  return signal === "SIGKILL";
}

test("a change can be undone by its copies, before whichever step its process is killed", async () => {
  for (let steps = 0, isKilled = true; isKilled; steps += 1) {
    const { at, directory, restore } = keptProject(notes);
    const before = describeTree(at("notes"));
    isKilled = dieAfter("./killed-keeper.ts", directory, steps);
    const isChanged = describeTree(at("notes")).join() !== before.join();
    const outcome = await restore({ call: "one", by: "two", force: true });
    // Before the first change, the list of the copies may not exist yet.
    expect(outcome, `killed after ${steps} steps`).toMatchObject(
      isChanged ? { status: "restored" } : {},
    );
    expect(describeTree(at("notes"))).toEqual(before);
  }
}, 300_000);

test("an interrupted restore is completed or undone by the next, and never made twice", async () => {
  const ends = new Set<string>();
  for (let steps = 0, isKilled = true; isKilled; steps += 1) {
    const { at, change, directory, restore } = keptProject(notes);
    const before = describeTree(at("notes"));
    await change("one", ["notes"], () => {
      fs.writeFileSync(at("notes/a.md"), "changed");
      fs.rmSync(at("notes/b.md"));
    });
    isKilled = dieAfter("./killed-restore.ts", directory, steps);
    const outcome = await restore({ call: "one", by: "three" });
    expect(describeTree(at("notes")), `killed after ${steps} steps`).toEqual(before);
    expect(journaledCalls(backupsOf(directory))).toEqual([]);
    ends.add(outcome.status);
    expect(await restore({ call: "one", by: "four" })).toMatchObject({ reason: "rolled-back" });
  }
  expect(ends).toEqual(new Set(["restored", "refused"]));
}, 300_000);
