import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compareOutput } from "../../../src/compiler/verify/compare-output.js";
import { readOutput } from "../../../src/cli/output/read-output.js";
import { WriteFailure, writeOutput } from "../../../src/cli/output/write-output.js";
import { filesIn, makeProject } from "../support/command-line.js";

const files = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([path, text]) => ({ path, text }));

function bring(
  folder: string,
  wanted: Readonly<Record<string, string>>,
  stale: readonly string[] = [],
): void {
  const previous = readOutput(folder);
  writeOutput(folder, { ...compareOutput(files(wanted), previous), stale }, previous);
}

test("makes folders, writes, overwrites, removes, and leaves no empty folder and no trace of its work", () => {
  const root = makeProject();
  const out = join(root, "deep/generated");
  bring(out, { "a/one.ts": "1", "b/c/two.ts": "2", "three.ts": "3" });
  expect(filesIn(out)).toEqual({ "a/one.ts": "1", "b/c/two.ts": "2", "three.ts": "3" });
  bring(out, { "a/one.ts": "1", "three.ts": "new" }, ["b/c/two.ts"]);
  expect(filesIn(out)).toEqual({ "a/one.ts": "1", "three.ts": "new" });
  expect(statSync(join(out, "b"), { throwIfNoEntry: false })).toBeUndefined();
});

test("files that stay the same are not touched, nor are those that git gave other line ends", () => {
  const out = makeProject({ "same.ts": "a\nb\n", "crlf.ts": "a\r\nb\r\n" });
  const before = new Date("2020-01-01");
  for (const name of ["same.ts", "crlf.ts"]) utimesSync(join(out, name), before, before);
  bring(out, { "same.ts": "a\nb\n", "crlf.ts": "a\nb\n", "new.ts": "x" });
  expect(statSync(join(out, "same.ts")).mtime).toEqual(before);
  expect(statSync(join(out, "crlf.ts")).mtime).toEqual(before);
  expect(readFileSync(join(out, "new.ts"), "utf8")).toBe("x");
});

describe("when one file can't be written, nothing changes", () => {
  const wanted = { "a.ts": "new a", "m/x.ts": "new x", "z.ts": "new z" };

  test("a folder in a file's place", () => {
    const out = makeProject({ "a.ts": "old a", "z.ts/inside.txt": "mine" });
    const before = filesIn(out);
    expect(() => bring(out, wanted, ["a.ts"])).toThrow(WriteFailure);
    expect(filesIn(out)).toEqual(before);
    expect(statSync(join(out, "m"), { throwIfNoEntry: false })).toBeUndefined();
  });

  test("a file in a folder's place", () => {
    const out = makeProject({ "a.ts": "old a", m: "a file" });
    const before = filesIn(out);
    expect(() => bring(out, wanted)).toThrow(/something other than a folder/);
    expect(filesIn(out)).toEqual(before);
  });

  test("a link in a folder's place: files outside are out of reach", () => {
    const root = makeProject({ "outside/x.ts": "mine", "out/a.ts": "old a" });
    symlinkSync(join(root, "outside"), join(root, "out/m"));
    expect(() => bring(join(root, "out"), wanted)).toThrow(WriteFailure);
    expect(readFileSync(join(root, "outside/x.ts"), "utf8")).toBe("mine");
    expect(readFileSync(join(root, "out/a.ts"), "utf8")).toBe("old a");
  });

  test("a file to remove that is a folder by now: what was renamed before is put back", () => {
    const out = makeProject({ "a.ts": "old a" });
    const previous = new Map([
      ["a.ts", "old a"],
      ["gone", "text"],
    ]);
    mkdirSync(join(out, "gone"));
    const plan = { ...compareOutput(files(wanted), previous), stale: ["gone"] };
    expect(() => writeOutput(out, plan, previous)).toThrow(WriteFailure);
    expect(filesIn(out)).toEqual({ "a.ts": "old a" });
    expect(statSync(join(out, "m"), { throwIfNoEntry: false })).toBeUndefined();
  });

  // Root may write anywhere, so there is nothing to see for it.
  test.skipIf(process.getuid?.() === 0)("a folder without permission", () => {
    const out = makeProject({ "a.ts": "old a", "m/x.ts": "old x" });
    chmodSync(join(out, "m"), 0o555);
    const before = filesIn(out);
    try {
      expect(() => bring(out, wanted)).toThrow(WriteFailure);
      expect(filesIn(out)).toEqual(before);
    } finally {
      chmodSync(join(out, "m"), 0o755);
    }
  });
});

test("what a killed run left behind is neither read as output nor in the way", () => {
  const out = makeProject({ ".skillc-staging/0": "half", "a.ts": "1" });
  expect([...readOutput(out).keys()]).toEqual(["a.ts"]);
  bring(out, { "a.ts": "2" });
  expect(filesIn(out)).toEqual({ "a.ts": "2" });
});

test("an output folder that is not there holds nothing", () => {
  expect(readOutput(join(makeProject(), "generated")).size).toBe(0);
});

test("an output folder that is a file is left alone", () => {
  const root = makeProject({ generated: "mine" });
  expect(() => bring(join(root, "generated"), { "a.ts": "1" })).toThrow(WriteFailure);
  expect(filesIn(root)).toEqual({ generated: "mine" });
});
