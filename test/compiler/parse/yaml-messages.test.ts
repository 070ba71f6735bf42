/**
 * The `yaml` package gives one code to unlike mistakes, so `yaml-error.ts` tells some of them apart by
 * the package's sentences. The range in package.json takes patches alone; these sentences show on the
 * day of an upgrade which of them have changed.
 */
import { parseDocument } from "yaml";
import { describe, expect, it } from "vitest";
import { yamlNode } from "../../support/parse.js";

const sentences: readonly (readonly [text: string, library: string, ours: string])[] = [
  ["a: 'x", "MISSING_CHAR Missing closing 'quote", "this quote is never closed"],
  ['a: "x', 'MISSING_CHAR Missing closing "quote', "this quote is never closed"],
  ["[1, 2", "MISSING_CHAR Flow sequence must end with a ]", "this bracket is never closed"],
  [
    "a: {b: 1",
    "BAD_INDENT Flow map in block collection must be sufficiently indented and end with a }",
    "this bracket is never closed",
  ],
  [
    "a:\n    b: 1\n   c: 2",
    "BAD_INDENT All mapping items must start at the same column",
    "the indentation of this line matches no line above it",
  ],
  [
    "a: b: c",
    "BLOCK_AS_IMPLICIT_KEY Nested mappings are not allowed in compact mappings",
    "this line has a second `: `",
  ],
  [
    "a: 1\nb\nc: 2",
    "MISSING_CHAR Implicit map keys need to be followed by map values",
    "a key without `: ` after it on the same line",
  ],
  [
    "a: - b",
    "UNEXPECTED_TOKEN Unexpected block-seq-ind on same line with key",
    "a list starts on its key's line",
  ],
  [
    "a: 'x' y",
    "UNEXPECTED_TOKEN Unexpected scalar at node end",
    "more text after the closing quote",
  ],
  [
    "- a\nb: c",
    "UNEXPECTED_TOKEN Unexpected scalar at node end",
    "more text after the end of a value",
  ],
  ["&a: b", "BAD_ALIAS Anchor ending in : is ambiguous", "this name ends in a colon"],
  [
    "a: ]",
    'UNEXPECTED_TOKEN Unexpected flow-seq-end token in YAML stream: "]"',
    "a closing bracket that nothing opened",
  ],
  [
    "a: }",
    'UNEXPECTED_TOKEN Unexpected flow-map-end token in YAML stream: "}"',
    "a closing bracket that nothing opened",
  ],
  ["a: | text\n  b", "UNEXPECTED_TOKEN Not a YAML token: text", "text after `|` or `>`"],
  [
    "a: |3x\n   b",
    "UNEXPECTED_TOKEN Block scalar header includes extra characters: |3x",
    "text after `|` or `>`",
  ],
];

describe("the messages of the yaml package", () => {
  it.each(sentences)("still have the text that our messages replace: %j", (text, library, ours) => {
    const { errors, warnings } = parseDocument(text, {
      schema: "core",
      prettyErrors: false,
      uniqueKeys: false,
    });
    const said = [...errors, ...warnings].map(({ code, message }) => `${code} ${message}`);
    expect(said).toContain(library);
    expect(
      yamlNode(text)
        .report.diagnostics()
        .map(({ message }) => message),
    ).toContain(ours);
  });
});
