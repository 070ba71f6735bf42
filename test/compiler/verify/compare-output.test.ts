import { expect, test } from "vitest";
import { compareOutput } from "../../../src/compiler/verify/compare-output.js";
import { checksumLines, checksumsOf } from "../../../src/core/checksums.js";
import { withHeader } from "../../../src/core/provenance.js";

const module = (text: string) => withHeader("skills/desk/SKILL.md", text);
const wanted = [
  { path: "desk/ask.ts", text: module("export const ask = 1;\n") },
  { path: "catalog.ts", text: module("export const catalog = { skills: [] };\n") },
];
/** What stood there when it was written, and files of a skill that is gone since. */
const written = [
  ...wanted,
  { path: "old/tell.ts", text: module("1;\n") },
  { path: "old/ask.ts", text: module("2;\n") },
];
const checksums = `/**\n${checksumLines("", checksumsOf(written))
  .map((line) => ` * ${line}\n`)
  .join("")} */\n`;
const same = new Map(wanted.map((file) => [file.path, file.text]));
const none = { changed: [], added: [], unchanged: 2, stale: [], handEdited: [], foreign: [] };

function compare(changes: Readonly<Record<string, string | undefined>>) {
  const previous = new Map([...same, ["versions.ts", checksums]]);
  for (const [path, text] of Object.entries(changes)) {
    if (text === undefined) previous.delete(path);
    else previous.set(path, text);
  }
  const { changed, ...rest } = compareOutput(wanted, previous);
  return { ...rest, changed: changed.map((file) => file.path) };
}

const edited = (text: string) => text.replace("ask", "answer").replace("[]", "[1]");
const crlf = (path: string) => (same.get(path) ?? "").replaceAll("\n", "\r\n");

test("plans no write and no removal for a folder that is up to date", () => {
  expect(compare({})).toEqual(none);
});

test("writes new and outdated files in the order of their paths", () => {
  const all = ["catalog.ts", "desk/ask.ts"];
  expect(compare({ "desk/ask.ts": undefined, "catalog.ts": undefined })).toEqual({
    ...none,
    changed: all,
    added: all,
    unchanged: 0,
  });
  const older = module("export const ask = 0;\n");
  expect(compare({ "desk/ask.ts": older, "versions.ts": undefined })).toEqual({
    ...none,
    changed: ["desk/ask.ts"],
    unchanged: 1,
  });
});

test("reports files of a removed skill and a catalog.json of earlier versions as stale", () => {
  const left = {
    "old/tell.ts": module("1;\n"),
    "old/ask.ts": module("2;\n"),
    "catalog.json": '{\n  "generated_by": "skillc",\n  "a": 1\n}\n',
  };
  expect(compare(left)).toEqual({ ...none, stale: ["catalog.json", "old/ask.ts", "old/tell.ts"] });
});

test("reports a file that was edited by hand, current or stale", () => {
  const changed = {
    "desk/ask.ts": edited(same.get("desk/ask.ts") ?? ""),
    "catalog.ts": edited(same.get("catalog.ts") ?? ""),
  };
  expect(compare(changed)).toEqual({
    ...none,
    changed: ["catalog.ts", "desk/ask.ts"],
    unchanged: 0,
    handEdited: ["catalog.ts", "desk/ask.ts"],
  });
  const leftOver = { "old/ask.ts": `${module("1;\n")}2;\n` };
  expect(compare(leftOver)).toEqual({ ...none, stale: ["old/ask.ts"], handEdited: ["old/ask.ts"] });
});

test("reports a changed header as an edit", () => {
  const text = same.get("desk/ask.ts") ?? "";
  expect(compare({ "desk/ask.ts": text.replace("do not edit", "or do") }).handEdited).toEqual([
    "desk/ask.ts",
  ]);
});

test("accepts line ends that git changed, and leaves them", () => {
  const converted = { "desk/ask.ts": crlf("desk/ask.ts"), "catalog.ts": crlf("catalog.ts") };
  expect(compare(converted)).toEqual(none);
  expect(compare({ "old/ask.ts": module("2;\n").replaceAll("\n", "\r\n") })).toEqual({
    ...none,
    stale: ["old/ask.ts"],
  });
});

test("reports a foreign file only if one of ours must be written there", () => {
  const theirs = "export const mine = 1;\n";
  expect(compare({ "desk/ask.ts": theirs, "catalog.ts": "{}" })).toEqual({
    ...none,
    changed: ["catalog.ts", "desk/ask.ts"],
    unchanged: 0,
    foreign: ["catalog.ts", "desk/ask.ts"],
  });
  expect(compare({ "README.md": "# Mine", "notes.ts": theirs, "data.json": "[]" })).toEqual(none);
});

const conflict = (text: string) =>
  text.replace(
    "export const ask = 1;\n",
    "<<<<<<< HEAD\nask(1);\n=======\nask(2);\n>>>>>>> other\n",
  );

test("does not report a merge conflict as an edit, even in the header", () => {
  const text = same.get("desk/ask.ts") ?? "";
  const merged = { ...none, changed: ["desk/ask.ts"], unchanged: 1 };
  expect(compare({ "desk/ask.ts": conflict(text) })).toEqual(merged);
  const sides = `<<<<<<< HEAD\n${text}=======\n${text}>>>>>>> other\n`;
  expect(compare({ "desk/ask.ts": sides })).toEqual(merged);
  expect(compare({ "desk/ask.ts": conflict("export const ask = 1;\n") }).foreign).toEqual([
    "desk/ask.ts",
  ]);
});

test("does not report a module that git merged from both sides as an edit", () => {
  const older = module("export const ask = 0;\n");
  const lineOf = (text: string) =>
    checksumLines("", checksumsOf([{ path: "desk/ask.ts", text }]))[0];
  const both = (...lines: readonly unknown[]) =>
    `/**\n<<<<<<< HEAD\n * ${lines[0]}\n=======\n * ${lines[1]}\n>>>>>>> other\n */\n`;
  const left = both(lineOf(older), lineOf("something else"));
  expect(compare({ "desk/ask.ts": older, "versions.ts": left }).handEdited).toEqual([]);
  expect(compare({ "desk/ask.ts": edited(older), "versions.ts": left }).handEdited).toEqual([]);
  const one = both(lineOf(older), lineOf(older));
  expect(compare({ "desk/ask.ts": edited(older), "versions.ts": one }).handEdited).toEqual([
    "desk/ask.ts",
  ]);
});

test("accepts a header without a checksum", () => {
  const left = { "desk/ask.ts": edited(module("1;\n")), "versions.ts": undefined };
  expect(compare(left).handEdited).toEqual([]);
});

test("writes any path into one line of the header", () => {
  const text = withHeader("skills/a\u2028b\u2029c\nd\re\u202ef/SKILL.md", "x;\n");
  expect(text.split(/[\n\r\u2028\u2029]/)).toHaveLength(4);
  expect(text).not.toContain("\u202e");
  const { stale, handEdited } = compareOutput([], new Map([["a.ts", text]]));
  expect({ stale, handEdited }).toEqual({ stale: ["a.ts"], handEdited: [] });
});
