/** The last check before code is written: code that differs from the intended literals is rejected. */
import { format } from "prettier";
import { describe, expect, test } from "vitest";
import { draftStatement } from "../../../src/core/draft-statement.js";
import { readBack } from "../../../src/compiler/verify/read-back.js";
import {
  type Code,
  code,
  jsDoc,
  literal,
  member,
  memberKey,
  objectKey,
  ofPieces,
  piecesOf,
  printCode,
  templateText,
} from "../../../src/core/code.js";
import type { JsonValue } from "../../../src/core/json.js";

const value: JsonValue = {
  text: '*/ `${x}` \u2028 \\" </script>',
  numbers: [0, -0, -2.5, 1e21, 5e-324],
  flags: [true, false, null],
  ["__proto__"]: { deep: [] },
  "": {},
};
const draft = code`${jsDoc("What it is. */ eval(1)")}export const data = ${literal(value)};
export interface Data { ${memberKey("a b")}: ${literal("x")} | ${literal(-1)}; }
export const other = { ${objectKey("__proto__")}: ${literal("y")}, size: data${member("numbers")}${member("a-b", true)} };
`;

/** The draft with a piece's text replaced; what it should mean stays. */
function tampered(from: string, to: string): Code {
  return ofPieces(
    piecesOf(draft).map((piece) => ({ ...piece, text: piece.text.replace(from, to) })),
  );
}

function look(rope: Code, formatted = printCode(rope)): () => void {
  const { kind: _kind, ...text } = draftStatement("desk/tool.ts", rope, "typescript");
  return () => readBack(text, formatted);
}

test("accepts code that equals its source in any style", async () => {
  expect(look(draft)).not.toThrow();
  for (const style of [
    { semi: false },
    { singleQuote: true, useTabs: true },
    { quoteProps: "consistent" as const, printWidth: 40 },
  ]) {
    expect(
      look(draft, await format(printCode(draft), { ...style, parser: "typescript" })),
    ).not.toThrow();
  }
});

test("treats a template literal as one text around each hole, with any quotes and lines in it", async () => {
  const text = (words: string): Code => templateText(words);
  const rope = code`export const build = (p: { a: string | null; b: string }) =>
  String.raw\`${text(`"\r\nA: 1\r\n", '`)}\${(p.a ?? null)}${text(`'\n{ it's`)}\${{ b: p.b }.b}${text(`'"\n`)}\`.concat(p.b, ${literal("'")}, p.b, ${literal("a long text that makes the line too wide")});
`;
  const formatted = await format(printCode(rope), { parser: "typescript" });
  expect(look(rope, formatted)).not.toThrow();
  expect(look(rope, formatted.replace("A: 1", "A: 2"))).toThrow("desk/tool.ts");
  expect(look(rope, formatted.replace("p.a ?? null", "p.b ?? null"))).toThrow("desk/tool.ts");
});

describe("a changed literal", () => {
  test.each([
    ["is another text", '"x"', '"z"'],
    ["is another number", "-2.5", "2.5"],
    ["is another member's name", '"a b"', '"a c"'],
    ["lost an item", "true, false", "true"],
    ["is an expression with the same beginning", '"y"', '"y" + eval("1")'],
    ["is a call", '"y"', 'String("y")'],
    ["is a template", '"y"', "`y`"],
    ["calls in the middle", "[0, ", "[eval('1'), "],
    ["spreads something in", "[0, ", "[...[0], "],
    ["ended too early", '"x"', '"x"; x: "x"'],
  ])("gets rejected if it %s", (_, from, to) => {
    expect(printCode(tampered(from, to))).not.toBe(printCode(draft));
    expect(look(tampered(from, to))).toThrow(
      "desk/tool.ts: a literal does not read back as intended, at offset",
    );
  });
});

test.each([
  ["in a value", `["__proto__"]: { "deep"`, `"__proto__": { "deep"`],
  ["as a key of its own", `["__proto__"]`, `"__proto__"`],
  ["without quotes", `["__proto__"]`, `__proto__`],
])("rejects a name that sets a prototype %s", (_, from, to) => {
  expect(printCode(tampered(from, to))).not.toBe(printCode(draft));
  expect(look(tampered(from, to))).toThrow("desk/tool.ts: ");
});

test.each([
  ["a comment that got out", "*\\/", "*/"],
  ["a quote that got out", '"x"', '"x" "'],
])("rejects code that does not parse because of %s", (_, from, to) => {
  expect(look(tampered(from, to))).toThrow("desk/tool.ts: generated code does not parse");
});

describe("a large literal", () => {
  const big = { text: "x".repeat(300), list: [1, -0, { deep: null }] };
  const tree = code`export const a = ${literal(big)};\nexport const b = ${literal([big])};\n`;
  const changed = (from: string, to: string) =>
    ofPieces(piecesOf(tree).map((piece) => ({ ...piece, text: piece.text.replace(from, to) })));

  test("passes if it is unchanged, together with the code around it", () => {
    expect(look(tree)).not.toThrow();
    expect(look(code`export const f = () => (${literal(big)});\n`)).not.toThrow();
  });

  test.each([
    ["another value", "null", "true"],
    ["another name", '"deep"', '"deeb"'],
    ["one value more", "[1, ", "[1, 2, "],
    ["no more of a sign", "-0", "0"],
    ["a call in it", "null", "eval(1)"],
    ["a name that sets a prototype", '"deep"', '"__proto__"'],
    ["such a name, escaped", '"deep"', '"\\u005f_proto__"'],
    ["an end that comes too early", "null }]", "null }]}, {"],
  ])("gets rejected with %s", (_, from, to) => {
    expect(printCode(changed(from, to))).not.toBe(printCode(tree));
    expect(look(changed(from, to))).toThrow("desk/tool.ts: ");
  });

  test.each([`"__proto__"`, String.raw`"\u005F_proto__"`, String.raw`"__\u0070roto__"`])(
    "gets rejected if it sets a prototype by %s",
    (name) => {
      const named = code`export const a = ${literal({ ...big, ["__proto__"]: { a: 1 } })};\n`;
      const pieces = piecesOf(named).map((piece) => ({
        ...piece,
        text: piece.text.replace(`["__proto__"]`, name),
      }));
      expect(look(named)).not.toThrow();
      expect(printCode(ofPieces(pieces))).toContain(name);
      expect(look(ofPieces(pieces))).toThrow("desk/tool.ts: ");
    },
  );

  test("gets rejected in a place that does not allow a literal", () => {
    const { list: _, ...plain } = big;
    expect(look(code`export const f = () => ${literal(plain)};\n`)).toThrow("desk/tool.ts: ");
    expect(look(code`${literal(plain)};\n`)).toThrow("desk/tool.ts: ");
  });
});

test("rejects a comment that ended early and parses, by its literals or words", () => {
  const rope = code`/* ${jsDoc("quiet")}*/ export const a = ${literal(1)};`;
  expect(look(rope)).toThrow("desk/tool.ts");
});

describe("a formatter that changes code", () => {
  const text = printCode(draft);
  test.each([
    ["changed a text", text.replace('"x"', '"z"')],
    ["changed the order of words", text.replace("export const data", "const export data")],
    ["left a word out", text.replace("export interface", "interface")],
    ["added a statement", `${text}eval("1");\n`],
    ["dropped a comment", text.replace(/\/\*\*.*\n/, "")],
    ["changed a comment", text.replace("What it is", "What it was")],
    ["made a comment of code", text.replace("export interface", "// export interface")],
    ["made code of a comment", text.replace("*\\/", "*/")],
    ["changed a number", text.replace("-2.5", "-2.6")],
    ["changed a literal's sign", text.replace("-2.5", "2.5")],
    ["changed an operator", text.replace('"x" | ', '"x" & ')],
    ["moved a bracket", text.replace("[0, -0,", "[[0, -0],")],
  ])("gets rejected if it %s", (_, formatted) => {
    expect(formatted).not.toBe(text);
    expect(look(draft, formatted)).toThrow("desk/tool.ts: formatting changed the code at offset");
  });
});

describe("the text of a template", () => {
  const hostile = "a `b` \\ ${c} \r\n $";
  const template = (first: Code, second: Code) =>
    code`export const sql = tag\`${first}\${${literal(1)}}${second}\${${literal(2)}}\`;\nexport const all = \`${first}\`;\n`;
  const sound = template(templateText(hostile), templateText("=$"));

  test("passes if it is unchanged, whatever it contains", () => {
    expect(look(sound)).not.toThrow();
  });

  test.each([
    ["lost an escape", "\\`b", "b"],
    ["is another text", "a ", "z "],
    ["became a hole", "\\${c}", "${c}"],
  ])("gets rejected if it %s", (_, from, to) => {
    const pieces = piecesOf(sound);
    const broken = pieces.map((piece) => ({ ...piece, text: piece.text.replace(from, to) }));
    expect(look(ofPieces(broken))).toThrow(/does not read back|does not parse/);
  });
});
