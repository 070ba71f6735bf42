import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Document, parseDocument, Scalar, stringify } from "yaml";
import { nodeAt, type ScalarNode, spanWithin } from "../../../src/core/syntax-node.js";
import { yamlNode } from "../../support/parse.js";

/** What the file says for `value.slice(from, to)`. */
function spelled(text: string, node: ScalarNode, from: number, to: number): string {
  const { start, end } = spanWithin(node, from, to);
  return text.slice(start, end);
}

function scalarAt(text: string, ...path: (string | number)[]): ScalarNode {
  const { node, report } = yamlNode(text);
  expect(report.diagnostics()).toEqual([]);
  const found = nodeAt(node, path);
  if (found?.kind !== "scalar")
    throw new Error(`no scalar at ${path.join(".")} of ${JSON.stringify(text)}`);
  return found;
}

/** The file's text for each character of the value. */
function eachCharacter(text: string, node: ScalarNode): string[] {
  const value = String(node.value);
  const characters: string[] = [];
  for (let at = 0; at < value.length;) {
    const next = at + (value.codePointAt(at)! > 0xffff ? 2 : 1);
    characters.push(spelled(text, node, at, next));
    at = next;
  }
  return characters;
}

/** The characters that don't stand in the file as themselves, as a line break, or as an escape that reads back as them. */
function misspelled(text: string, node: ScalarNode): string[] {
  const characters = eachCharacter(text, node);
  if (node.value !== "" && node.origin === undefined) return ["no origin"];
  return [...String(node.value)].filter((char, at) => !spells(characters[at] ?? "missing", char));
}

function spells(written: string, char: string): boolean {
  if (written === char) return true;
  if (char === "\n" || char === " ") return /^(?:\r?\n|\\n|\\ |)$/.test(written);
  return char === "'" ? written === "''" : scalarAt(`"${written}"`).value === char;
}

/** What the yaml library makes of `a.b`. */
function readBack(text: string): unknown {
  const document = parseDocument(text);
  return document.errors.length > 0 ? undefined : document.getIn(["a", "b"]);
}

describe("the place of each character of a scalar", () => {
  it.each([
    ["plain", "a: {b: c d}", ["a", "b"], ["c", " ", "d"]],
    ["plain over lines", "a: b\n  c", ["a"], ["b", "\n", "c"]],
    ["plain over blank lines", "a: b \n\n\n  c", ["a"], ["b", "\n", "\n", "c"]],
    ["single quotes", "a: 'b''c'", ["a"], ["b", "''", "c"]],
    [
      "double quotes",
      'a: "b\\nc\\u00e9\\U0001F600x"',
      ["a"],
      ["b", "\\n", "c", "\\u00e9", "\\U0001F600", "x"],
    ],
    ["escaped line break", 'a: "b\\\n   c"', ["a"], ["b", "c"]],
    [
      "literal block",
      "a: |\n  b\n   c\n\n  d\n",
      ["a"],
      ["b", "\n", " ", "c", "\n", "\n", "d", "\n"],
    ],
    ["literal block, CRLF", "a: |\r\n  b\r\n  c\r\n", ["a"], ["b", "\r\n", "c", "\r\n"]],
    ["literal block, stripped", "- |-\n b\n", [0], ["b"]],
    ["literal block, kept", "- |+\n b\n\n\n", [0], ["b", "\n", "\n", "\n"]],
    ["literal block, no end", "- |\n b", [0], ["b", ""]],
    ["literal block, indentation given", "- |2\n    b\n", [0], [" ", " ", "b", "\n"]],
    [
      "folded block",
      "- >\n b\n c\n\n d\n\n   e\n f\n",
      [0],
      ["b", "\n", "c", "\n", "d", "\n", "\n", " ", " ", "e", "\n", "f", "\n"],
    ],
    ["blank lines only, kept", "a: |+\n\n\nb: c", ["a"], ["\n", "\n"]],
    ["emoji", "a: x😀y", ["a"], ["x", "😀", "y"]],
  ])("points at its spelling in a scalar: %s", (_, text, path, expected) => {
    expect(eachCharacter(text, scalarAt(text, ...path))).toEqual(expected);
  });

  it("covers a whole escape at the end of a range, and no indentation", () => {
    const quoted = 'a: "x\\ty"';
    expect(spelled(quoted, scalarAt(quoted, "a"), 0, 2)).toBe("x\\t");
    const block = "a: |\n    one\n    two\n";
    expect(spelled(block, scalarAt(block, "a"), 0, 4)).toBe("one\n");
    expect(spelled(block, scalarAt(block, "a"), 2, 5)).toBe("e\n    t");
  });

  it("applies to keys too", () => {
    const text = '"a\\tb": 1';
    const { node } = yamlNode(text);
    const key = node?.kind === "map" ? node.entries[0]?.key : undefined;
    expect(key && eachCharacter(text, key)).toEqual(["a", "\\t", "b"]);
  });

  const styles = [
    "PLAIN",
    "QUOTE_SINGLE",
    "QUOTE_DOUBLE",
    "BLOCK_LITERAL",
    "BLOCK_FOLDED",
  ] as const;
  const pieces = fc.constantFrom(
    "a",
    "b c",
    " ",
    "  ",
    "\n",
    "\n\n",
    "'",
    '"',
    "\\",
    "\t",
    "é",
    "😀",
    ":",
    "#",
    "{x}",
    "${Y}",
    "-",
    "\u0007",
    "\u2028",
  );
  const texts = fc.array(pieces, { maxLength: 14 }).map((each) => each.join(""));

  it.each(styles)(
    "points at its spelling in any text that the yaml library writes as %s",
    (style) => {
      const property = fc.property(
        texts,
        fc.integer({ min: 0, max: 60 }),
        fc.boolean(),
        (value, width, crlf) => {
          const scalar = new Scalar(value);
          scalar.type = style;
          const document = new Document({ before: 1, a: { b: 0 }, after: 2 });
          document.setIn(["a", "b"], scalar);
          const written = document.toString({ lineWidth: width < 20 ? 0 : width });
          const text = crlf ? written.replaceAll("\n", "\r\n") : written;
          // The library's writer loses some texts that hold nothing but space.
          fc.pre(readBack(text) === value);
          const node = scalarAt(text, "a", "b");
          expect(node.value).toBe(value);
          expect(misspelled(text, node)).toEqual([]);
        },
      );
      fc.assert(property, { numRuns: 400 });
    },
  );

  const lines = fc.array(
    fc.constantFrom("", " ", "a", "b c", "  d", "\te", "'", "# f", "g:h", "   "),
    { maxLength: 6 },
  );
  const wraps: readonly (readonly [string, (lines: readonly string[], eol: string) => string])[] = [
    ["plain", (all, eol) => `a: x${all.join(`${eol} `)}`],
    ["single-quoted", (all, eol) => `a: '${all.join(`${eol} `).replaceAll("'", "''")}'`],
    ["double-quoted", (all, eol) => `a: "${all.join(`${eol} `)}"`],
    ["double-quoted, escaped breaks", (all, eol) => `a: "${all.join(`\\${eol} `)}"`],
    ...["|", ">", "|-", ">-", "|+", ">+", "|2", ">2+"].map(
      (header) =>
        [
          `block ${header}`,
          (all: readonly string[], eol: string) =>
            `a: ${header}${eol}${all.map((line) => `   ${line}${eol}`).join("")}`,
        ] as const,
    ),
  ];

  it.each(wraps)("points at its spelling in any lines written as %s", (_, wrap) => {
    const property = fc.property(lines, fc.boolean(), (all, crlf) => {
      const text = wrap(all, crlf ? "\r\n" : "\n");
      const { node, report } = yamlNode(text);
      fc.pre(report.errorCount() === 0);
      const found = nodeAt(node, ["a"]);
      const wrong =
        found?.kind === "scalar" && typeof found.value === "string" ? misspelled(text, found) : [];
      expect(wrong).toEqual([]);
    });
    fc.assert(property, { numRuns: 400 });
  });

  it("stays inside the scalar", () => {
    const node = scalarAt(stringify({ a: "x\ny" }), "a");
    const { start, end } = spanWithin(node, 0, 99);
    expect([start >= node.span.start, end <= node.span.end]).toEqual([true, true]);
  });
});
