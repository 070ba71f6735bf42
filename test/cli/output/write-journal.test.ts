/** A journal that a killed writer left: the next writer does the rest, and follows nothing else. */
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { completeWrites, pendingSteps } from "../../../src/cli/output/write-journal.js";
import { sha256 } from "../../../src/core/hash.js";
import { filesIn, makeProject, put } from "../support/command-line.js";

const stagingIn = (root: string) =>
  readdirSync(join(root, "skills")).filter((name) => name.startsWith(".writing-"));

/** A folder that a killed writer would leave. */
function leftover(steps: readonly object[], staged: Readonly<Record<string, string>> = {}) {
  const files = Object.entries({ ...staged, "journal.json": JSON.stringify({ format: 1, steps }) });
  return Object.fromEntries(files.map(([name, text]) => [`skills/.writing-a1B2c3/${name}`, text]));
}

test("a file that somebody changed after the writer was killed stays theirs", () => {
  const root = makeProject({
    "skills/a.md": "edited",
    "skills/b.md": "edited",
    ...leftover(
      [
        { path: "skills/a.md", before: sha256("old"), after: sha256("new") },
        { path: "skills/b.md", before: sha256("old"), after: null },
      ],
      { 0: "new" },
    ),
  });
  completeWrites(root, "skills");
  expect(filesIn(root)).toEqual({ "skills/a.md": "edited", "skills/b.md": "edited" });
});

test("a file that somebody undid after it was put in its place stays undone", () => {
  const root = makeProject({
    "skills/a.md": "old",
    ...leftover([{ path: "skills/a.md", before: sha256("old"), after: sha256("new") }]),
  });
  expect(pendingSteps(root, "skills")).toEqual([]);
  completeWrites(root, "skills");
  expect(filesIn(root)).toEqual({ "skills/a.md": "old" });
});

test.each(["../theirs.md", "skills/../theirs.md", "theirs.md", "/tmp/theirs.md", "skills"])(
  "a journal that names a place outside of its folder is not followed: %s",
  (path) => {
    const root = makeProject({
      "theirs.md": "theirs",
      ...leftover([{ path, before: sha256("theirs"), after: null }]),
    });
    completeWrites(root, "skills");
    expect(filesIn(root)).toEqual({ "theirs.md": "theirs" });
  },
);

test("a journal that leads through a link is refused", () => {
  const elsewhere = makeProject({ "theirs.md": "theirs" });
  const step = { path: "skills/b/theirs.md", before: sha256("theirs"), after: null };
  const root = makeProject(leftover([step]));
  symlinkSync(elsewhere, join(root, "skills/b"));
  expect(() => completeWrites(root, "skills")).toThrow("is a link");
  expect(filesIn(elsewhere)).toEqual({ "theirs.md": "theirs" });
});

test.each([
  ["is not finished", "{"],
  ["has a step that says nothing", '{"format":1,"steps":[{"path":"skills/a.md"}]}'],
  [
    "names another text than the one that is staged",
    JSON.stringify({
      format: 1,
      steps: [{ path: "skills/a.md", before: null, after: sha256("other") }],
    }),
  ],
])("puts nothing in place if the journal %s, and removes its folder", (_, journal) => {
  const root = makeProject();
  put(root, "skills/.writing-a1B2c3/0", "new");
  put(root, "skills/.writing-a1B2c3/journal.json", journal);
  completeWrites(root, "skills");
  expect(filesIn(root)).toEqual({});
  expect(stagingIn(root)).toEqual([]);
});

test("a folder of somebody's stays, whatever it is called", () => {
  const root = makeProject({
    "skills/.writing-a1B2c3/notes.md": "mine",
    "skills/.writing-x/0": "mine",
  });
  const elsewhere = makeProject({ 0: "theirs" });
  symlinkSync(elsewhere, join(root, "skills/.writing-l1nked"));
  mkdirSync(join(root, "skills/.writing-f0lder/0"), { recursive: true });
  const all = filesIn(root);
  completeWrites(root, "skills");
  expect(filesIn(root)).toEqual(all);
  expect(filesIn(elsewhere)).toEqual({ 0: "theirs" });
  expect(stagingIn(root)).toHaveLength(4);
});
