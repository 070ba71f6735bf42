/** A process that writes files is killed before each of its steps: the next one does the rest. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { completeWrites, pendingSteps } from "../../../src/cli/output/write-journal.js";
import { loaderArgs } from "../../support/node-loader.js";
import { filesIn, makeProject } from "../support/command-line.js";

const script = fileURLToPath(new URL("./killed-writer.ts", import.meta.url));
const before = {
  "skills/a/SKILL.md": "a",
  "skills/gone/SKILL.md": "gone",
  "skills/gone/metadata.yaml": "gone too",
  "skills/.import/shop/import.json": "first",
};
const after = {
  "skills/a/SKILL.md": "a, and more",
  "skills/new/SKILL.md": "new",
  "skills/.import/shop/import.json": "second",
};
const changes = {
  changed: after,
  removed: ["skills/gone/SKILL.md", "skills/gone/metadata.yaml"],
};

/** Whether the process was killed: it ends by itself if it has fewer steps. */
function writeAndDieAfter(root: string, steps: number): boolean {
  const args = [...loaderArgs, script, root, `${steps}`, JSON.stringify(changes)];
  const { signal, status, stderr } = spawnSync(process.execPath, args);
  expect([signal ?? status, stderr.toString("utf8")]).toBeOneOf([
    ["SIGKILL", ""],
    [0, ""],
  ]);
  return signal === "SIGKILL";
}

const stagingIn = (root: string) =>
  readdirSync(join(root, "skills")).filter((name) => name.startsWith(".writing-"));

test("files are all as they were or all as they were to be, before whichever step the writer is killed", () => {
  const outcomes = new Set<string>();
  for (let steps = 0, isKilled = true; isKilled; steps += 1) {
    const root = makeProject(before);
    isKilled = writeAndDieAfter(root, steps);
    completeWrites(root, "skills");
    expect(stagingIn(root)).toEqual([]);
    expect(pendingSteps(root, "skills")).toEqual([]);
    expect([before, after], `killed after ${steps} steps`).toContainEqual(filesIn(root));
    outcomes.add(JSON.stringify(filesIn(root)));
    expect(readdirSync(join(root, "skills")).includes("gone")).toBe(
      "skills/gone/SKILL.md" in filesIn(root),
    );
  }
  expect(outcomes.size).toBe(2);
}, 120_000);
