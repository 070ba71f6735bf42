import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeFiles } from "../../../src/cli/output/write-files.js";
import { filesIn, makeProject } from "../support/command-line.js";

const changes = (changed: Readonly<Record<string, string>>, removed: readonly string[] = []) => ({
  changed: new Map(Object.entries(changed)),
  removed,
});

test("writes and removes files, and the folders that are empty then", () => {
  const root = makeProject({ "skills/a/old.txt": "old", "skills/b/kept.txt": "kept" });
  writeFiles(
    root,
    "skills",
    changes({ "skills/c/d/new.txt": "new", "skills/b/kept.txt": "now" }, ["skills/a/old.txt"]),
  );
  expect(filesIn(root)).toEqual({ "skills/b/kept.txt": "now", "skills/c/d/new.txt": "new" });
});

test("leaves everything unchanged if one of the files can't be put in place", () => {
  const root = makeProject({ "skills/a.txt": "a", "skills/gone.txt": "gone" });
  mkdirSync(join(root, "skills/z.txt"));
  const before = filesIn(root);
  expect(() =>
    writeFiles(
      root,
      "skills",
      changes({ "skills/a.txt": "b", "skills/n/new.txt": "n", "skills/z.txt": "z" }, [
        "skills/gone.txt",
      ]),
    ),
  ).toThrow("z.txt");
  expect(filesIn(root)).toEqual(before);
});

test("follows no link below the project's folder", () => {
  const elsewhere = makeProject();
  const root = makeProject({ "skills/a.txt": "a" });
  symlinkSync(elsewhere, join(root, "skills/b"));
  expect(() => writeFiles(root, "skills", changes({ "skills/b/c.txt": "c" }))).toThrow("is a link");
  expect(filesIn(elsewhere)).toEqual({});
});
