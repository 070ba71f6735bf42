import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  applyPatch,
  backupNotes,
  cleanUp,
  listMatches,
  log,
  runTests,
  search,
  status,
} from "../../../../generated/repo-maintenance/index.js";
import { absenceOf, describeUnless } from "../../../support/service.js";
import { bubblewrap, projectWith } from "./support.js";

/** A project with one repository, whose own configuration and hooks are hostile. */
function setUp() {
  const { directory, put, runtime } = projectWith({ argv: () => ["true"] });
  const repository = join(directory, "workspace/repo");
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=ada", "-c", "user.email=ada@example.com", ...args], {
      cwd: repository,
      encoding: "utf8",
    });
  put("workspace/repo/a.txt", "one\ntwo\n");
  put(
    "workspace/repo/test/a.test.mjs",
    'import test from "node:test"; test("passes", () => {});\n',
  );
  git("init", "--quiet", "--initial-branch=main");
  git("add", ".");
  git("commit", "--quiet", "--message=first");
  const mark = join(directory, "workspace/owned");
  const evil = put("workspace/repo/.git/evil.sh", `#!/bin/sh\ntouch ${mark}\n`, 0o755);
  git("config", "core.fsmonitor", evil);
  git("config", "core.pager", evil);
  const options = { runtime };
  return { directory, git, isOwned: () => existsSync(mark), options, put, repository: "repo" };
}

describeUnless(await absenceOf(bubblewrap), "the skill repo-maintenance", () => {
  test("shows status, log and matches of a repository, and runs nothing of its configuration", async () => {
    const { isOwned, options, put, repository } = setUp();
    put("workspace/repo/b.txt", "two\n");
    expect(await status({ repository }, options)).toEqual({
      status: "success",
      data: ["## main", "?? b.txt"],
    });
    expect(await log({ repository }, options)).toMatchObject({
      data: [expect.stringMatching(/^[0-9a-f]+ first$/)],
    });
    expect(await search({ repository, text: "two" }, options)).toMatchObject({
      data: ["a.txt:2:two"],
    });
    expect(await search({ repository, text: "--output=x" }, options)).toMatchObject({
      status: "not_found",
    });
    expect(await status({ repository: "." }, options)).toMatchObject({
      status: "invalid_repository",
    });
    expect(isOwned()).toBe(false);
  });

  test("lists files by a pattern, and removes exactly these", async () => {
    const { directory, options, put } = setUp();
    put("workspace/tmp/a.tmp", "");
    put("workspace/tmp/deep/b.tmp", "");
    put("workspace/tmp/keep.txt", "");
    const params = { folder: "tmp", pattern: "*.tmp" };
    const matches = ["a.tmp", "deep/b.tmp"];
    expect(await listMatches(params, options)).toMatchObject({ data: matches });
    expect(await cleanUp(params, options)).toMatchObject({ data: { removed: matches } });
    expect(existsSync(join(directory, "workspace/tmp/deep/b.tmp"))).toBe(false);
    expect(existsSync(join(directory, "workspace/tmp/keep.txt"))).toBe(true);
  });

  test("packs the notes, and can't write elsewhere", async () => {
    const { directory, options, put } = setUp();
    put("workspace/notes/n.txt", "note");
    mkdirSync(join(directory, "workspace/backups"));
    expect(await backupNotes({ name: "monday" }, options)).toEqual({
      status: "success",
      data: null,
    });
    const archive = join(directory, "workspace/backups/monday.tar.gz");
    expect(execFileSync("tar", ["tzf", archive], { encoding: "utf8" })).toContain("notes/n.txt");
  });

  test("applies a patch as a whole or not at all", async () => {
    const { directory, options, repository } = setUp();
    const patch = (line: string) =>
      `--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n ${line}\n-two\n+three\n`;
    expect(await applyPatch({ repository, patch: patch("other") }, options)).toMatchObject({
      status: "conflict",
    });
    expect(await applyPatch({ repository, patch: patch("one") }, options)).toMatchObject({
      status: "success",
    });
    expect(readFileSync(join(directory, "workspace/repo/a.txt"), "utf8")).toBe("one\nthree\n");
  });

  test("runs the tests of a repository", async () => {
    const { directory, options, repository } = setUp();
    const passed = await runTests({ repository }, options);
    expect(passed).toMatchObject({ status: "success", data: expect.stringContaining("# pass 1") });
    const failing =
      'import test from "node:test"; test("fails", () => { throw new Error("no"); });\n';
    writeFileSync(join(directory, "workspace/repo/test/b.test.mjs"), failing);
    expect(await runTests({ repository }, options)).toMatchObject({ status: "failed" });
  });
});
