import { expect, test } from "vitest";
import { timedRegExp } from "../../src/schema/timed-reg-exp.js";

/** Each letter more doubles the time that the pattern takes. */
const endless = `${"a".repeat(40)}!`;

function timeOf(pattern: string, text: string): number {
  const started = performance.now();
  expect(timedRegExp(pattern, "u").test(text)).toBe(false);
  return performance.now() - started;
}

test("a pattern that takes for ever is not waited for again", () => {
  const pattern = "^(?:a+)+$";
  expect(timeOf(pattern, endless)).toBeGreaterThan(2000);
  expect(timeOf(pattern, endless)).toBeLessThan(100);
  expect(timeOf(pattern, `a${endless}`)).toBeLessThan(1000);
  expect(timedRegExp(pattern, "u").test("aaa")).toBe(true);
  expect(timeOf(pattern, `aa${endless}`)).toBeLessThan(1000);
  expect(timeOf(pattern, `aaa${endless}`)).toBeLessThan(100);
});

test("so are others, when much time was lost", () => {
  const lost = ["b", "c", "d"].map((letter) => timeOf(`^(?:a+)+${letter}?$`, endless));
  expect(lost.every((each) => each > 150)).toBe(true);
  expect(timeOf("^(?:a+)+e?$", endless)).toBeLessThan(2000);
});
