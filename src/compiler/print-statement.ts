import type { DraftStatement } from "../core/draft-statement.js";
import type { Style } from "../core/style.js";

/** Measures a part of the work, and returns its result. */
export type Timing = <T>(stage: "format" | "verify", work: () => T) => T;

/**
 * Formats a statement, and reads it back.
 *
 * @throws Error if the formatted text differs in meaning, which is a bug of skillc
 */
export async function printStatement(
  statement: DraftStatement,
  style: Style,
  time: Timing = (_, work) => work(),
): Promise<string> {
  const { kind, text } = statement;
  // Loaded on demand, because most runs print little, and only new code needs prettier and
  // TypeScript.
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
 * Adds the last semicolon, which prettier removes even from an ignored statement. Each statement of
 * verbatim code has an ignore comment above, and none could continue the previous statement.
 */
function withSemicolons(text: string, { semi }: Style): string {
  return semi === false ? text.replace(/;(?=\n(?:\/\/ prettier-ignore\n|$(?![^])))/g, "") : text;
}
