/** A merge of YAML keeps the layout of unchanged lines. */
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { mergeFile } from "../../src/import/again/merge-file.js";
import { printYaml } from "../../src/import/skills/print-files.js";
import type { JsonValue } from "../../src/core/json.js";
import type { Report } from "../../src/core/report.js";

const told: unknown[] = [];
const report: Report = {
  add: (finding) => void told.push(finding),
  within: () => report,
  errorCount: () => 0,
};

/** @param own a person's text, with the values of `base` and more */
function merged(base: JsonValue, own: string, now: JsonValue): string | undefined {
  const print = (value: JsonValue): string => printYaml(value, " Written.");
  return mergeFile(
    {
      path: "metadata.yaml",
      copy: "metadata.yaml.gz",
      origin: "the API",
      base: print(base),
      own,
      now: print(now),
    },
    report,
  );
}

const base = {
  list: { tags: ["a", "b"], limits: { max: 1, min: 0 }, text: "one\ntwo\n", url: "x" },
  drop: { by: "id", is: true },
  last: "end",
};

const own = `# Ours.
---
# Of lists.
list:
    tags: [a,   'b']   # short
    limits: {max: 1, min: 0}

    # Read it aloud.
    text: |
        one
        two
    url: "x"    # as it was
    note: &n >-
        folded
        text
    again: *n

# To be dropped.
drop:
    by:   id
    is: true
last: end   # the end
# Below all.
`;

describe("a merge", () => {
  test("writes changed entries, and leaves the rest as a person wrote it", () => {
    const now = {
      ...base,
      list: { ...base.list, url: "y", more: { tags: ["c"], deep: [{ a: 1 }, { b: 2, c: [3] }] } },
      drop: { by: "id" },
      new: "entry",
    };
    expect(merged(base, own, now)).toBe(
      own
        .replace('    url: "x"    # as it was\n', "    url: y\n")
        .replace(
          "    again: *n\n",
          [
            "    again: *n",
            "    more:",
            "      tags: [ c ]",
            "      deep:",
            "        - { a: 1 }",
            "        - { b: 2, c: [ 3 ] }",
            "",
          ].join("\n"),
        )
        .replace("    is: true\n", "")
        .replace("last: end   # the end\n", "last: end   # the end\nnew: entry\n"),
    );
  });

  test("removes an entry with the comment above it", () => {
    const { drop: _, ...now } = base;
    expect(merged(base, own, now)).toBe(own.replace(/\n# To be dropped[^]*is: true\n/, ""));
  });

  test("changes one value in braces, and no other line", () => {
    const now = { ...base, list: { ...base.list, limits: { max: 2, min: 0 } } };
    const lines = (merged(base, own, now) ?? "").split("\n");
    const before = own.split("\n");
    expect(lines.filter((line, at) => line !== before[at])).toEqual([
      "    limits: { max: 2, min: 0 }",
    ]);
  });

  test.each([
    ["has no line end", "list: [a]\nlast: end", "list: [a]\nlast: now\n"],
    ["ends in a comment", "list: [a]\nlast: end # so\n# Over.", "list: [a]\nlast: now\n# Over."],
    ["is one line", "{ list: [a], last: end }", "{ list: [ a ], last: now }\n"],
    ["has the lines of another system", "list: [a]\r\nlast: end\r\n", "list: [a]\r\nlast: now\r\n"],
    [
      "names a value that goes",
      "list: [&l a]\nlast: end\nmore: *l\n",
      "list: [&l a]\nlast: now\nmore: *l\n",
    ],
    ["has what a complex key opens", "? list\n: [a]\n? last\n: end\n", undefined],
    ["has an empty value", "list: [a]\nnone:\nlast: end\n", "list: [a]\nnone:\nlast: now\n"],
  ])("gives the right values for a text that %s", (_what, text, written) => {
    const result = merged({ list: ["a"], last: "end" }, text, { list: ["a"], last: "now" });
    expect(parse(result ?? "")).toEqual({ ...parse(text), last: "now" });
    expect(result).toBe(written ?? result);
  });
});
