import { describe, expect, test } from "vitest";
import { readPattern } from "../../../src/import/openapi/skills/read-pattern.js";

describe("a pattern that is no ECMAScript pattern with the flag u", () => {
  test.each([
    ["a literal", String.raw`/^\d{9}$/`, String.raw`^\d{9}$`],
    ["a literal with an end", "/[a-z]$/", "[a-z]$"],
    ["a literal with escaped slashes", String.raw`/^a\/b$/g`, String.raw`^a\/b$`],
    ["a literal without case", "/^[a-c]d-$/i", "^[a-cA-C][dD]-$"],
    ["a literal of PHP", "#^[a-z]+$#", "^[a-z]+$"],
    ["needless escapes", String.raw`^\d{4}\-\d{2}\:\@\_\#\ \'$`, String.raw`^\d{4}-\d{2}:@_# '$`],
    ["needless escapes in a class", String.raw`[\w\-\.\@\!]`, String.raw`[\w\-\.@!]`],
    ["a hyphen beside a set", String.raw`[\w-.]`, String.raw`[\w\-.]`],
    ["braces and brackets", String.raw`^{[a-z]}]\@`, String.raw`^\{[a-z]\}\]@`],
    ["anchors of Python", String.raw`\A[a-z]+\Z`, "^[a-z]+$"],
    ["anchors of Ruby", String.raw`\A[a-z]+\z`, "^[a-z]+$"],
    ["no case from here on", "^(?i)x-[^b-d]", "^[xX]-[^b-dB-D]"],
    ["no case in a group", "(?i:a)b", "(?:[aA])b"],
    ["no case up to the end of a group", "(a(?i)b)c", "(a[bB])c"],
    ["case again", "(?i)a(?-i)b", "[aA]b"],
    ["a dot for all characters", "(?s)^.(?-s:.)", "^[^](?:.)"],
    ["classes of POSIX", "[[:alpha:]_-][^[:digit:]]", String.raw`[a-zA-Z_\-][^0-9]`],
    [
      "classes of Java",
      String.raw`\p{Alnum}[\p{Punct}]`,
      String.raw`[a-zA-Z0-9][!-\/:-@\[-${"`"}\{-~]`,
    ],
    ["a short property", String.raw`^\pL\PN`, String.raw`^\p{L}\P{N}`],
    ["a script", String.raw`^\p{Latin}`, String.raw`^\p{Script=Latin}`],
    ["names of groups", "(?P<y>a)(?P=y)", String.raw`(?<y>a)\k<y>`],
    ["a comment", "a(?#b)c", "ac"],
    ["quoted text", String.raw`^\Qa.b\E$`, String.raw`^a\.b$`],
    ["a code in braces", String.raw`[\x{41}-\x{5A}]`, String.raw`[\u{41}-\u{5A}]`],
  ])("keeps its meaning: %s", (_, text, pattern) => {
    const change = `the tool reads the pattern as \`${pattern.replaceAll("`", "\u{FFFD}")}\``;
    expect(readPattern(text)).toEqual({ kind: "kept", pattern, change });
  });

  test.each([
    ["a++b", "a+b"],
    ["(?>a|b)c", "(?:a|b)c"],
  ])("accepts more than %s", (text, pattern) => {
    const change = `the tool reads the pattern as \`${pattern}\`, which accepts the same texts and more`;
    expect(readPattern(text)).toEqual({ kind: "kept", pattern, change });
  });

  test.each([
    ["^\\h+$", "`\\h` has no certain equal in ECMAScript"],
    ["(?m)^a$", "`(?m)` has no certain equal in ECMAScript"],
    ["/^a$/m", "`m` has no certain equal in ECMAScript"],
    ["[a-z&&[^aeiou]]", "`[a[b]]` has no certain equal in ECMAScript"],
    ["[]a]\\-", "`[]` has no certain equal in ECMAScript"],
    ["[\\d--a]\\-", "`\\d--` has no certain equal in ECMAScript"],
    ["a\\", "`\\` has no certain equal in ECMAScript"],
    ["a{,3}", "`{` has no certain equal in ECMAScript"],
    ["(?!a++)b", "`(?!a++)` has no certain equal in ECMAScript"],
    ["(?i)(a)\\1", "`\\1` has no certain equal in ECMAScript"],
    ["(?i)[\\x{0}-\\x{FFFF}]", "`(?i)` has no certain equal in ECMAScript"],
    ["*.txt", "it is not an ECMAScript pattern with the flag `u`"],
    ["(abc", "it is not an ECMAScript pattern with the flag `u`"],
    ["^(a|a)*\\-(a+)\\1$", "a search for it may never end"],
  ])("the import drops a pattern without an equal: %s", (text, why) => {
    expect(readPattern(text)).toEqual({ kind: "dropped", why });
  });
});

describe("a pattern of ECMAScript", () => {
  test.each(["^[^/]+\\/[^/]+$", "/api/v1", "^\\\\d$", "[[a]", "\\p{Alpha}"])(
    "stays as it is: %s",
    (pattern) => {
      expect(readPattern(pattern)).toEqual({ kind: "kept", pattern });
    },
  );

  test("keeps slashes that a text may have, and says so", () => {
    expect(readPattern("/[a-z]+/")).toEqual({
      kind: "kept",
      pattern: "/[a-z]+/",
      change: "the pattern begins and ends with a slash, and the tool wants both in the text",
    });
  });
});
