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

test("creates folders, writes, overwrites and removes files, and leaves no empty or temporary folder", () => {
  const root = makeProject();
  const out = join(root, "deep/generated");
  bring(out, { "a/one.ts": "1", "b/c/two.ts": "2", "three.ts": "3" });
  expect(filesIn(out)).toEqual({ "a/one.ts": "1", "b/c/two.ts": "2", "three.ts": "3" });
  bring(out, { "a/one.ts": "1", "three.ts": "new" }, ["b/c/two.ts"]);
  expect(filesIn(out)).toEqual({ "a/one.ts": "1", "three.ts": "new" });
  expect(statSync(join(out, "b"), { throwIfNoEntry: false })).toBeUndefined();
});

test("does not touch unchanged files, nor those whose line ends git changed", () => {
  const out = makeProject({ "same.ts": "a\nb\n", "crlf.ts": "a\r\nb\r\n" });
  const before = new Date("2020-01-01");
  for (const name of ["same.ts", "crlf.ts"]) utimesSync(join(out, name), before, before);
  bring(out, { "same.ts": "a\nb\n", "crlf.ts": "a\nb\n", "new.ts": "x" });
  expect(statSync(join(out, "same.ts")).mtime).toEqual(before);
  expect(statSync(join(out, "crlf.ts")).mtime).toEqual(before);
  expect(readFileSync(join(out, "new.ts"), "utf8")).toBe("x");
});

describe("an output with one file that can't be written", () => {
  const wanted = { "a.ts": "new a", "m/x.ts": "new x", "z.ts": "new z" };

  test("stays unchanged if a folder is in place of a file", () => {
    const out = makeProject({ "a.ts": "old a", "z.ts/inside.txt": "mine" });
    const before = filesIn(out);
    expect(() => bring(out, wanted, ["a.ts"])).toThrow(WriteFailure);
    expect(filesIn(out)).toEqual(before);
    expect(statSync(join(out, "m"), { throwIfNoEntry: false })).toBeUndefined();
  });

  test("stays unchanged if a file is in place of a folder", () => {
    const out = makeProject({ "a.ts": "old a", m: "a file" });
    const before = filesIn(out);
    expect(() => bring(out, wanted)).toThrow(/is a file, but must be a folder/);
    expect(filesIn(out)).toEqual(before);
  });

  test("stays unchanged if a link is in place of a folder, and files outside stay too", () => {
    const root = makeProject({ "outside/x.ts": "mine", "out/a.ts": "old a" });
    symlinkSync(join(root, "outside"), join(root, "out/m"));
    expect(() => bring(join(root, "out"), wanted)).toThrow(WriteFailure);
    expect(readFileSync(join(root, "outside/x.ts"), "utf8")).toBe("mine");
    expect(readFileSync(join(root, "out/a.ts"), "utf8")).toBe("old a");
  });

  test("gets its renamed files back if a file to remove has become a folder", () => {
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
  test.skipIf(process.getuid?.() === 0)("stays unchanged if a folder has no permission", () => {
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

test("ignores and removes the remains of a killed run", () => {
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
  "keeps a foreign file in the folder for unfinished files, whatever its name: %s",
  (name) => {
    const out = makeProject({ [`.skillc-staging/${name}`]: "mine", "a.ts": "1" });
    const before = filesIn(out);
    expect(() => bring(out, { "a.ts": "2" })).toThrow(`it contains \`${name}\``);
    expect(filesIn(out)).toEqual(before);
  },
);

test.each(["../x.ts", "/x.ts", "a/../../x.ts", "a\\x.ts", ".git/config", "a//x.ts", ""])(
  "rejects a path that leads out of the output folder: %j",
  (path) => {
    const root = makeProject({ "x.ts": "mine" });
    expect(() => bring(join(root, "out"), { [path]: "1" })).toThrow("not a path of the output");
    expect(() => bring(join(root, "out"), {}, [path])).toThrow("not a path of the output");
    expect(filesIn(root)).toEqual({ "x.ts": "mine" });
  },
);

test("neither reads nor writes an output folder behind a link", () => {
  const root = makeProject({ "elsewhere/out/a.ts": "mine" });
  symlinkSync("elsewhere", join(root, "link"));
  expect(readOutput(root, "link/out").size).toBe(0);
  const plan = compareOutput(files({ "a.ts": "1" }), new Map());
  expect(() => writeOutput(root, "link/out", plan, new Map())).toThrow(/`link` is a link/);
  expect(filesIn(join(root, "elsewhere"))).toEqual({ "out/a.ts": "mine" });
});

test("reads nothing from a missing output folder", () => {
  expect(readOutput(makeProject(), "generated").size).toBe(0);
});

test("leaves a file in place of the output folder alone", () => {
  const root = makeProject({ generated: "mine" });
  expect(() => bring(join(root, "generated"), { "a.ts": "1" })).toThrow(WriteFailure);
  expect(filesIn(root)).toEqual({ generated: "mine" });
});
