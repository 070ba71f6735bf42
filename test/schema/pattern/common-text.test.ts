import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { signedDigits } from "../../../src/schema/digit-patterns.js";
import { haveCommonText } from "../../../src/schema/pattern/common-text.js";

const int64 = `^(?:${signedDigits(64)})$`;

describe("two patterns that no text matches together are told apart", () => {
  test.each([
    ["^[\\s\\S]* ct$", int64],
    ["^[\\s\\S]*-$", int64],
    ["^[\\s\\S]*-[\\s\\S]*-[\\s\\S]*$", int64],
    ["^a", "^b"],
    ["a$", "b$"],
    ["^a{3}$", "^a{4,}$"],
    ["^(?:ab)+$", "^(?:ba)+$"],
    ["^[0-9]+-[0-9]+$", "^[0-9a-f]{8}-[0-9a-f]{4}-"],
    ["^$", "."],
    ["a^", ""],
    ["^\\u{1F600}$", "^[a-z]$"],
  ])("no text matches both: %s and %s", (one, other) => {
    expect([haveCommonText(one, other), haveCommonText(other, one)]).toEqual([false, false]);
  });
});

describe("two patterns that some text matches are not told apart", () => {
  test.each([
    ["^[\\s\\S]*7$", int64],
    ["^-[\\s\\S]*$", int64],
    ["a", "b"],
    ["^a", "b$"],
    ["^a", "a$"],
    ["", "^$"],
    ["^(?:ab)+$", "^a.*b$"],
    ["(?<=a)b", "^b"],
    ["(?=c)d", "d"],
    ["(", "a"],
  ])("some text matches both: %s and %s", (one, other) => {
    expect([haveCommonText(one, other), haveCommonText(other, one)]).toEqual([true, true]);
  });
});

test("a text that matches two random patterns is never denied", () => {
  const atom = fc.constantFrom("a", "b", "[ab]", "[^a]", ".", "(?:ab)?", "(?:a|bb)*", "b+", "a{2}");
  const pattern = fc
    .tuple(fc.constantFrom("", "^"), fc.array(atom, { maxLength: 5 }), fc.constantFrom("", "$"))
    .map(([start, atoms, end]) => start + atoms.join("") + end);
  const text = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 8 });
  fc.assert(
    fc.property(pattern, pattern, fc.array(text, { minLength: 10 }), (one, other, texts) => {
      const [a, b] = [new RegExp(one, "u"), new RegExp(other, "u")];
      const common = texts.filter((each) => a.test(each) && b.test(each));
      expect(common.length > 0 && !haveCommonText(one, other) ? common : []).toEqual([]);
    }),
    { numRuns: 2000 },
  );
});
