import type { AST } from "@eslint-community/regexpp";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { linearPattern } from "../../../src/runtime/validation/pattern.js";
import {
  chooseMatcher,
  linearText,
  parsePattern,
  runsOfPattern,
  schemaFlags,
} from "../../../src/schema/pattern/matcher.js";
import { backtrack } from "../../../src/schema/pattern/slow-texts.js";
import { runs } from "../../support/runs.js";

const ordinary = [
  "",
  "^$",
  "^[a-z0-9-]+$",
  "^\\d{4}-\\d{2}-\\d{2}$",
  "^[A-Z]{3}$",
  "^(?:[a-z]+\\.)*[a-z]+$",
  "^(?!.*--)[a-z-]+$",
  "^(?:(?!--).)*$",
  "^(?=.*[A-Z])(?=.*\\d)[A-Za-z\\d]{8,}$",
  "^\\p{L}[\\p{L}\\p{N} .'-]*$",
  "^(['\"])[^'\"]*\\1$",
  "^.{1,4000}$",
  "^[\\s\\S]{0,65535}$",
  "^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,}$",
  "^[a-z]{1,50}[a-z0-9]{1,50}$",
  "^https?://",
  "\\S",
  "\\S+",
  "cus_[a-z0-9]{14}",
  "(?<=a)b",
];

test.each(ordinary)("keeps %j with JavaScript's own matcher", (pattern) => {
  expect(chooseMatcher(pattern)).toEqual({ kind: "native" });
});

test.each([
  "^(a+)+$",
  "^(?:a*)*$",
  "^(?:a|a)*$",
  "^(?:a|b|ab)*c$",
  "^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$",
  "^(?:a?){30}a{30}$",
  "^(?:a*b|a)*",
  "^a(?:(?:a+)+b)?",
  "\\s+$",
  "a+b",
  "a+$",
  "(?:.*a.{20})$",
])("gives %j, which may take endless time, to the linear matcher", (pattern) => {
  expect(chooseMatcher(pattern).kind).toBe("linear");
});

describe("a pattern that neither can match in linear time", () => {
  test.each([
    ["^(?:a+)+(?=b)$", "", "a", ""],
    ["^(a+)\\1$", "", "a", ""],
    ["^(?:(?!.*--).)*$", "", "a", ""],
    ["(?:a*)*(?=b)", "", "a", ""],
    ["^x(?:[ab]|a)*(?!a)(?=c)", "x", "a", ""],
  ])("gets rejected with texts that prove it: %j", (pattern, start, pump, end) => {
    expect(chooseMatcher(pattern)).toEqual({ kind: "slow", texts: { start, pump, end } });
    const stepsAt = (times: number) =>
      backtrack(treeOf(pattern), start + pump.repeat(times) + end, schemaFlags, 1e6)?.steps ?? 1e6;
    expect(stepsAt(48)).toBeGreaterThan(2.5 * stepsAt(12));
  });

  test.each(["(?<=a+)b", "^(?:a+)+(?!b)"])(
    "gets rejected without texts if none are known: %j",
    (pattern) => {
      expect(chooseMatcher(pattern)).toEqual({ kind: "slow", texts: undefined });
    },
  );

  test.each(["^(?:a{0,40}){40}(?=b)$", "^(?:[a-z]{0,99}[0-9a-f]{0,99}){50}$"])(
    "gets rejected without a complete search: %j",
    (pattern) => {
      expect(chooseMatcher(pattern).kind).toBe("slow");
    },
  );
});

test("a pattern of a later ECMAScript than Node 20 supports is invalid on any Node", () => {
  expect(chooseMatcher("(?i:a)").kind).toBe("invalid");
  expect(chooseMatcher("(?<a>x)|(?<a>y)").kind).toBe("invalid");
});

function treeOf(pattern: string): AST.Pattern {
  const tree = parsePattern(pattern, true);
  if (typeof tree === "string") throw new Error(tree);
  return tree;
}

const atom = fc.constantFrom("a", "b", ".", "[ab]", "[^a]", "\\w", "\\d", "-", "\\b", "\\B");

/** Patterns over few characters, so that their parts meet. */
function patternsOf(more: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> {
  const { pattern } = fc.letrec<{ pattern: string; sequence: string; element: string }>((tie) => ({
    element: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      atom.filter((each) => !/^\\[bB]$/.test(each)),
      fc
        .tuple(
          fc.oneof(
            fc.constantFrom("a", "b", "[ab]", "."),
            tie("pattern").map((each) => `(?:${each})`),
            tie("pattern").map((each) => `(${each})`),
          ),
          fc.constantFrom("*", "+", "?", "{2}", "{0,3}", "{1,}", "*?", "{0,20}", "+?"),
        )
        .map(([each, times]) => each + times),
      tie("pattern").map((each) => `(?:${each})`),
      ...more.map((each) =>
        fc.tuple(each, tie("pattern")).map(([head, body]) => head.replace("…", body)),
      ),
    ),
    sequence: fc.array(fc.oneof(tie("element"), atom), { maxLength: 4 }).map((all) => all.join("")),
    pattern: fc.array(tie("sequence"), { minLength: 1, maxLength: 3 }).map((all) => all.join("|")),
  }));
  return fc
    .tuple(fc.constantFrom("", "^", "^"), pattern, fc.constantFrom("", "$", "$"))
    .map(([start, body, end]) =>
      body.includes("|") ? `${start}(?:${body})${end}` : start + body + end,
    );
}

const lookaheads = [fc.constant("(?=…)"), fc.constant("(?!…)"), fc.constant("(…)\\1")];

/** Texts that repeat themselves, as those do that matchers are slow on. */
const repetitive = fc
  .array(
    fc.tuple(
      fc.constantFrom("a", "b", "ab", "aab", "-", "c", "0", "ba-"),
      fc.integer({ min: 1, max: 40 }),
    ),
    {
      maxLength: 4,
    },
  )
  .map((parts) =>
    parts
      .map(([part, times]) => part.repeat(times))
      .join("")
      .slice(0, 120),
  );

test("JavaScript's matcher takes no more steps per character than the analysis says", () => {
  let bounded = 0;
  fc.assert(
    fc.property(
      patternsOf(lookaheads),
      fc.array(repetitive, { minLength: 4, maxLength: 8 }),
      (pattern, texts) => {
        const tree = parsePattern(pattern, true);
        if (typeof tree === "string") return;
        const runs = runsOfPattern(tree, schemaFlags, "test");
        if (runs.kind !== "bounded") return;
        bounded += 1;
        for (const text of texts) {
          // The oracle counts an element that is a group, and the analysis each way through it.
          const most = 8 * (runs.most + 1) * (text.length + 2);
          expect([pattern, text, backtrack(tree, text, schemaFlags, most) !== undefined]).toEqual([
            pattern,
            text,
            true,
          ]);
        }
      },
    ),
    { numRuns: runs(500) },
  );
  expect(bounded).toBeGreaterThan(runs(100));
});

test("the matcher that counts steps matches the same as JavaScript", () => {
  let counted = 0;
  fc.assert(
    fc.property(patternsOf(lookaheads), repetitive, (pattern, text) => {
      const found = backtrack(treeOf(pattern), text, schemaFlags, 20_000);
      if (found === undefined) return;
      counted += 1;
      expect([pattern, text, found.matches]).toEqual([
        pattern,
        text,
        new RegExp(pattern, "u").test(text),
      ]);
    }),
    { numRuns: runs(1000), examples: [["(?:(?!(a|)*|)|(a)\\1)", "a"]] },
  );
  expect(counted).toBeGreaterThan(runs(500));
});

describe("the linear matcher", () => {
  const classes = [
    ..."\\d \\D \\w \\W \\s \\S . [^] [] [\\s\\S] \\p{L} \\P{Lu} [^\\p{N}a] [\\d-z] [\\ud800-\\udfff] \\u{1F600} [\\u{1F600}-\\u{1F64F}] \\ud83d \\ude00 \\t [\\b] \\cJ \\/ \\- \\x41".split(
      " ",
    ),
    "\\ud83d\\ude00",
    "[^\\u{1F600}]",
    "[\\u2028\\u2029]",
    "\\0",
    "K",
    "ſ",
  ];
  const pieces = [
    "a",
    "A",
    "0",
    "_",
    "-",
    " ",
    "\n",
    "\r",
    "\u2028",
    "\ufeff",
    "\u00a0",
    "\u180e",
    "\u0085",
    "é",
    "ß",
    "K",
    "ſ",
    "\0",
    "\b",
    "😀",
    "\ud83d",
    "\ude00",
    "𝒳",
  ];
  const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((all) => all.join(""));
  const piece = fc.constantFrom(...classes);
  const regular = fc
    .array(
      fc.tuple(
        fc.oneof(
          piece,
          fc.tuple(piece, piece).map(([a, b]) => `(?:${a}|${b}*)`),
          fc.constantFrom("\\b", "\\B", "^", "$", "|"),
        ),
        fc.constantFrom("", "", "*", "+", "?", "{2}", "{0,2}", "{1,}?", "*?"),
      ),
      { maxLength: 4 },
    )
    .map((all) =>
      all
        .map(([each, times]) => (/^(?:\\[bB]|\^|\$|\|)$/.test(each) ? each : each + times))
        .join(""),
    );

  test("matches the same as JavaScript, with any classes, anchors and halves of surrogate pairs", () => {
    let asked = 0;
    fc.assert(
      fc.property(
        fc.oneof(regular, patternsOf([])),
        fc.array(
          fc.oneof(
            texts,
            repetitive.map((each) => each.slice(0, 12)),
          ),
          { minLength: 3, maxLength: 6 },
        ),
        (pattern, values) => {
          const tree = parsePattern(pattern, true);
          if (typeof tree === "string") return;
          const text = linearText(tree, schemaFlags);
          if (text === undefined) return;
          const [native, linear] = [new RegExp(pattern, "u"), linearPattern(text)];
          for (const value of values) {
            asked += 1;
            expect([pattern, value, linear.test(value)]).toEqual([
              pattern,
              value,
              native.test(value),
            ]);
          }
        },
      ),
      { numRuns: runs(3000) },
    );
    expect(asked).toBeGreaterThan(runs(3000));
  });

  test("reads each character of a text a bounded number of times", () => {
    const patterns = [
      "^(a+)+$",
      "^(?:a|b|ab| )*c$",
      "\\s+$",
      "(?:.*a.{20})$",
      "^[^@]+@[^@]+\\.[^@]+$",
    ];
    const reads = (pattern: string, length: number): number => {
      const verdict = chooseMatcher(pattern);
      if (verdict.kind !== "linear") throw new Error(`${pattern} is ${verdict.kind}`);
      const compiled = linearPattern(verdict.text);
      const texts = [
        "a".repeat(length),
        "ab ".repeat(length),
        "@.".repeat(length),
        " ".repeat(length),
      ];
      return readsDuring(() => texts.forEach((each) => compiled.test(`${each}c!`)));
    };
    for (const pattern of patterns) {
      const [once, twice] = [reads(pattern, 2000), reads(pattern, 4000)];
      expect(once).toBeGreaterThan(2000);
      expect([pattern, twice <= 2.1 * once]).toEqual([pattern, true]);
    }
  });
});

/** How often characters of texts are read. */
function readsDuring(action: () => void): number {
  const { charCodeAt, codePointAt } = String.prototype;
  let reads = 0;
  Object.assign(String.prototype, {
    charCodeAt(this: string, at: number) {
      reads += 1;
      return charCodeAt.call(this, at);
    },
    codePointAt(this: string, at: number) {
      reads += 1;
      return codePointAt.call(this, at);
    },
  });
  try {
    action();
  } finally {
    Object.assign(String.prototype, { charCodeAt, codePointAt });
  }
  return reads;
}
