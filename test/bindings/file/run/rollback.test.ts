import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { restoreBackup } from "../../../../src/runtime/rollback/backups/restore-backup.js";
import { describeTree } from "../../../runtime/rollback/backups/trees.js";
import { notesProject, type Operation, type Params } from "./support.js";

const rollback = { strategy: "backup" } as const;

function callsIn(directory: string): readonly string[] {
  const folder = join(directory, ".skillc/backups/calls");
  return fs.existsSync(folder) ? fs.readdirSync(folder) : [];
}

describe("the way back of a file tool", () => {
  test.each<[string, Operation, Params]>([
    ["a new file", "write", { path: "notes/new.md", text: "new" }],
    ["a new file in new folders", "write", { path: "notes/x/y/n.md", text: "n", create: true }],
    ["a replaced file", "write", { path: "notes/a.md", text: "other", overwrite: true }],
    ["a longer file", "append", { path: "notes/a.md", text: "two\n" }],
    ["a moved file", "move", { path: "notes/a.md", to: "notes/z/a.md", create: true }],
    [
      "a file moved over another",
      "move",
      { path: "notes/a.md", to: "notes/b.md", overwrite: true },
    ],
    ["a deleted file", "delete", { path: "notes/a.md" }],
    ["a patched file", "patch", { path: "notes/a.md", patch: "@@ -1 +1 @@\n-one\n+1\n" }],
  ])("undoes %s", async (_, operation, params) => {
    const { call, directory, put } = notesProject();
    fs.chmodSync(put("notes/a.md", "one\n"), 0o640);
    put("notes/b.md", "b");
    const withoutTimes = (): readonly string[] =>
      describeTree(join(directory, "notes")).map((line) => line.replace(/^(\S+ \d+) \d+/, "$1"));
    const before = withoutTimes();
    await expect(call(operation, params, { rollback })).resolves.toMatchObject({
      status: "success",
    });
    expect(withoutTimes()).not.toEqual(before);
    const [made = ""] = callsIn(directory);
    await expect(restoreBackup({ directory, call: made, by: "back" })).resolves.toMatchObject({
      status: "restored",
    });
    expect(withoutTimes()).toEqual(before);
  });

  test("nothing is copied if nothing was changed, in shadow mode, or without a way back", async () => {
    const { call, directory, put } = notesProject();
    put("notes/a.md", "one\n");
    const taken = { path: "notes/a.md", text: "x" };
    await expect(call("write", taken, { rollback })).resolves.toMatchObject({ status: "exists" });
    await call("delete", { path: "notes/a.md" }, { rollback, mode: "shadow" });
    await call("delete", { path: "notes/a.md" });
    expect(callsIn(directory)).toEqual([]);
  });

  test("a file beyond the limit of copies is not changed", async () => {
    const { errorOf, put, textOf } = notesProject({ backups: { maxBytes: 10 } });
    put("notes/a.md", "more than ten bytes");
    const error = await errorOf("delete", { path: "notes/a.md" }, { rollback });
    expect(error).toMatchObject({
      failure: { code: "PROVIDER.UNAVAILABLE", reason: "BACKUP_TOO_LARGE" },
      outcome: "not-done",
    });
    expect(error.message).toBe(
      "`desk/delete` changed nothing, because its way back can't be kept: the copies would take more than 10 bytes; allow more by `backups: { maxBytes }` of createRuntime, or let the tool change less",
    );
    expect(textOf("notes/a.md")).toBe("more than ten bytes");
  });
});
