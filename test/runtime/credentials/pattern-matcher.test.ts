import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PatternMatcher } from "../../../src/runtime/credentials/pattern-matcher.js";

type Match = readonly [start: number, end: number];

function matcherOf(patterns: readonly string[]): PatternMatcher<string> {
  const matcher = new PatternMatcher<string>("%");
  for (const each of patterns) matcher.add(each, each);
  return matcher;
}

function matchesIn(matcher: PatternMatcher<string>, text: string): readonly Match[] {
  const matches: Match[] = [];
  matcher.search(text, matcher.candidate(text, 0), (start, end) => matches.push([start, end]));
  return matches;
}

/** The longest match with each end. */
function naiveMatches(patterns: readonly string[], text: string): readonly Match[] {
  return Array.from({ length: text.length }, (_, at) => at + 1).flatMap((end) => {
    const lengths = patterns
      .filter((each) => each.length >= 4 && text.slice(0, end).endsWith(each))
      .map((each) => each.length);
    return lengths.length === 0 ? [] : [[end - Math.max(...lengths), end] as const];
  });
}

const text = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 60 });
const patterns = fc.array(
  fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 9 }),
  { minLength: 1, maxLength: 12 },
);

describe("PatternMatcher", () => {
  it("finds the longest pattern that ends at each place, as a search for each pattern does", () => {
    fc.assert(
      fc.property(patterns, text, (each, searched) => {
        expect(matchesIn(matcherOf(each), searched)).toEqual(naiveMatches(each, searched));
      }),
      { numRuns: 2000 },
    );
  });

  it("finds patterns that were added after a search", () => {
    fc.assert(
      fc.property(patterns, patterns, text, (first, later, searched) => {
        const matcher = matcherOf(first);
        matchesIn(matcher, searched);
        for (const each of later) matcher.add(each, each);
        expect(matchesIn(matcher, searched)).toEqual(naiveMatches([...first, ...later], searched));
      }),
      { numRuns: 1000 },
    );
  });

  it("calls a text plain if it has neither a mark nor the first four units of a pattern", () => {
    const matcher = matcherOf(["abcdef"]);
    expect(matcher.isPlain("abc def abd")).toBe(true);
    expect(matcher.isPlain("xabcdx")).toBe(false);
    expect(matcher.isPlain("100%")).toBe(false);
  });

  it("follows a long pattern as far as the text agrees with it", () => {
    const long = Array.from({ length: 3000 }, (_, at) => String(at)).join(",");
    const matcher = matcherOf([long]);
    expect(matchesIn(matcher, `x${long}x`)).toEqual([[1, 1 + long.length]]);
    expect(matchesIn(matcher, `${long.slice(0, 2000)}x`)).toEqual([[0, 2000]]);
    expect(matchesIn(matcher, `${long.slice(0, 500)}x`)).toEqual([]);
  });

  it.each([
    [
      "many patterns with the same beginning",
      Array.from({ length: 4000 }, (_, at) => `secretvalue${at}`),
      "secretvaluf",
    ],
    [
      "patterns of all lengths",
      Array.from({ length: 400 }, (_, at) => `${"a".repeat(at + 4)}b`),
      `${"a".repeat(390)}c`,
    ],
    ["one long pattern", [`${"a".repeat(400)}b`], `${"a".repeat(399)}c`],
    [
      "patterns inside each other",
      Array.from({ length: 300 }, (_, at) => "a".repeat(at + 4)),
      "a".repeat(500),
    ],
  ])("reads each unit of a text a few times at most: %s", (_, all, block) => {
    const matcher = matcherOf(all);
    let reads = 0;
    const content = block.repeat(200);
    const counted = {
      length: content.length,
      charCodeAt(at: number) {
        reads += 1;
        return content.charCodeAt(at);
      },
    };
    matcher.search(counted, matcher.candidate(counted, 0), () => {});
    expect(reads).toBeLessThan(10 * content.length);
  });
});
