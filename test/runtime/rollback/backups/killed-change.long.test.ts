/** A process that changes a tree is killed before each of its steps: the next one does the rest. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { recoverChanges } from "../../../../src/runtime/rollback/backups/apply-changes.js";
import { backupsOf } from "../../../../src/runtime/rollback/backups/backup-folder.js";
import { journaledCalls } from "../../../../src/runtime/rollback/backups/journal-file.js";
import { loaderArgs } from "../../../support/node-loader.js";
import { changesBetween, describeTree, type Entries } from "./trees.js";

const script = fileURLToPath(new URL("./killed-change.ts", import.meta.url));
const now: Entries = {
  "changed.txt": "now",
  "gone/deep.txt": "gone",
  link: { target: "changed.txt" },
  "times.txt": { text: "times", seconds: 1000 },
};
const wanted: Entries = {
  "changed.txt": { text: "wanted", mode: 0o640, seconds: 2000 },
  "new/inner/x.txt": "x",
  link: { target: "new" },
  "times.txt": { text: "times", seconds: 3000 },
};

/** Returns whether the process was killed: it ends by itself if it has fewer steps. */
function changeAndDieAfter(directory: string, steps: number, changes: unknown): boolean {
  const args = [...loaderArgs, script, directory, `${steps}`, JSON.stringify(changes)];
  const { signal, status, stderr } = spawnSync(process.execPath, args);
  expect([signal ?? status, stderr.toString("utf8")]).toBeOneOf([
    ["SIGKILL", ""],
    [0, ""],
  ]);
  return signal === "SIGKILL";
}

test("a tree is as before or as wanted, before whichever step its process is killed", async () => {
  const ends = new Set<string>();
  for (let steps = 0, isKilled = true; isKilled; steps += 1) {
    const { changes, directory, other, root } = await changesBetween(now, wanted);
    const [before, after] = [describeTree(root), describeTree(other)];
    const backups = backupsOf(directory);
    isKilled = changeAndDieAfter(directory, steps, changes);
    const { recovered, stuck } = await recoverChanges(backups);
    expect(stuck).toEqual([]);
    const left = describeTree(root);
    expect([before, after], `killed after ${steps} steps`).toContainEqual(left);
    const end = left.join() === before.join() ? "undone" : "completed";
    // A process that was killed before its journal, or after it, left nothing to recover.
    expect([[], [{ call: "call-1", end }]]).toContainEqual(recovered);
    for (const each of recovered) ends.add(each.end);
    expect(journaledCalls(backups)).toEqual([]);
  }
  expect(ends).toEqual(new Set(["undone", "completed"]));
}, 240_000);
