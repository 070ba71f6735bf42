import type { DraftStatement } from "../core/draft-statement.js";
import type { Style } from "../core/style.js";

/** Measures a part of the work, and gives back what it gives. */
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
  // Most runs print little or nothing: prettier and TypeScript are loaded for what is new.
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
 * Of a statement that it is told to ignore, prettier still takes the last semicolon away. Each
 * statement of verbatim code stands below a comment that says so, and none begins so that it could
 * go on the one before.
 */
function withSemicolons(text: string, { semi }: Style): string {
  return semi === false ? text.replace(/;(?=\n(?:\/\/ prettier-ignore\n|$(?![^])))/g, "") : text;
}
