import fc from "fast-check";
import { expect, test } from "vitest";
import { findJsonProblem, jsonProblemInWords } from "../../../src/runtime/json/json-problem.js";

test.each<[json: string, where: string, expected: string]>([
  ["", "early 1:1", "a value"],
  ["{", "early 1:2", "a property's name in double quotes"],
  ['{"a"', "early 1:5", "`:`"],
  ['{"a":', "early 1:6", "a value"],
  ['{"a": 1', "early 1:8", "`,` or `}`"],
  ['{\n  "a": [1, 2\n', "early 3:1", "`,` or `]`"],
  ['{"a": tru', "early 1:10", "a value"],
  ["[-", "early 1:3", "a value"],
  ["[1e", "early 1:4", "a value"],
  ['["a\\', "early 1:5", 'a closing `"`'],
  ['["\\u00', "early 1:7", 'a closing `"`'],
  ['["\\x"]', "1:3", "a valid JSON escape"],
  ['["a\nb"]', "1:4", "an escape instead of a control character"],
  ['{"a": 1,}', "1:9", "a property's name in double quotes"],
  ["[1,]", "1:4", "a value"],
  ["{'a': 1}", "1:2", "a property's name in double quotes"],
  ['{\n  "a" 1\n}', "2:7", "`:`"],
  ["[1 2]", "1:4", "`,` or `]`"],
  ["[01]", "1:2", "a value"],
  ["[.5]", "1:2", "a value"],
  ["[True]", "1:2", "a value"],
  ['{"a": 1}}', "1:9", "the end of the text"],
  ['{"a": 1}{"a": 2}', "1:9", "the end of the text"],
])("%j goes wrong at %s, where %s is expected", (json, where, expected) => {
  const [line, column] = where.replace("early ", "").split(":");
  const place = `line ${line}, column ${column}`;
  expect(jsonProblemInWords(json)).toBe(
    where.startsWith("early")
      ? `: the text ends early, at ${place}, before ${expected}`
      : `: expected ${expected} at ${place}`,
  );
});

test("findJsonProblem finds something wrong where JSON.parse refuses a text, and nowhere else", () => {
  const parses = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  const pieces = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"',
    "\\",
    "\\u12",
    "1",
    "-",
    ".",
    "e",
    "true",
    "nul",
    " ",
    "\n",
    "\t",
    "x",
  ];
  const mixed = fc
    .array(fc.constantFrom(...pieces), { maxLength: 12 })
    .map((each) => each.join(""));
  const cut = fc.tuple(fc.json(), fc.nat(60)).map(([json, at]) => json.slice(0, at));
  fc.assert(
    fc.property(fc.oneof(fc.json(), mixed, cut), (text) => {
      expect(findJsonProblem(text) === undefined).toBe(parses(text));
    }),
    { numRuns: 3000 },
  );
});

test("whatever is cut off ends early, at its end", () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(200), (json, at) => {
      const text = json.slice(0, at % json.length);
      // A number without its last digits is still one.
      expect(findJsonProblem(text)?.endsEarly ?? true).toBe(true);
    }),
  );
});

test("a text that nests a million brackets deep is read without a stack", () => {
  expect(findJsonProblem("[".repeat(1e6))).toMatchObject({ kind: "end", endsEarly: true });
});

test.each([
  ["text", (many: number) => `["${"x".repeat(many)}"`],
  ["escapes", (many: number) => `["${"\\n".repeat(many)}"`],
  ["spaces", (many: number) => `[${" ".repeat(many)}`],
  ["letters", (many: number) => "x".repeat(many)],
])("finds the problem of megabytes of %s", (_, jsonOf) => {
  expect(findJsonProblem(jsonOf(20_000_000))).toBeDefined();
});
