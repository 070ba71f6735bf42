import { type Code, piecesOf, printCode } from "../../core/code.js";
import type { JsonValue } from "../../core/json.js";
import type { DraftBody } from "../../core/output.js";
import type { Style } from "../../core/style.js";

/** A statement of a draft as plain data, which a thread can be sent. */
export interface DraftStatement {
  /** Of its module, for messages. */
  readonly path: string;
  readonly kind: DraftBody["kind"];
  readonly text: string;
  readonly meanings: readonly Meaning[];
}

/** A run of the text that stands for author data, and the value that it must read back as. */
export interface Meaning {
  readonly start: number;
  readonly end: number;
  readonly value: JsonValue;
}

export function draftStatement(path: string, code: Code, kind: DraftBody["kind"]): DraftStatement {
  return { path, kind, text: printCode(code), meanings: meaningsOf(code) };
}

/** What a rope means, in source order, outer before inner. */
export function meaningsOf(draft: Code): readonly Meaning[] {
  const meanings: Meaning[] = [];
  let start = 0;
  for (const { meant, text } of piecesOf(draft)) {
    const end = start + text.length;
    if (meant !== undefined) meanings.push({ start, end, value: meant.value });
    start = end;
  }
  return meanings;
}

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
  const { readBack } = await import("../verify/read-back.js");
  const formatted =
    kind === "verbatim"
      ? withSemicolons(text, style)
      : await time("format", async () => {
          const { formatCode } = await import("../emit/format-code.js");
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
