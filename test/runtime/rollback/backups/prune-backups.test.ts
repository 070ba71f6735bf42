import fs from "node:fs";
import { expect, test } from "vitest";
import { openJournal } from "../../../../src/runtime/rollback/backups/apply-changes.js";
import { backupsOf } from "../../../../src/runtime/rollback/backups/backup-folder.js";
import { pruneBackups } from "../../../../src/runtime/rollback/backups/prune-backups.js";
import { callsWithCopies, keptProject } from "./kept.js";

/** Two calls with a common content. The first one is old. */
async function twoCalls() {
  const project = keptProject({ "a.md": "a", "b.md": "b" });
  await project.change("old", ["a.md", "b.md"], () => {});
  await project.change("new", ["b.md"], () => fs.rmSync(project.at("b.md")));
  fs.utimesSync(project.at(".skillc/backups/calls/old/listing.json"), 1000, 1000);
  return project;
}

const before = { beforeMs: 2_000_000 };

test("removes old copies, and leaves what other calls share", async () => {
  const { at, directory, restore } = await twoCalls();
  await expect(pruneBackups(directory, { ...before, dryRun: true })).resolves.toBe(1);
  expect(callsWithCopies(directory).toSorted()).toEqual(["new", "old"]);
  await expect(pruneBackups(directory, before)).resolves.toBe(1);
  expect(callsWithCopies(directory)).toEqual(["new"]);
  const [origin = ""] = fs.readdirSync(at(".skillc/backups/objects"));
  expect(fs.readdirSync(at(`.skillc/backups/objects/${origin}`))).toHaveLength(1);
  await expect(restore({ call: "old", by: "x" })).resolves.toMatchObject({ reason: "no-copies" });
  await expect(restore({ call: "new", by: "y" })).resolves.toMatchObject({ status: "restored" });
});

test("leaves copies that a process restores", async () => {
  const { directory } = await twoCalls();
  const journal = await openJournal(backupsOf(directory), "old");
  await expect(pruneBackups(directory, before)).resolves.toBe(0);
  journal.release();
  await expect(pruneBackups(directory, before)).resolves.toBe(1);
});

test("a content that a call shares while it is pruned stays with that call", async () => {
  const { at, change, directory, restore } = await twoCalls();
  fs.rmSync(at(".skillc/backups/objects"), { recursive: true });
  await change("later", ["a.md"], () => fs.rmSync(at("a.md")));
  await pruneBackups(directory, before);
  await expect(restore({ call: "later", by: "x" })).resolves.toMatchObject({ status: "restored" });
  expect(fs.readFileSync(at("a.md"), "utf8")).toBe("a");
});

test("finds nothing in a project without copies, and removes nothing through a link", async () => {
  const { at, directory } = keptProject({ "elsewhere/calls/x/listing.json": "{}" });
  await expect(pruneBackups(directory, before)).resolves.toBe(0);
  fs.mkdirSync(at(".skillc"));
  fs.symlinkSync(at("elsewhere"), at(".skillc/backups"));
  await expect(pruneBackups(directory, { beforeMs: 1e15 })).rejects.toThrow("is a link");
  expect(fs.existsSync(at("elsewhere/calls/x/listing.json"))).toBe(true);
});

test("leaves what is nobody's copy, and follows no link to it", async () => {
  const { at, directory } = await twoCalls();
  const calls = at(".skillc/backups/calls");
  fs.mkdirSync(at("elsewhere/listing.json"), { recursive: true });
  fs.writeFileSync(at("elsewhere/a"), "a");
  fs.mkdirSync(`${calls}/a b`);
  fs.writeFileSync(`${calls}/.DS_Store`, "");
  fs.symlinkSync(at("elsewhere"), `${calls}/link`);
  fs.symlinkSync(at("elsewhere"), at(".skillc/backups/objects/link"));
  await expect(pruneBackups(directory, before)).resolves.toBe(1);
  expect(fs.readdirSync(calls).toSorted()).toEqual([".DS_Store", "a b", "link", "new"]);
  expect(fs.readFileSync(at("elsewhere/a"), "utf8")).toBe("a");
});
