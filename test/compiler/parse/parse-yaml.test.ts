import { describe, expect, it } from "vitest";
import {
  entryOf,
  nodeAt,
  type SyntaxNode,
  toJson,
  valueOf,
} from "../../../src/core/syntax-node.js";
import { yamlNode } from "../../support/parse.js";

function json(text: string): unknown {
  const { node, report } = yamlNode(text);
  expect(report.diagnostics()).toEqual([]);
  return node && toJson(node);
}

/** Each finding as its code and the text it points at. */
function faults(text: string): string[] {
  return yamlNode(text)
    .report.diagnostics()
    .map(({ code, span }) => `${code} ${JSON.stringify(text.slice(span.start, span.end))}`);
}

function at(text: string, node: SyntaxNode | undefined): string | undefined {
  return node && text.slice(node.span.start, node.span.end);
}

describe("values", () => {
  it("reads the core schema", () => {
    expect(
      json(
        "{a: 1, b: -2.5, c: 0x1F, d: 0o17, e: true, f: no, g: ~, h: 2024-01-02, i: '1', j: 1e3, k: 0777}",
      ),
    ).toEqual({
      a: 1,
      b: -2.5,
      c: 31,
      d: 15,
      e: true,
      f: "no",
      g: null,
      h: "2024-01-02",
      i: "1",
      j: 1000,
      k: 777,
    });
  });

  it("reads block and flow collections, comments, quotes, tabs between tokens", () => {
    expect(
      json("a:\t# note\n  - b: 1\n    c: [x, {y: z}]\n  -\n  - 'it''s'\nd: >-\n  one\n  two\n"),
    ).toEqual({
      a: [{ b: 1, c: ["x", { y: "z" }] }, null, "it's"],
      d: "one two",
    });
  });

  it("keeps every key as text, as written", () => {
    expect(
      json("404: a\ntrue: b\nnull: c\n~: d\n1.50: e\n0x1f: f\n__proto__: g\nconstructor: h"),
    ).toEqual(
      JSON.parse(
        '{"404":"a","true":"b","null":"c","~":"d","1.50":"e","0x1f":"f","__proto__":"g","constructor":"h"}',
      ),
    );
  });

  it("reads an empty document as null", () => {
    expect([json(""), json("# nothing\n"), json("\ufeff"), json("---\n")]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  it("reads core tags", () => {
    expect(json("a: !!str 12\nb: !!int 3\nc: !!map {}\nd: ! 4")).toEqual({
      a: "12",
      b: 3,
      c: {},
      d: "4",
    });
  });

  it("reads a quoted `<<` as a key", () => {
    expect(json('"<<": 1')).toEqual({ "<<": 1 });
  });
});

describe("places", () => {
  it("gives every node the text that spells it", () => {
    const text = "a: {b: [1, 'two'], c: |\n    x\n  }\n";
    const flow = "\ufeff# é😀\r\na: {b: [1, 'two']}\r\nc: |\r\n  x\r\nd:\r\n";
    const { node, report } = yamlNode(flow);
    expect(report.diagnostics()).toEqual([]);
    expect(at(flow, nodeAt(node, ["a"]))).toBe("{b: [1, 'two']}");
    expect(at(flow, nodeAt(node, ["a", "b"]))).toBe("[1, 'two']");
    expect(at(flow, nodeAt(node, ["a", "b", 1]))).toBe("'two'");
    expect(at(flow, nodeAt(node, ["c"]))).toBe("|\r\n  x\r\n");
    expect(at(flow, entryOf(node, "d")?.key)).toBe("d");
    expect(nodeAt(node, ["d"])?.span).toEqual({
      file: "test.yaml",
      start: flow.length - 2,
      end: flow.length - 2,
    });
    expect(faults(text)).not.toEqual([]);
  });

  it("counts from the start of the file when only a part is YAML", () => {
    const { node } = yamlNode("a: *x\n");
    expect(node).toBeUndefined();
    const text = "a: &x [p]\nb: *x\n";
    const parsed = yamlNode(text).node;
    expect(at(text, valueOf(parsed, "b"))).toBe("[p]");
    expect(valueOf(parsed, "b")).toBe(valueOf(parsed, "a"));
  });

  it("takes the latest anchor of a name, and an alias as a key", () => {
    expect(json("- &a one\n- *a\n- &a two\n- *a\n- *a : x\n")).toEqual([
      "one",
      "one",
      "two",
      "two",
      { two: "x" },
    ]);
  });
});

describe("faults", () => {
  it.each([
    ["a second `: `", "a: b: c", ['parse/invalid-yaml "b: c"']],
    ["a tab as indentation", "a:\n\tb: c", ['parse/invalid-yaml "\\t"']],
    ["an open quote", 'a: "b\nc: d', ['parse/invalid-yaml "\\""']],
    ["an open bracket", "a: [b, c\nd: e", ['parse/invalid-yaml "["']],
    ["a bad escape", 'a: "\\q"', ['parse/invalid-yaml "\\\\"']],
    ["a reserved character", "a: @b", ['parse/invalid-yaml "@"']],
    ["a lost line", "a: b\nlost\nc: d", ['parse/invalid-yaml "lost"']],
    ["a repeated key", 'a: 1\nb: 2\n"a": 3', ['parse/duplicate-key "\\"a\\""']],
    ["keys equal as text", "{1: a, '1': b}", ["parse/duplicate-key \"'1'\""]],
    ["a list as a key", "[a, b]: c", ['parse/key-not-text "[a, b]"']],
    ["a placeholder in two braces", "a: { b: {{q}} }", ['parse/key-not-text "{{q}}"']],
    ["an alias to a map as a key", "a: &a {}\n*a : b", ['parse/key-not-text "*a"']],
    ["a merge key", "a: &a {b: c}\nd:\n  <<: *a", ['parse/merge-key "<<"']],
    ["a tag", "a: !vault b", ['parse/unknown-tag "!vault"']],
    ["a tag that does not fit", "a: !!int b", ['parse/unknown-tag "!!int"']],
    ["an alias to nothing", "a: *b", ['parse/unknown-alias "*b"']],
    ["an alias in itself", "a: &a [*a]", ['parse/recursive-alias "*a"']],
    ["a second document", "a: b\n---\nc: d", ['parse/multiple-documents "---"']],
    [
      "infinity",
      "a: .inf\nb: -.INF\nc: .nan",
      [
        'parse/number-not-json ".inf"',
        'parse/number-not-json "-.INF"',
        'parse/number-not-json ".nan"',
      ],
    ],
    ["a number too large for a double", "a: 1e999", ['parse/number-not-json "1e999"']],
    ["an integer too large", "a: 9007199254740993", ['parse/unsafe-integer "9007199254740993"']],
    ["a large integer that is read as it is written", "a: 9007199254740992", []],
    ["a control character", "a: b\u0000c", ['parse/control-character "\\u0000"']],
    ["a carriage return alone", "a: b\rc: d", ['parse/control-character "\\r"']],
    ["a doubtful anchor", "a: &b: c", ['parse/doubtful-yaml ":"']],
  ])("cause an error at their place: %s", (_, text, expected) => {
    expect(faults(text)).toEqual(expected);
  });

  it.each([
    "9007199254740993.0",
    "9007199254740993.",
    "+9007199254740993",
    "-9007199254740993",
    "9.007199254740993e15",
    "9.007199254740993E+15",
    ".9007199254740993e16",
    "90071992547409930e-1",
    "0x20000000000001",
    "0o400000000000000001",
  ])("an integer that a double rounds is reported however it is written: %s", (written) => {
    expect(faults(`a: ${written}`)).toEqual([`parse/unsafe-integer "${written}"`]);
  });

  it.each([
    "0.1",
    "9007199254740992.0",
    "+9007199254740992",
    "0x20000000000000",
    "1e22",
    "1.5e300",
    "4503599627370497.5",
    "9007199254740993.5",
    "1_9007199254740993",
    "'9007199254740993.0'",
  ])("a number is not reported if it is no integer that changes: %s", (written) => {
    expect(faults(`a: ${written}`)).toEqual([]);
  });

  it("use plain messages on one line", () => {
    const { report } = yamlNode("description: Note: read this\nx: `y`\n");
    expect(report.diagnostics()).toMatchObject([
      {
        message: "this line has a second `: `",
        help: "put the value in quotes if the colon belongs to it",
      },
      {
        message: "a value without quotes can't start with this character",
        help: "put the whole value in quotes",
      },
    ]);
  });

  it.each([
    ["a quote that the next one closes", 'a: "b\n  c: "d"\ne: f\n', '"'],
    ["a quote in a line of several values", '{a: "b, c: "d"}\ne: f\ng: h\n', 'd"'],
    ["a quote that nothing closes", 'a:\n  b: "c\n  d: "e"\n  f: "g"\n', '"'],
    ["tabs on every line", "a:\n\tb: c\n\td: e\n\tf:\n\t\tg: h\n", "\t"],
    ["a line between two levels", "a:\n  b:\n    c: d\n   e:\n     f: g\n  h: i\nj: k\n", "   "],
    ["a line between two levels, below a blank one", "a:\n  b:\n    c: d\n\n   e: f\n", "   "],
    ["a key that is indented too deep", "a:\n  b: c\n   d:\n     e: f\n  g: h\n", "d"],
    ["an item that is indented too deep", "a:\n  - b\n   - c: d\n", "- c"],
    ["a bracket that is closed where none is open", "a: b}\nc: {d: e}}\nf:\n  g: h\n", "}"],
  ])("shows one mistake once: %s", (_, text, expected) => {
    expect(faults(text)).toEqual([`parse/invalid-yaml ${JSON.stringify(expected)}`]);
  });

  it("shows further mistakes where the line alone is as wrong", () => {
    expect(faults('a: "b" c\nd:\n  e: @f\n g: h\ni: j: k\n')).toEqual([
      'parse/invalid-yaml "c"',
      'parse/invalid-yaml "@"',
      'parse/invalid-yaml "j: k"',
    ]);
  });

  it.each([
    ["a:\n  b:\n    c: d\n   e: f\n", "start it after 2 spaces or 4 spaces, as lines above do"],
    ["a:\n  - b: c\n   d: e\n", "start it after 2 spaces or 4 spaces, as lines above do"],
    ["a:\n  b: c\n d: e\n", "start it after no space or 2 spaces, as lines above do"],
    ['a: "b\nc: d\n', 'put `"` where the value ends'],
    ["a: {b: [c}\n", "put `]` where its content ends"],
    ["a: 'b' c\n", "close the quote where the value ends; inside it `''` spells one"],
    [
      "a: b\n  c: d\n",
      "start it in the column of that key, or put the whole value in quotes if the line continues it",
    ],
  ])("suggest what to write instead of %j", (text, help) => {
    expect(yamlNode(text).report.diagnostics()).toMatchObject([{ help }]);
  });

  it.each([
    ["a: { b: ${NAME}, c: d }", "${"],
    ["a: [${NAME}/x]", "${"],
    ["a: { b: /orders/{id} }", "{"],
  ])("include a brace without quotes between brackets: %j", (text, shown) => {
    const [found, ...others] = yamlNode(text).report.diagnostics();
    expect(found).toMatchObject({
      message: "between `{ }` or `[ ]`, a value with a brace in it needs quotes",
      help: 'put the whole value in quotes: `url: "${NAME}/path"`',
    });
    expect(text.slice(found?.span.start, found?.span.end)).toBe(shown);
    expect(others).toEqual([]);
  });

  it("shows where the value starts that ends too early", () => {
    const [found] = yamlNode('a: "b" c').report.diagnostics();
    expect(found?.related?.[0]?.span).toMatchObject({ start: 3, end: 4 });
  });

  it("names both places of a repeated key", () => {
    const [found] = yamlNode("a: 1\na: 2").report.diagnostics();
    expect(found?.related?.[0]?.span).toMatchObject({ start: 0, end: 1 });
  });

  it("never shows a doubtful line in place of what is wrong", () => {
    expect(faults("a: *b: \n-\n")).toContain('parse/invalid-yaml "-"');
  });

  it("include only one for keys that repeat after an empty one", () => {
    const text = "a:\n  b: 1\n  c: 2\n  d:\n  b: 3\n  c: 4\n";
    expect(faults(text)).toEqual(['parse/duplicate-key "d"']);
    expect(faults("a: 1\nb:\na: 2\n")).toEqual(['parse/duplicate-key "a"']);
  });

  it("keeps the tree when a fault leaves it whole", () => {
    const { node } = yamlNode("a: 1\na: 2\nb: !x y\n<<: z\n");
    expect(node && toJson(node)).toEqual({ a: 1, b: "y" });
  });

  it("reports no more than one fault a line, and ten in all", () => {
    expect(faults("a: b: c: d: e")).toHaveLength(1);
    expect(faults(Array.from({ length: 50 }, (_, line) => `k${line}: @`).join("\n"))).toHaveLength(
      10,
    );
  });
});

describe("a value that ends at a #", () => {
  it.each([
    ["text", "a: Posts to the #deployments channel.\n", ["#deployments channel."]],
    ["a pattern", "pattern: ^a #b$", ["#b$"]],
    ["a value that begins with #", "color: #fff\nb: 1", ["#fff"]],
    ["a reference that begins with #", "$ref: #/$defs/a", ["#/$defs/a"]],
    ["a placeholder", "a: issue #{number}", ["#{number}"]],
    ["a number", "a: issue #12", ["#12"]],
    ["an item of a list", "- #one\n- Two #three \n", ["#one", "#three"]],
    ["values in braces over lines", "{\n  a: Is #c\n  , d: #e\n}", ["#c", "#e"]],
    ["text whose first line is missing", "a: #one\n  two", ["#one"]],
    ["text over lines", "a: one\n  two #three\n", ["#three"]],
    ["letters of any alphabet", "a: Voir #événements", ["#événements"]],
    ["a tagged value", "a: !!str #b", ["#b"]],
    ["Windows line ends", "a: Is #c\r\nd: e", ["#c"]],
    ["an anchor, reported once", "a: &x Is #c\nd: *x", ["#c"]],
  ])("warns of %s", (_, text, cuts) => {
    const { report } = yamlNode(text);
    expect(report.diagnostics().map(({ severity }) => severity)).toEqual(cuts.map(() => "warning"));
    expect(faults(text)).toEqual(cuts.map((cut) => `parse/cut-value ${JSON.stringify(cut)}`));
  });

  it.each([
    ["a comment", "a: b # c\n#d\ne: f"],
    ["a line of signs", "a: b ####\nc: d #----"],
    ["quotes", 'a: \'b #c\'\nd: "e #f"\ng: "h" #i'],
    ["a block scalar", "a: |\n  b #c\nd: >\n  e #f"],
    ["a # inside a word", "a: b#c"],
    ["a comment after a setting", "type: string #the id\nmethod: GET #read\nwait: 10s #all"],
    ["a number, a flag and a null", "a: 8080 #web\nb: true #always\nc: null #none"],
    ["a mapping or a list below", "a: #b\n  c: d\ne: #f\n  - g"],
  ])("accepts %s", (_, text) => {
    expect(faults(text)).toEqual([]);
  });
});
