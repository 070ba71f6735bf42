import type { DraftStatement } from "../core/draft-statement.js";
import type { Style } from "../core/style.js";

/** Measures a part of the work, and returns its result. */
export type Timing = <T>(stage: "format" | "verify", work: () => T) => T;

/**
 * Lays a statement out, and reads it back.
 *
 * @throws Error when it can't be read back as it was meant: that is our bug
 */
export async function printStatement(
  statement: DraftStatement,
  style: Style,
  time: Timing = (_, work) => work(),
): Promise<string> {
  const { kind, text } = statement;
  // Loaded on demand: most runs print little, and prettier and TypeScript are only needed for new
  // code.
  const { readBack } = await import("./verify/read-back.js");
  if (kind === "verbatim") {
    time("verify", () => readBack(statement, text));
    return withSemicolons(text, style);
  }
  const formatted = await time("format", async () => {
    const { formatCode } = await import("./emit/format-code.js");
    return formatCode(text, style);
  });
  time("verify", () => readBack(statement, formatted));
  return formatted;
}

/**
 * Prettier removes the last semicolon even of an ignored statement, so add it back. Each statement
 * of verbatim code has an ignore comment above, and none could continue the statement before.
 */
function withSemicolons(text: string, { semi }: Style): string {
  return semi === false ? text.replace(/;(?=\n(?:\/\/ prettier-ignore\n|$(?![^])))/g, "") : text;
}
