import * as fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, test } from "vitest";
import { redactionOf } from "../../../src/schema/pattern/redaction.js";
import { oblige } from "../../../src/runtime/governance/oblige.js";

/** The text as the runtime redacts it. */
function redacted(pattern: string, text: string): unknown {
  const redaction = redactionOf(pattern);
  if (redaction.kind !== "linear") throw new Error(redaction.kind);
  const action = { do: "redact", at: [], pattern: redaction.text } as const;
  const result = { status: "success", data: text };
  return oblige(result, action);
}

describe("a pattern that redacts", () => {
  test.each([
    "[0-9]{13,19}",
    "[0-9](?:[ -]?[0-9]){12,18}",
    "a+?b?",
    "(?:ab|a)(?:c|bc)?",
    "a{2,3}?",
    "\\bcat\\b",
    "^a|b$",
    "[^a-c\\s]+",
    "\\p{L}{2}",
    "(a|ab)(c|bcd)",
  ])("removes the same text as ECMAScript: %s", (pattern) => {
    const letters = fc.string({ unit: fc.constantFrom(..."abcd 0-é😀cat") });
    fc.assert(
      fc.property(letters, (text) => {
        expect(redacted(pattern, text)).toEqual({
          status: "success",
          data: text.replace(new RegExp(pattern, "gu"), "***"),
        });
      }),
    );
  });

  test.each([
    ["[0-9]{13,19", "invalid"],
    ["(?<=a)b", "not-linear"],
    ["(a)\\1", "not-linear"],
    ["(?:ab){1001}", "not-linear"],
    ["a*", "empty"],
    ["(?:a|b?)", "empty"],
    ["^|x", "empty"],
    ["(?:a*){3}", "empty"],
    ["", "empty"],
  ])("gets rejected: %j", (pattern, kind) => {
    expect(redactionOf(pattern).kind).toBe(kind);
  });

  test("takes linear time, whatever it repeats", () => {
    const redaction = redactionOf("(?:a+)+b");
    expect(redaction.kind).toBe("linear");
    const text = redaction.kind === "linear" ? redaction.text : "";
    // A matcher that goes back would not come to an end.
    expect(RE2JS.compile(text).matcher("a".repeat(5000)).replaceAll("***")).toHaveLength(5000);
  });
});
