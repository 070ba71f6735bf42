import fc from "fast-check";
import { format } from "prettier";
import { expect, test } from "vitest";
import { printJson } from "../../../src/compiler/emit/print-json.js";

interface PrintStyle {
  readonly printWidth: number;
  readonly tabWidth: number;
  readonly objectWrap: "preserve" | "collapse";
  readonly bracketSpacing: boolean;
}

async function asPrettierPrints(value: unknown, style: PrintStyle) {
  // Never so short that it could stand on one line.
  const plain = JSON.parse(JSON.stringify({ head: "x".repeat(style.printWidth), value }));
  const ours = printJson(plain, { ...style });
  expect(JSON.parse(ours)).toEqual(plain);
  expect(await format(ours, { parser: "json", ...style })).toBe(ours);
}

const style = fc.record({
  printWidth: fc.constantFrom(40, 80, 100),
  tabWidth: fc.constantFrom(2, 4),
  objectWrap: fc.constantFrom("preserve" as const, "collapse" as const),
  bracketSpacing: fc.boolean(),
});

test("any JSON is printed as prettier prints it", async () => {
  await fc.assert(fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), style, asPrettierPrints), {
    numRuns: 1000,
  });
});

test("arrays around the line's width are printed as prettier prints them, whatever their text", async () => {
  const item = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 12 }),
    fc.integer(),
    fc.array(fc.string({ maxLength: 5 })),
    fc.dictionary(fc.string(), fc.integer(), { maxKeys: 2 }),
  );
  await fc.assert(fc.asyncProperty(fc.array(item), style, asPrettierPrints), { numRuns: 1000 });
});
