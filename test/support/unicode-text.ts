import fc, { type StringConstraints } from "fast-check";

/**
 * Range of the surrogates. They are no characters, and fast-check's unit `binary` excludes them
 * too.
 */
const surrogates = { first: 0xd800, count: 0x800 };

/** One character, for arbitraries that take a unit of text. */
export const unicodeCharacter = fc
  .nat({ max: 0x10ffff - surrogates.count })
  .map(characterAt, indexOf);

function characterAt(index: number): string {
  return String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count);
}

/** @throws Error if the value is not a single character: fast-check then tries another split */
function indexOf(value: unknown): number {
  const code = typeof value === "string" ? value.codePointAt(0) : undefined;
  if (code === undefined || String.fromCodePoint(code) !== value || !value.isWellFormed())
    throw new Error("no single character");
  return code < surrogates.first ? code : code - surrogates.count;
}

/**
 * Text of any characters, with the same results as `fc.string({ unit: "binary" })` for each seed.
 * For that unit, fast-check keeps a table of all 1,112,064 characters, which costs each process a
 * second and 140 MB.
 */
export function unicodeText(
  constraints: Omit<StringConstraints, "unit"> = {},
): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: unicodeCharacter });
}
