import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { compareOutput } from "../../../src/compiler/verify/compare-output.js";
import { withHeader } from "../../../src/core/provenance.js";
import { readOutput } from "../../../src/cli/output/read-output.js";
import { WriteFailure, writeOutput } from "../../../src/cli/output/write-output.js";
import { filesIn, makeProject } from "../support/command-line.js";

const files = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([path, text]) => ({ path, text }));

/** @param folder absolute; its last part is the output folder */
function bring(
  folder: string,
  wanted: Readonly<Record<string, string>>,
  stale: readonly string[] = [],
): void {
  const [root, out] = [dirname(folder), basename(folder)] as const;
  const previous = readOutput(root, out);
  writeOutput(root, out, { ...compareOutput(files(wanted), previous), stale }, previous);
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
    expect(() => bring(out, wanted)).toThrow(/is a file where a folder must be/);
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
    expect(() => writeOutput(dirname(out), basename(out), plan, previous)).toThrow(WriteFailure);
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
  const left = withHeader("skills/desk/SKILL.md", "export const a = 1;\n");
  const out = makeProject({
    ".skillc-staging/0": left,
    ".skillc-staging/1": left.slice(0, 9),
    ".skillc-staging/2": "",
    ".skillc-staging/3": '{\n    "generated_by": "skillc",\n',
    "a.ts": "1",
  });
  expect([...readOutput(dirname(out), basename(out)).keys()]).toEqual(["a.ts"]);
  bring(out, { "a.ts": "2" });
  expect(filesIn(out)).toEqual({ "a.ts": "2" });
});

test.each(["notes.txt", "0"])(
  "a file of somebody's in the folder for unfinished files stays, whatever its name: %s",
  (name) => {
    const out = makeProject({ [`.skillc-staging/${name}`]: "mine", "a.ts": "1" });
    const before = filesIn(out);
    expect(() => bring(out, { "a.ts": "2" })).toThrow(`\`${name}\` is in there`);
    expect(filesIn(out)).toEqual(before);
  },
);

test.each(["../x.ts", "/x.ts", "a/../../x.ts", "a\\x.ts", ".git/config", "a//x.ts", ""])(
  "no path leads out of the output folder, wherever it comes from: %j",
  (path) => {
    const root = makeProject({ "x.ts": "mine" });
    expect(() => bring(join(root, "out"), { [path]: "1" })).toThrow("not a path of the output");
    expect(() => bring(join(root, "out"), {}, [path])).toThrow("not a path of the output");
    expect(filesIn(root)).toEqual({ "x.ts": "mine" });
  },
);

test("an output folder behind a link is neither read nor written", () => {
  const root = makeProject({ "elsewhere/out/a.ts": "mine" });
  symlinkSync("elsewhere", join(root, "link"));
  expect(readOutput(root, "link/out").size).toBe(0);
  const plan = compareOutput(files({ "a.ts": "1" }), new Map());
  expect(() => writeOutput(root, "link/out", plan, new Map())).toThrow(/`link` is a link/);
  expect(filesIn(join(root, "elsewhere"))).toEqual({ "out/a.ts": "mine" });
});

test("an output folder that is not there holds nothing", () => {
  expect(readOutput(makeProject(), "generated").size).toBe(0);
});

test("an output folder that is a file is left alone", () => {
  const root = makeProject({ generated: "mine" });
  expect(() => bring(join(root, "generated"), { "a.ts": "1" })).toThrow(WriteFailure);
  expect(filesIn(root)).toEqual({ generated: "mine" });
});
