import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { mergeMarker } from "../../src/core/merge-markers.js";
import { readTextFile } from "../../src/compiler/read/read-file.js";

const conflict = "<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> other\n";

test.each([
  "SKILL.md",
  "metadata.json",
  "skillc.yaml",
  "order.json",
  "order.avsc",
  "order.proto",
  "schema.sql",
])("a merge conflict in %s is called what it is, at its first line", async (name) => {
  const path = join(mkdtempSync(join(tmpdir(), "skillc-")), name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `first\r\n${conflict.replaceAll("\n", "\r\n")}`);
  expect(readTextFile(path, name)).toMatchObject({
    kind: "unread",
    diagnostic: {
      code: "read/merge-conflict",
      span: { file: name, start: 7, end: 19 },
      message: `\`${name}\` has a merge conflict that is not resolved`,
    },
  });
});

describe("a text without a merge conflict", () => {
  test.each([
    ["a heading under a line", "<<<<<<< HEAD\n\nTitle\n=======\n"],
    ["a line that only begins alike", "<<<<<<<<< HEAD\n=======\n>>>>>>> b\n"],
    ["markers in another order", ">>>>>>> b\n=======\n<<<<<<< HEAD\n"],
    ["markers in the middle of lines", conflict.replaceAll(/^/gm, " ")],
  ])("causes no finding: %s", (_, text) => {
    expect(mergeMarker(text, true)).toBeUndefined();
  });

  test.each(["```", "~~~~", "  ```git"])("an example in Markdown between %s", (fence) => {
    const close = fence.trim().replace("git", "");
    const text = `${fence}\n${conflict}${close}\n`;
    expect(mergeMarker(text, true)).toBeUndefined();
    expect(mergeMarker(text, false)).toBeDefined();
    expect(mergeMarker(`${text}${conflict}`, true)?.start).toBe(text.length);
  });
});
