import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { path } from "../../../../src/bindings/command/run/arguments.js";
import { restoreBackup } from "../../../../src/runtime/rollback/backups/restore-backup.js";
import type { ToolRollback } from "../../../../src/runtime/rollback/tool-rollback.js";
import { describeTree } from "../../../runtime/rollback/backups/trees.js";
import { type Params, projectWith } from "./support.js";

/** A project whose command runs a program in `notes`. */
function notesCommand(
  program: string,
  paths: NonNullable<(ToolRollback<Params> & { readonly strategy: "backup" })["paths"]>,
  timeoutMs = 20_000,
) {
  const project = projectWith(
    {
      executor: "host",
      effect: "write",
      argv: () => [process.execPath, "-e", program],
      cwd: "./notes",
      write: ["./notes"],
    },
    { timeoutMs, rollback: { strategy: "backup", paths } },
  );
  project.put("notes/a.md", "a");
  project.put("notes/deep/b.md", "b");
  fs.symlinkSync("a.md", join(project.directory, "notes/link"));
  const calls = (): readonly string[] => {
    const folder = join(project.directory, ".skillc/backups/calls");
    return fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  };
  const tree = (): readonly string[] => describeTree(join(project.directory, "notes"));
  const restore = () =>
    restoreBackup({ directory: project.directory, call: calls()[0] ?? "", by: "back" });
  return { ...project, calls, restore, tree };
}

const change = `const fs = require("node:fs"); fs.rmSync("deep", { recursive: true }); fs.writeFileSync("a.md", "x");`;

test("a command is undone by copies of the paths that its rollback names", async () => {
  const { call, restore, tree } = notesCommand(change, () => ["./notes"]);
  const before = tree();
  await expect(call()).resolves.toMatchObject({ status: "success" });
  expect(tree()).not.toEqual(before);
  await expect(restore()).resolves.toMatchObject({ status: "restored" });
  expect(tree()).toEqual(before);
});

test("a command that fails, or is ended at its time limit, keeps its way back", async () => {
  for (const end of ["process.exit(3)", "setInterval(() => {}, 1000)"]) {
    const { errorOf, restore, tree } = notesCommand(`${change} ${end}`, () => ["./notes"], 3000);
    const before = tree();
    expect(await errorOf()).toMatchObject({ outcome: "unknown" });
    expect(tree()).not.toEqual(before);
    await expect(restore()).resolves.toMatchObject({ status: "restored" });
    expect(tree()).toEqual(before);
  }
});

test("a link that a command replaces is kept together with the file behind it", async () => {
  const program = `const fs = require("node:fs"); fs.writeFileSync("link", "x"); fs.rmSync("link");`;
  const { call, restore, tree } = notesCommand(program, (p) => [path("/path", String(p["path"]))]);
  const before = tree().filter((line) => !line.startsWith(". "));
  await expect(call({ path: "link" })).resolves.toMatchObject({ status: "success" });
  await restore();
  expect(tree().filter((line) => !line.startsWith(". "))).toEqual(before);
});

test("a path to copy outside of the folders that the command may change stops it", async () => {
  const { calls, errorOf, tree } = notesCommand(change, (p) => [
    path("/path", String(p["path"])),
    "./other",
  ]);
  const before = tree();
  expect(await errorOf({ path: "../other" })).toMatchObject({
    code: "SCHEMA.VALIDATION_FAILED",
    failure: { problems: [{ pointer: "/path" }] },
    outcome: "not-done",
  });
  expect(await errorOf({ path: "a.md" })).toMatchObject({
    code: "PROVIDER.UNAVAILABLE",
    failure: {
      reason: "a path of its `rollback` leads outside of the folders that it may change",
    },
    outcome: "not-done",
  });
  expect(tree()).toEqual(before);
  expect(calls()).toEqual([]);
});
