import fc, { type StringConstraints } from "fast-check";

/** The surrogates, which are no characters of their own: fast-check's unit `binary` has none either. */
const surrogates = { first: 0xd800, count: 0x800 };

/** One character, for arbitraries that take a unit of text. */
export const unicodeCharacter = fc
  .nat({ max: 0x10ffff - surrogates.count })
  .map(characterAt, indexOf);

function characterAt(index: number): string {
  return String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count);
}

/** @throws Error when the value is no single character: fast-check then tries another split */
function indexOf(value: unknown): number {
  const code = typeof value === "string" ? value.codePointAt(0) : undefined;
  if (code === undefined || String.fromCodePoint(code) !== value || !value.isWellFormed())
    throw new Error("no single character");
  return code < surrogates.first ? code : code - surrogates.count;
}

/**
 * Text of any characters: what `fc.string({ unit: "binary" })` makes, seed by seed. fast-check keeps
 * a table of all 1,112,064 characters for that unit, which costs each process a second and 140 MB.
 */
export function unicodeText(
  constraints: Omit<StringConstraints, "unit"> = {},
): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: unicodeCharacter });
}
